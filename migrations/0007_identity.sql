-- Who people and agents are: accounts, their keys, the first owner's invitation, and whether a tenant is at work.
-- A key's owner is looked up before a tenant is known, so those look-ups are functions that answer for one exact hash and list nothing.

-- `suspended`: nothing is asked, decided or sent. `closed`: erased for good. Set by the installation's operator under the owner's login.
alter table countersign.tenant
  add column state text not null default 'active' check (state in ('active', 'suspended', 'closed')),
  -- Mixed into the tenant's key, so that the key is gone once this is: emptied when the tenant is closed.
  add column key_salt bytea check (length(key_salt) in (0, 32)),
  add column state_since timestamptz not null default clock_timestamp();
create trigger tenant_is_kept before delete on countersign.tenant for each row execute function countersign.refuse_change();

create function countersign.keep_closed() returns trigger language plpgsql as $$
begin
  if old.state = 'closed' then
    raise exception 'the tenant % is closed, and stays so', old.id using errcode = 'CS004';
  end if;
  return new;
end
$$;
create trigger tenant_closes_once before update on countersign.tenant for each row execute function countersign.keep_closed();

create table countersign.account (
  tenant text not null references countersign.tenant (id),
  id text not null check (id ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  kind text not null check (kind in ('person', 'agent')),
  -- For pages alone; it goes into no entry.
  name text not null check (length(name) between 1 and 200),
  -- The person for whom an agent asks.
  on_behalf_of text,
  roles text[] not null,
  attributes jsonb not null default '{}' check (jsonb_typeof(attributes) = 'object'),
  -- What of the project is open to the account, by kind: `all`, or a list of names, where an empty one is nothing.
  allow jsonb not null default '{"capabilities":"all","documents":"all","effects":"all","records":"all"}'
    check (jsonb_typeof(allow) = 'object'),
  state text not null default 'active' check (state in ('active', 'deactivated')),
  -- As whom an identity provider knows it.
  external_issuer text,
  external_subject text,
  -- Whether one does, for whoever may not see as whom.
  is_external boolean not null generated always as (external_subject is not null) stored,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant, id),
  foreign key (tenant, on_behalf_of) references countersign.account (tenant, id),
  check ((kind = 'agent') = (on_behalf_of is not null)),
  check ((external_issuer is null) = (external_subject is null))
);
create unique index account_external on countersign.account (external_issuer, external_subject) where external_subject is not null;

create table countersign.api_key (
  id uuid primary key,
  tenant text not null,
  account text not null,
  -- SHA-256 of the key. A key has 192 bits of chance, so nothing slower is needed; the key itself is kept nowhere.
  hash bytea not null unique check (length(hash) = 32),
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['ask', 'read', 'review', 'sign', 'admin']),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- To the minute, so that a key in use is written once a minute.
  last_used_at timestamptz,
  foreign key (tenant, account) references countersign.account (tenant, id)
);
create index api_key_of on countersign.api_key (tenant, account);

-- The one-time invitation of the first owner: kept as a hash, good once.
create table countersign.invitation (
  hash bytea primary key check (length(hash) = 32),
  expires_at timestamptz not null,
  used_at timestamptz
);

alter table countersign.account enable row level security;
alter table countersign.api_key enable row level security;
alter table countersign.invitation enable row level security;
create policy account_seen on countersign.account for select to deciding, desk using (countersign.in_tenants(tenant));
grant select (tenant, id, kind, name, on_behalf_of, roles, attributes, allow, state) on countersign.account to deciding, desk;

-- A principal, as it is at this moment. Seen with the rights of whoever asks. Of an agent with what its person may, to which it is cut.
create view countersign.living_account with (security_invoker = true) as
  select a.tenant, tenant.state as tenant_state, a.id, a.kind, a.name, a.on_behalf_of, a.roles, a.attributes, a.allow,
    person.roles as person_roles, person.allow as person_allow
  from countersign.account a join countersign.tenant on tenant.id = a.tenant
    left join countersign.account person on person.tenant = a.tenant and person.id = a.on_behalf_of
  where a.state = 'active' and tenant.state <> 'closed'
    and (a.on_behalf_of is null or (person.kind = 'person' and person.state = 'active'));
grant select on countersign.living_account to deciding, desk;

-- What the acting half asks of people before it acts for them: whether they are active, and what they may by now. It sees no names, no
-- attributes, and not as whom a provider knows anybody.
create policy account_acted_for on countersign.account for select to acting using (countersign.in_tenants(tenant));
grant select (tenant, id, kind, on_behalf_of, roles, allow, state, is_external) on countersign.account to acting;

-- The active accounts among these, in one call for all that a transaction judges (see 0005 for the settings).
create function countersign.accounts_now(of_tenant text, ids text[])
returns table (id text, on_behalf_of text, roles text[], allow jsonb, is_external boolean, person_roles text[], person_allow jsonb)
language plpgsql stable
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
    select a.id, a.on_behalf_of, a.roles, a.allow, a.is_external, person.roles, person.allow from countersign.account a
      left join countersign.account person on person.tenant = of_tenant and person.id = a.on_behalf_of
    where a.tenant = of_tenant and a.id = any (ids) and a.state = 'active'
      and (a.on_behalf_of is null or (person.kind = 'person' and person.state = 'active'));
end
$$;

-- One account of the tenant that is named, in one call; held to it by the row policies.
create function countersign.account_now(of_tenant text, of_id text) returns setof countersign.living_account
language plpgsql
as $$
begin
  perform set_config('countersign.tenants', of_tenant, true);
  return query select * from countersign.living_account living where living.tenant = of_tenant and living.id = of_id;
end
$$;

create type countersign.identity as (
  tenant text, tenant_state text, id text, kind text, name text, on_behalf_of text, roles text[], attributes jsonb, allow jsonb,
  person_roles text[], person_allow jsonb, key_id uuid, scopes text[]
);

-- Whose key has this hash; no row for one that is unknown, revoked or expired, or whose account is not active. Equality of hashes is
-- asked of an index over SHA-256: how long that takes says something about a hash at most, and no key follows from one.
create function countersign.identify_key(given bytea) returns setof countersign.identity
language plpgsql security definer set search_path = ''
as $$
declare
  found_key countersign.api_key;
begin
  select * into found_key from countersign.api_key k
    where k.hash = given and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp());
  if found_key.id is null then
    return;
  end if;
  if found_key.last_used_at is null or found_key.last_used_at < date_trunc('minute', clock_timestamp()) then
    -- Who finds the row in another's hands leaves it: the other writes the same minute.
    update countersign.api_key set last_used_at = date_trunc('minute', clock_timestamp())
      where id = (select k.id from countersign.api_key k where k.id = found_key.id for no key update skip locked);
  end if;
  return query select living.*, found_key.id, found_key.scopes from countersign.living_account living
    where living.tenant = found_key.tenant and living.id = found_key.account;
end
$$;

-- As whom an identity provider's subject is known here.
create function countersign.identify_subject(of_issuer text, of_subject text) returns setof countersign.identity
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select living.*, null::uuid, null::text[] from countersign.living_account living
    join countersign.account a on a.tenant = living.tenant and a.id = living.id
    where a.external_issuer = of_issuer and a.external_subject = of_subject;
end
$$;

-- The account behind a session, and the key that it was begun with, where it was; no row once either is no good.
create function countersign.identify_again(of_tenant text, of_id text, of_key uuid) returns setof countersign.identity
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select living.*, k.id, k.scopes from countersign.living_account living
    left join countersign.api_key k on k.id = of_key and k.tenant = living.tenant and k.account = living.id
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())
    where living.tenant = of_tenant and living.id = of_id and (of_key is null or k.id is not null);
end
$$;

-- Makes the first owner of an installation, once: with the invitation, and where there is no account at all. Says whether it did.
create function countersign.accept_invitation(
  given bytea, of_tenant text, tenant_name text, salt bytea, of_id text, of_name text, of_key uuid, key_hash bytea
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  -- Two that are made at once: the second waits, and then finds an account.
  lock table countersign.account in share row exclusive mode;
  -- A tenant that has decided before, or is at work no more, is nobody's to take over.
  if exists (select from countersign.tenant where id = of_tenant and (state <> 'active'
    or exists (select from countersign.entry where entry.tenant = of_tenant))) then
    return false;
  end if;
  update countersign.invitation set used_at = clock_timestamp()
    where hash = given and used_at is null and expires_at > clock_timestamp()
    and not exists (select from countersign.account);
  if not found then
    return false;
  end if;
  insert into countersign.tenant (id, name, key_salt) values (of_tenant, tenant_name, salt) on conflict do nothing;
  insert into countersign.account (tenant, id, kind, name, roles) values (of_tenant, of_id, 'person', of_name, array['owner']);
  insert into countersign.api_key (id, tenant, account, hash, scopes)
    values (of_key, of_tenant, of_id, key_hash, array['ask', 'read', 'review', 'sign', 'admin']);
  return true;
end
$$;

revoke execute on function countersign.account_now, countersign.accounts_now, countersign.identify_key, countersign.identify_subject, countersign.identify_again,
  countersign.accept_invitation from public;
grant execute on function countersign.account_now to deciding, desk;
grant execute on function countersign.accounts_now to acting;
grant execute on function countersign.identify_key, countersign.identify_subject, countersign.identify_again,
  countersign.accept_invitation to desk;

-- Nothing is decided for a tenant that is not at work, whatever asks for it.
create policy intent_of_active_tenant on countersign.intent as restrictive for insert to deciding
  with check (exists (select from countersign.tenant where tenant.id = intent.tenant and tenant.state = 'active'));

-- The data of a case that has ended may be emptied, and nothing else of it changes.
create or replace function countersign.keep_case() returns trigger language plpgsql as $$
begin
  if old.state = 'ended' and (new.body <> '' or to_jsonb(new) - 'body' is distinct from to_jsonb(old) - 'body') then
    raise exception 'case % has ended', old.id using errcode = 'CS002';
  end if;
  return new;
end
$$;
