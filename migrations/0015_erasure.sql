-- Retention and erasure: how long bodies are kept, what is held back from erasure, and what is to be erased.

-- How long a tenant keeps bodies, in days from the outcome on; what is null stays as the capability says. Set by the installation's
-- operator under the owner's login.
create table countersign.retention (
  tenant text not null references countersign.tenant (id),
  -- A capability's name, or `*` for each that has no row of its own.
  capability text not null check (capability = '*' or capability ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  inputs_days integer check (inputs_days between 1 and 36500),
  payload_days integer check (payload_days between 1 and 36500),
  set_at timestamptz not null default clock_timestamp(),
  primary key (tenant, capability)
);

-- What nothing may be erased of until it is released: a decision, a person's decisions, or all of a tenant. Rows stay.
create table countersign.hold (
  tenant text not null references countersign.tenant (id),
  id uuid not null default gen_random_uuid(),
  scope text not null check (scope in ('tenant', 'person', 'decision')),
  -- The person's or the decision's id; for a tenant `*`.
  name text not null check (length(name) between 1 and 200),
  reason text not null check (length(reason) between 1 and 2000),
  at timestamptz not null default clock_timestamp(),
  released_at timestamptz,
  primary key (tenant, id)
);
create unique index hold_standing on countersign.hold (tenant, scope, name) where released_at is null;

-- What is to be erased and is not yet: a decision's bodies, or all that is kept of a person. A row goes with what it asked for, in the
-- transaction of the `erased` entry; a worker that dies leaves it to the next one.
create table countersign.erasure (
  tenant text not null references countersign.tenant (id),
  id uuid not null default gen_random_uuid(),
  -- What of it: the inputs alone, or the whole payload.
  part text not null check (part in ('inputs', 'payload')),
  why text not null check (why in ('retention', 'request')),
  decision_id uuid,
  person text check (length(person) between 1 and 200),
  reason text check (length(reason) between 1 and 2000),
  at timestamptz not null default clock_timestamp(),
  -- Until then nobody takes it up (again), by the database's clock.
  due_at timestamptz not null default clock_timestamp(),
  -- Why it was left when it was last tried.
  waits_for text check (waits_for in ('operation', 'case', 'review', 'decision', 'hold', 'unreadable')),
  -- Of a person: up to which decision the tenant's were looked through, and which of those that had begun before that had not ended.
  place uuid,
  under_way uuid[],
  -- Of what is put off: under which rules. Only who goes by the same rules takes it up; empty where no rules are asked.
  rules text not null default '' check (length(rules) <= 64),
  primary key (tenant, id),
  check ((decision_id is null) = (person is not null)),
  check (person is null or (part = 'payload' and why = 'request')),
  check (why = 'retention' or rules = '')
);
create unique index erasure_of_decision on countersign.erasure (tenant, decision_id, part, rules) where decision_id is not null;
create unique index erasure_of_person on countersign.erasure (tenant, person) where person is not null;
create index erasure_due on countersign.erasure (tenant, due_at);

-- When somebody last read there. A walk under rules by which nobody goes any more is dropped.
alter table countersign.progress add column seen_at timestamptz not null default clock_timestamp();

create trigger hold_is_kept before delete on countersign.hold for each row execute function countersign.refuse_change();
create trigger hold_stays before truncate on countersign.hold for each statement execute function countersign.refuse_change();

-- What a case was told can be emptied, and nothing else of it changes.
create function countersign.keep_event() returns trigger language plpgsql as $$
begin
  if new.body is distinct from old.body and new.body <> '' then
    raise exception 'what case % was told is never altered', old.run_id using errcode = 'CS001';
  end if;
  return new;
end
$$;
create trigger case_event_words_stand before update on countersign.case_event for each row execute function countersign.keep_event();

alter table countersign.retention enable row level security;
alter table countersign.hold enable row level security;
alter table countersign.erasure enable row level security;
create policy retention_seen on countersign.retention for select to acting using (countersign.in_tenants(tenant));
create policy hold_seen on countersign.hold for select to acting using (countersign.in_tenants(tenant));
create policy erasure_of_acting on countersign.erasure for all to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));
-- A payload without its inputs: only in the transaction of an entry that says so.
create policy payload_shortened on countersign.payload for update to acting
  using (countersign.in_tenants(tenant))
  with check (countersign.in_tenants(tenant) and body is not null and exists (
    select from countersign.entry said
    where said.tenant = payload.tenant and said.kind = 'erased' and said.cause = payload.entry_id and said.xid = pg_current_xact_id()
      and said.decision_id = (select meant.decision_id from countersign.entry meant
        where meant.tenant = payload.tenant and meant.id = payload.entry_id)));

grant select on countersign.retention, countersign.hold to acting;
grant select, delete on countersign.erasure to acting;
grant insert (tenant, part, why, decision_id, reason, due_at, waits_for, rules) on countersign.erasure to acting;
grant update (why, reason, due_at, waits_for, place, under_way) on countersign.erasure to acting;
-- Which decisions have begun and not ended, and nothing of what was asked: a person's request waits for them.
grant select (tenant, decision_id, ended) on countersign.intent to acting;
grant delete on countersign.progress to acting;
grant update (body) on countersign.case_event to acting;
