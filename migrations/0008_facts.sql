-- Facts in time. A fact is true within [valid_from, valid_to) and was known within [learnt_from, learnt_to); both in milliseconds since
-- the epoch. What a row says is never edited: a correction closes it, and writes another one.

-- Where facts come from, and in which zone that source writes its dates.
create table countersign.fact_source (
  tenant text not null references countersign.tenant (id),
  name text not null check (name ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  title text not null,
  zone text not null,
  label text not null check (label in ('own', 'directory', 'system', 'shared', 'third')),
  primary key (tenant, name)
);

-- What a predicate means, by version of the mapping; the newest one says how many values there are at a time.
create table countersign.fact_predicate (
  tenant text not null references countersign.tenant (id),
  name text not null check (name ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  mapping_version integer not null check (mapping_version > 0),
  value_count text not null check (value_count in ('one', 'many')),
  object_kind text not null check (object_kind in ('value', 'entity')),
  primary key (tenant, name, mapping_version)
);

-- The instant of the running statement: what one statement closes and opens meets without a gap.
create function countersign.statement_ms() returns bigint language sql stable parallel safe
  return floor(extract(epoch from statement_timestamp()) * 1000)::bigint;

create table countersign.fact (
  tenant text not null,
  id uuid not null default gen_random_uuid(),
  subject text not null check (subject <> '' and octet_length(subject) <= 200),
  predicate text not null,
  object text not null check (octet_length(object) <= 1000),
  -- Within the years 1 to 9999.
  valid_from bigint not null check (valid_from >= -62135596800000),
  valid_to bigint check (valid_to > valid_from and valid_to <= 253402300800000),
  -- Both times are the database's word, whatever a writer says.
  learnt_from bigint not null default countersign.statement_ms(),
  learnt_to bigint check (learnt_to >= learnt_from),
  source text not null,
  mapping_version integer not null,
  -- Labels that may see it.
  scopes text[] not null check (cardinality(scopes) > 0),
  -- The fact that this one came in the place of, and why.
  corrects uuid,
  reason text,
  writer text not null default current_user,
  primary key (tenant, id),
  foreign key (tenant, source) references countersign.fact_source (tenant, name),
  foreign key (tenant, predicate, mapping_version) references countersign.fact_predicate (tenant, name, mapping_version)
);
create index fact_of_subject on countersign.fact (tenant, subject, predicate, valid_from);
create index fact_of_object on countersign.fact (tenant, object);

-- What it says stays as it is. Who may see it may change, and then counts for what was known before too.
create function countersign.close_fact() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - 'learnt_to' - 'scopes') is distinct from (to_jsonb(old) - 'learnt_to' - 'scopes') then
    raise exception 'a fact is never changed; close it and write another' using errcode = 'CS001';
  end if;
  if new.learnt_to is distinct from old.learnt_to then
    if old.learnt_to is not null then
      raise exception 'a fact is closed once' using errcode = 'CS001';
    end if;
    -- A clock that was put back must not end what it has not seen begin.
    new.learnt_to := greatest(countersign.statement_ms(), old.learnt_from);
  end if;
  return new;
end
$$;
create trigger fact_is_closed_once before update on countersign.fact for each row execute function countersign.close_fact();
create trigger fact_is_kept before truncate on countersign.fact for each statement execute function countersign.refuse_change();

-- Has the writers of these subjects take turns until their transactions end. The order is that of the keys, whoever locks.
create function countersign.lock_facts(of_tenant text, subjects text[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  key bigint;
begin
  for key in select distinct hashtextextended('fact ' || of_tenant || ' ' || subject, 0) from unnest(subjects) as subject order by 1 loop
    perform pg_advisory_xact_lock(key);
  end loop;
end
$$;
revoke execute on function countersign.lock_facts from public;

-- Removes all that is known of an entity, also what was corrected; the one way in which a fact goes. An object is the entity where its
-- predicate says so: a value that happens to read the same is somebody else's.
create function countersign.erase_facts(of_tenant text, entity text) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  erased integer;
begin
  if not countersign.in_tenants(of_tenant) then
    raise exception 'the transaction has not named this tenant' using errcode = '42501';
  end if;
  -- Behind the locks nobody is at putting another fact in the place of one that goes.
  perform countersign.lock_facts(of_tenant, entity || array(
    select fact.subject from countersign.fact where fact.tenant = of_tenant and fact.object = entity));
  delete from countersign.fact where fact.tenant = of_tenant and (fact.subject = entity or (fact.object = entity and exists (
    select from countersign.fact_predicate as meant
    where meant.tenant = fact.tenant and meant.name = fact.predicate and meant.mapping_version = fact.mapping_version
      and meant.object_kind = 'entity')));
  get diagnostics erased = row_count;
  return erased;
end
$$;
revoke execute on function countersign.erase_facts from public;

alter table countersign.fact_source enable row level security;
alter table countersign.fact_predicate enable row level security;
alter table countersign.fact enable row level security;
create policy fact_source_seen on countersign.fact_source for select using (countersign.in_tenants(tenant));
create policy fact_source_named on countersign.fact_source for insert to acting with check (countersign.in_tenants(tenant));
create policy fact_predicate_seen on countersign.fact_predicate for select using (countersign.in_tenants(tenant));
create policy fact_predicate_declared on countersign.fact_predicate for insert to acting with check (countersign.in_tenants(tenant));
create policy fact_seen on countersign.fact for select using (countersign.in_tenants(tenant));
create policy fact_written on countersign.fact for insert to acting with check (countersign.in_tenants(tenant));
create policy fact_closed on countersign.fact for update to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));

grant select on countersign.fact_source, countersign.fact_predicate, countersign.fact to deciding, acting;
grant insert on countersign.fact_source, countersign.fact_predicate to acting;
grant insert (tenant, subject, predicate, object, valid_from, valid_to, source, mapping_version, scopes, corrects, reason)
  on countersign.fact to acting;
grant update (learnt_to, scopes) on countersign.fact to acting;
grant execute on function countersign.erase_facts, countersign.lock_facts to acting;

-- Memory: what declared effects keep for a session of a person, for a person, or for the tenant. (What a decision notes of itself is in
-- the ledger, and is read from there.) Rows go: by age, by number, by erasure.
create table countersign.memory (
  tenant text not null references countersign.tenant (id),
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('summary', 'episode', 'preference', 'semantic', 'entity')),
  scope text not null check (scope in ('session', 'user', 'tenant')),
  -- The principal for whom it was decided, and the person behind an agent.
  owner text not null,
  on_behalf_of text,
  session text,
  about text check (octet_length(about) <= 200),
  body text not null check (body <> '' and octet_length(body) <= 16000),
  -- Labels that may see the tenant's memory; what belongs to a person has none.
  scopes text[] not null,
  capability text not null,
  decision_id uuid not null,
  written_at bigint not null default countersign.statement_ms(),
  -- Written anew with the same words, it counts as confirmed.
  confirmed_at bigint not null default countersign.statement_ms(),
  expires_at bigint not null,
  writer text not null default current_user,
  primary key (tenant, id),
  check ((scope = 'session') = (session is not null)),
  check ((scope = 'tenant') = (cardinality(scopes) > 0))
);
create index memory_of_owner on countersign.memory (tenant, owner, kind, confirmed_at desc);
create index memory_of_tenant on countersign.memory (tenant, kind, confirmed_at desc) where scope = 'tenant';
create index memory_expires on countersign.memory (tenant, expires_at);

alter table countersign.memory enable row level security;
create policy memory_seen on countersign.memory for select using (countersign.in_tenants(tenant));
create policy memory_kept on countersign.memory for insert to acting with check (countersign.in_tenants(tenant));
create policy memory_confirmed on countersign.memory for update to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));
create policy memory_forgotten on countersign.memory for delete to acting using (countersign.in_tenants(tenant));
grant select on countersign.memory to deciding, acting;
grant insert (tenant, kind, scope, owner, on_behalf_of, session, about, body, scopes, capability, decision_id, expires_at)
  on countersign.memory to acting;
grant update (confirmed_at, expires_at) on countersign.memory to acting;
grant delete on countersign.memory to acting;
