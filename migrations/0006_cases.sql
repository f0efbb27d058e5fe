-- Cases: decisions that the acting half wants made, running cases with their steps, and what happened to them.

-- A decision that the acting half wants made, such as a case's next step. The acting half never decides: it leaves a row here in the
-- transaction of what it follows from, and a deciding process makes the decision, once, whoever takes the row up and however often.
create table countersign.wanted (
  tenant text not null references countersign.tenant (id),
  id uuid not null,
  capability text not null check (capability ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  -- Who asks and with which inputs, encrypted with the tenant's key. Gone when it ended: the decision keeps what is to be kept.
  body bytea,
  -- The entry that it follows.
  cause uuid,
  at timestamptz not null default clock_timestamp(),
  -- Until then nobody takes it up (again), by the database's clock.
  due_at timestamptz not null default clock_timestamp(),
  -- How often it was taken up; counted before the work begins, so that one that ends its decider does not do so for ever.
  attempts integer not null default 0 check (attempts >= 0),
  -- How many decisions of it were recorded that ended for want of a model or a record; each next one has a key of its own.
  round smallint not null default 0 check (round >= 0),
  state text not null default 'waiting' check (state in ('waiting', 'made', 'failed')),
  decision_id uuid,
  -- Why it failed: an error's code or the reason of a stop.
  code text check (code ~ '^[a-z_]{1,40}$'),
  -- In no insert grant, like everything from `at` on.
  writer text not null default current_user,
  primary key (tenant, id),
  check ((state = 'waiting') = (body is not null)),
  check (state <> 'made' or decision_id is not null),
  check ((state = 'failed') = (code is not null))
);
create index wanted_waiting on countersign.wanted (tenant, due_at) where state = 'waiting';
-- No decision is the answer to two wishes.
create unique index wanted_decision on countersign.wanted (tenant, decision_id) where decision_id is not null;

-- What became of it stands, and what is asked is not altered: it can only be dropped. What is named as its decision has an outcome in
-- the ledger, of the capability that was wanted and after the same entry.
create function countersign.keep_wanted() returns trigger language plpgsql as $$
begin
  if new.body is not null and new.body is distinct from old.body then
    raise exception 'what the wanted decision % asks is never altered', old.id using errcode = 'CS001';
  end if;
  if old.state <> 'waiting' then
    raise exception 'the wanted decision % has ended and is %', old.id, old.state using errcode = 'CS002';
  end if;
  if new.decision_id is not null and not exists (select from countersign.entry
      where entry.tenant = new.tenant and entry.decision_id = new.decision_id and entry.kind in ('decided', 'stopped')
        and entry.capability = new.capability and entry.cause is not distinct from new.cause) then
    raise exception 'decision % is not the wanted decision %', new.decision_id, old.id using errcode = 'CS001';
  end if;
  return new;
end
$$;
create trigger wanted_end_stands before update on countersign.wanted for each row execute function countersign.keep_wanted();
create trigger wanted_is_kept before delete on countersign.wanted for each row execute function countersign.refuse_change();
create trigger wanted_stays before truncate on countersign.wanted for each statement execute function countersign.refuse_change();

alter table countersign.wanted enable row level security;
create policy wanted_seen on countersign.wanted for select using (countersign.in_tenants(tenant));
create policy wanted_by_acting on countersign.wanted for insert to acting with check (countersign.in_tenants(tenant));
create policy wanted_taken on countersign.wanted for update to deciding
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));
grant select on countersign.wanted to deciding, acting;
grant insert (tenant, id, capability, body, cause) on countersign.wanted to acting;
grant update (body, due_at, attempts, round, state, decision_id, code) on countersign.wanted to deciding;

-- A case: one run of a case definition. The row is where it stands; every move changes it in one transaction under its lock, together
-- with the step's row. Whether something is to be done is asked of what stands here and beside it, never of a message that could be lost.
create table countersign.case_run (
  tenant text not null references countersign.tenant (id),
  id uuid not null,
  case_name text not null check (case_name ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  version text not null check (version ~ '^[0-9A-Za-z.-]{1,40}$'),
  -- The business key: one run a key. No personal data in clear.
  key text not null check (length(key) between 1 and 200),
  started_by text not null,
  on_behalf_of text,
  -- Keyed hash of what it was started with: the same start again is the same case.
  start_hash bytea not null check (length(start_hash) = 32),
  -- Who started it, with what, and the case's data as it is now, encrypted with the tenant's key. Stored here alone.
  body bytea not null check (length(body) <= 400000),
  -- Of a sub-plan or a branch: the case and the step that it belongs to, and its name there.
  parent_id uuid,
  parent_n integer,
  branch text,
  created_at timestamptz not null,
  due_at timestamptz,
  owner text not null,
  step text not null,
  -- What follows is in no insert grant.
  state text not null default 'running' check (state in ('running', 'escalated', 'ended')),
  outcome text check (outcome ~ '^[a-z][a-z0-9_]{0,62}$'),
  is_failure boolean not null default false,
  -- How many steps it has entered.
  n integer not null default 0 check (n >= 0),
  -- What the step waits for: a decision that is to be made, a decision that was, events by name, a time.
  wanted_id uuid,
  decision_id uuid,
  -- The mark of that decision when it was last looked at.
  seen text,
  awaits text[] not null default '{}',
  until_at timestamptz,
  -- When the step, or the whole, is late; `case_deadline_at` is gone once its owner was told.
  deadline_at timestamptz,
  case_deadline_at timestamptz,
  -- Why nothing moves it but a person: its step is to be begun again, or looked at again.
  stuck text check (stuck in ('begin', 'look')),
  code text check (code ~ '^[a-z_]{1,40}$'),
  -- The definition that last tried to take it over, and could not at this step.
  migration_tried text,
  -- Until then nobody moves it: the last try threw.
  held_until timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant, id),
  foreign key (tenant, parent_id) references countersign.case_run (tenant, id),
  check ((state = 'ended') = (outcome is not null)),
  check ((parent_id is null) = (parent_n is null) and (parent_id is null) = (branch is null))
) with (fillfactor = 70, toast_tuple_target = 8160);
alter table countersign.case_run alter column body set storage external;
create unique index case_run_key on countersign.case_run (tenant, case_name, key);
create index case_run_open on countersign.case_run (tenant, due_at) where state <> 'ended';
create index case_run_children on countersign.case_run (tenant, parent_id, parent_n) where parent_id is not null;
create index case_run_started on countersign.case_run (tenant, started_by, id desc);

-- How a case moved, one row a move: which step was entered, from which, and why. It holds no data, so that rows stay as small as they are.
create table countersign.case_step (
  tenant text not null,
  run_id uuid not null,
  place integer not null check (place > 0),
  id uuid not null,
  kind text not null check (kind in ('entered', 'escalated', 'migrated', 'resumed')),
  version text not null,
  -- Where it stands after the move, and how often a step was entered by then.
  step text not null,
  n integer not null,
  -- The hand-off edge: the step that was left, and how that ended.
  from_step text,
  outcome text,
  decision_id uuid,
  event_id uuid,
  code text check (code ~ '^[a-z_]{1,40}$'),
  -- Keyed hash of the data after the move.
  data_hash bytea not null,
  at timestamptz not null,
  writer text not null default current_user,
  primary key (tenant, run_id, place),
  foreign key (tenant, run_id) references countersign.case_run (tenant, id)
);
create unique index case_step_id on countersign.case_step (tenant, id);

-- What happened to a case, as somebody told it at the desk; kept until a step that waits for it takes it up.
create table countersign.case_event (
  tenant text not null,
  run_id uuid not null,
  id uuid not null,
  n bigint not null generated always as identity,
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  -- The sender's own word against telling twice.
  key text check (length(key) between 1 and 200),
  by_principal text not null,
  body bytea not null check (length(body) <= 100000),
  body_hash bytea not null check (length(body_hash) = 32),
  at timestamptz not null,
  -- By which move it was taken up; 0 where the case had ended.
  taken_place integer,
  writer text not null default current_user,
  primary key (tenant, id),
  foreign key (tenant, run_id) references countersign.case_run (tenant, id)
);
create unique index case_event_once on countersign.case_event (tenant, run_id, key) where key is not null;
create index case_event_open on countersign.case_event (tenant, run_id, n) where taken_place is null;

-- A case that has ended stays so, and nothing of how it began is altered.
create function countersign.keep_case() returns trigger language plpgsql as $$
begin
  if old.state = 'ended' then
    raise exception 'case % has ended', old.id using errcode = 'CS002';
  end if;
  return new;
end
$$;
create trigger case_run_end_stands before update on countersign.case_run for each row execute function countersign.keep_case();
create trigger case_run_is_kept before delete on countersign.case_run for each row execute function countersign.refuse_change();
create trigger case_run_stays before truncate on countersign.case_run for each statement execute function countersign.refuse_change();
create trigger case_step_is_final before update or delete on countersign.case_step for each row execute function countersign.refuse_change();
create trigger case_step_is_kept before truncate on countersign.case_step for each statement execute function countersign.refuse_change();
create trigger case_event_is_kept before delete on countersign.case_event for each row execute function countersign.refuse_change();
create trigger case_event_stays before truncate on countersign.case_event for each statement execute function countersign.refuse_change();

alter table countersign.case_run enable row level security;
alter table countersign.case_step enable row level security;
alter table countersign.case_event enable row level security;
create policy case_run_seen on countersign.case_run for select using (countersign.in_tenants(tenant));
create policy case_run_started on countersign.case_run for insert to desk
  with check (countersign.in_tenants(tenant) and parent_id is null and n = 0);
create policy case_run_branched on countersign.case_run for insert to acting
  with check (countersign.in_tenants(tenant) and parent_id is not null and n = 0);
create policy case_run_moved on countersign.case_run for update to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));
create policy case_step_seen on countersign.case_step for select using (countersign.in_tenants(tenant));
create policy case_step_made on countersign.case_step for insert to acting with check (countersign.in_tenants(tenant));
create policy case_event_seen on countersign.case_event for select using (countersign.in_tenants(tenant));
create policy case_event_told on countersign.case_event for insert to desk with check (countersign.in_tenants(tenant));
create policy case_event_taken on countersign.case_event for update to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));

grant select on countersign.case_run, countersign.case_step, countersign.case_event to desk, acting;
grant insert (tenant, id, case_name, version, key, started_by, on_behalf_of, start_hash, body, parent_id, parent_n, branch, created_at,
  due_at, owner, step) on countersign.case_run to desk, acting;
grant update (version, body, due_at, owner, step, state, outcome, is_failure, n, wanted_id, decision_id, seen, awaits, until_at,
  deadline_at, case_deadline_at, stuck, code, migration_tried, held_until, changed_at) on countersign.case_run to acting;
grant insert (tenant, run_id, place, id, kind, version, step, n, from_step, outcome, decision_id, event_id, code, data_hash, at)
  on countersign.case_step to acting;
grant insert (tenant, run_id, id, name, key, by_principal, body, body_hash, at) on countersign.case_event to desk;
grant update (taken_place) on countersign.case_event to acting;

-- A notice may be about a case, and then about no decision.
alter table countersign.notice add column case_id uuid;
alter table countersign.notice alter column decision_id drop not null;
alter table countersign.notice add check (decision_id is not null or case_id is not null);
grant insert (case_id) on countersign.notice to desk, acting;

-- The cases that can move at an instant (see act/cases/due.ts). Asked all the time, so its plan is kept (see 0005 for the settings).
create function countersign.due_cases(at timestamptz, names text[], versions text[], heirs text[], most integer)
returns table (tenant text, id uuid)
language plpgsql stable
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    select due.tenant, due.id from (select run.tenant, run.id, run.changed_at,
      row_number() over (partition by run.tenant order by run.changed_at, run.id) as turn from countersign.case_run run
    left join unnest(names, versions, heirs) as known (name, version, heir)
      on known.name = run.case_name and known.version = run.version
    where run.state <> 'ended'
    -- Nothing moves for a tenant that is not at work (migration 0007 adds the column).
    and exists (select from countersign.tenant where tenant.id = run.tenant and tenant.state = 'active')
    and (run.held_until is null or run.held_until <= at) and (run.deadline_at <= at or known.name is not null and (
      run.due_at <= at
      or run.awaits <> '{}' and exists (select from countersign.case_event event
        where event.tenant = run.tenant and event.run_id = run.id and event.taken_place is null and event.name = any (run.awaits))
      or known.heir is not null and known.heir is distinct from run.migration_tried
      -- The mark of a run's decision, as ledger/mark.ts reads it for one.
      or run.stuck is null and run.decision_id is not null and run.seen is distinct from concat_ws(' ',
        (select count(*) from countersign.entry where entry.tenant = run.tenant and entry.decision_id = run.decision_id
          and entry.kind not in ('decided', 'stopped')),
        (select string_agg(operation.id::text || ' ' || operation.state, ' ' order by operation.id) from countersign.operation
          where operation.tenant = run.tenant and operation.decision_id = run.decision_id))
      or run.stuck is null and run.decision_id is null and exists (select from countersign.wanted
        where wanted.tenant = run.tenant and wanted.id = run.wanted_id and wanted.state <> 'waiting')))) due
    order by due.turn, due.changed_at, due.id limit most;
end
$$;
revoke execute on function countersign.due_cases from public;
grant execute on function countersign.due_cases to acting;
