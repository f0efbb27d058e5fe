-- Approvals (signed by people at the desk or by policy in the acting process), withdrawals, claims, operations, notices, reading
-- progress.

create table countersign.approval (
  tenant text not null references countersign.tenant (id),
  id uuid not null,
  decision_id uuid,
  effect_index smallint check (effect_index >= 0),
  granted_by text not null check (granted_by in ('person', 'policy')),
  approver text not null,
  -- The exact bytes that were signed, and the signature. What counts is read from here, never from the columns beside it.
  body text not null,
  signature text not null,
  entry_id uuid not null,
  -- How many people the desk holds to be needed; a hint for lists. The acting half asks its own definitions.
  needs smallint not null default 1 check (needs between 1 and 2),
  state text not null default 'granted' check (state in ('granted', 'consumed', 'refused', 'expired', 'withdrawn')),
  created_at timestamptz not null default clock_timestamp(),
  -- `state`, `created_at` and `writer` are in no insert grant: what they say is the database's word.
  writer text not null default current_user,
  primary key (tenant, id)
);
-- Open approvals in the order of their making. Those of slices are few and come first, so they have an index of their own.
create index approval_open on countersign.approval (tenant, created_at, id) where state = 'granted' and decision_id is not null;
create index approval_open_slice on countersign.approval (tenant, created_at, id) where state = 'granted' and decision_id is null;
create index approval_of_decision on countersign.approval (tenant, decision_id, effect_index);

-- An approval that its giver took back. The desk may not touch an approval's row, so this row stands beside it. Its foreign key is the
-- lock: it waits for whoever holds the approval for update, and is waited for, so that of withdrawing and applying one is first.
create table countersign.withdrawal (
  tenant text not null,
  approval_id uuid not null,
  entry_id uuid not null,
  primary key (tenant, approval_id),
  foreign key (tenant, approval_id) references countersign.approval (tenant, id)
);

-- Who works on which waiting decision; also the row that the desk locks while a person answers, so that one answer stands.
create table countersign.claim (
  tenant text not null references countersign.tenant (id),
  decision_id uuid not null,
  principal text,
  until timestamptz,
  primary key (tenant, decision_id)
);

-- Its tenant is that of its approval: a foreign key would lock the tenant's row with each transaction, and all of a tenant's workers
-- meet there.
create table countersign.operation (
  tenant text not null,
  id uuid not null,
  effect text not null,
  key text not null,
  generation integer not null default 1,
  params_digest text not null,
  decision_id uuid not null,
  effect_index smallint not null,
  approval_id uuid not null,
  -- Where the risk takes two people, the other one's.
  second_approval_id uuid,
  state text not null check (state in ('applying', 'applied', 'complete', 'incomplete', 'failed', 'unknown', 'retrying',
    'compensating', 'compensated', 'escalated', 'refused')),
  -- Grows by one with each take-over; a worker whose fence is older cannot write here.
  fence bigint not null default 1,
  lease_until timestamptz not null,
  due_at timestamptz not null,
  deadline_at timestamptz not null,
  last_send_at timestamptz,
  attempts integer not null default 0,
  last_entry_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  writer text not null default current_user,
  primary key (tenant, id)
) with (fillfactor = 70);
-- One business key, one consequence. `refused` (nothing was sent) and `compensated` free the key.
create unique index operation_key on countersign.operation (tenant, effect, key) where state not in ('refused', 'compensated');
-- The next generation of a key counts those that freed it too; few do, so this index is small and most rows are not in it.
create index operation_freed on countersign.operation (tenant, effect, key, generation) where state in ('refused', 'compensated');
create index operation_of_decision on countersign.operation (tenant, decision_id, effect_index);
create index operation_open on countersign.operation (tenant, due_at)
  where state in ('applying', 'applied', 'incomplete', 'unknown', 'retrying', 'compensating');

-- What people are to be told, written with what it tells of; whoever sends it moves its state. No words and no values: whoever is told
-- looks the decision up. Its tenant is that of what it tells of: a foreign key would lock the tenant's row with each.
create table countersign.notice (
  tenant text not null,
  id uuid not null,
  kind text not null check (kind in ('waiting_review', 'expired', 'escalated', 'outcome')),
  decision_id uuid not null,
  -- The entry that it tells of.
  entry_id uuid not null,
  -- A principal by id, all who hold a role, or the owner that a definition names.
  to_kind text not null check (to_kind in ('principal', 'role', 'owner')),
  to_name text not null,
  at timestamptz not null default clock_timestamp(),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  -- Counted before a send begins, so that a worker that dies in one has counted it; until `due_at` no other worker takes it up.
  attempts integer not null default 0 check (attempts >= 0),
  due_at timestamptz not null default clock_timestamp(),
  -- Which sends were taken and which were refused for good: a channel's name, for mail with a mark that stands for an address.
  done text[] not null default '{}',
  refused text[] not null default '{}',
  -- What is said from `at` on is in no insert grant.
  writer text not null default current_user,
  primary key (tenant, id)
);
-- The id says whom it tells what of which entry, so a notice is written once, however many workers find the same thing to tell.
create index notice_of_waiting on countersign.notice (tenant, entry_id) where kind = 'waiting_review';
create index notice_unsent on countersign.notice (tenant, due_at) where state = 'waiting';

-- What a person found of an operation that was left to people, written with its `resolved` entry; the acting half carries it out.
create table countersign.resolution (
  tenant text not null,
  operation_id uuid not null,
  entry_id uuid not null,
  outcome text not null check (outcome in ('happened', 'not_happened', 'compensate')),
  -- The acting half has carried it out, or found that there was nothing left to do.
  done boolean not null default false,
  primary key (tenant, entry_id),
  foreign key (tenant, operation_id) references countersign.operation (tenant, id)
);
-- One at a time: what somebody said is carried out before another may say something else.
create unique index resolution_open on countersign.resolution (tenant, operation_id) where not done;

-- Emergency stops. One row stops, a later row of the same scope lifts it: who, when and why stay for ever.
create table countersign.halt (
  tenant text not null references countersign.tenant (id),
  id uuid not null,
  scope text not null check (scope in ('effect', 'capability', 'tenant')),
  -- The effect or capability; for a tenant `*`.
  name text not null,
  is_stopped boolean not null,
  by_principal text not null,
  reason text not null check (length(reason) between 1 and 2000),
  at timestamptz not null default clock_timestamp(),
  n bigint not null generated always as identity,
  writer text not null default current_user,
  primary key (tenant, id)
);
-- The newest row of a scope is what holds.
create index halt_newest on countersign.halt (tenant, scope, name, n desc);

-- How far a reader of entries has come, in the settled order (xid, n).
create table countersign.progress (
  tenant text not null references countersign.tenant (id),
  reader text not null,
  xid xid8 not null,
  n bigint not null,
  primary key (tenant, reader)
);

-- An approval is answered once: whatever it became it stays, also for a worker that has lost its way.
create function countersign.keep_answer() returns trigger language plpgsql as $$
begin
  raise exception 'approval % was answered before and is %', old.id, old.state using errcode = 'CS002';
end
$$;
-- A fence only grows, and an operation that was seen complete or that freed its key is not opened again.
create function countersign.keep_fence() returns trigger language plpgsql as $$
begin
  raise exception 'operation % is % under fence %', old.id, old.state, old.fence using errcode = 'CS003';
end
$$;

create trigger approval_answer_stands before update on countersign.approval for each row
  when (old.state <> 'granted') execute function countersign.keep_answer();
create trigger approval_is_kept before delete on countersign.approval for each row execute function countersign.refuse_change();
create trigger approval_stays before truncate on countersign.approval for each statement execute function countersign.refuse_change();
create trigger operation_fence_grows before update on countersign.operation for each row
  when (new.fence < old.fence or old.state in ('complete', 'refused', 'compensated')) execute function countersign.keep_fence();
create trigger operation_is_kept before delete on countersign.operation for each row execute function countersign.refuse_change();

create trigger withdrawal_is_final before update or delete on countersign.withdrawal for each row execute function countersign.refuse_change();
create trigger withdrawal_is_kept before truncate on countersign.withdrawal for each statement execute function countersign.refuse_change();
create trigger operation_stays before truncate on countersign.operation for each statement execute function countersign.refuse_change();

create trigger halt_is_final before update or delete on countersign.halt for each row execute function countersign.refuse_change();
create trigger halt_is_kept before truncate on countersign.halt for each statement execute function countersign.refuse_change();
create trigger resolution_is_kept before delete on countersign.resolution for each row execute function countersign.refuse_change();
create trigger resolution_stays before truncate on countersign.resolution for each statement execute function countersign.refuse_change();

alter table countersign.approval enable row level security;
alter table countersign.resolution enable row level security;
alter table countersign.halt enable row level security;
alter table countersign.withdrawal enable row level security;
alter table countersign.claim enable row level security;
alter table countersign.notice enable row level security;
alter table countersign.operation enable row level security;
alter table countersign.progress enable row level security;

create policy approval_seen on countersign.approval for select using (countersign.in_tenants(tenant));
create policy approval_by_person on countersign.approval for insert to desk
  with check (countersign.in_tenants(tenant) and granted_by = 'person' and state = 'granted');
create policy approval_by_policy on countersign.approval for insert to acting
  with check (countersign.in_tenants(tenant) and granted_by = 'policy' and state = 'granted');
create policy approval_consumed on countersign.approval for update to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));
create policy waiting_again on countersign.waiting for insert to acting with check (countersign.in_tenants(tenant) and exists (
  select from countersign.approval
  where approval.tenant = waiting.tenant and approval.decision_id = waiting.decision_id and approval.state = 'expired'));
-- What was signed and withdrawn, or signed by one of two, waits on.
create policy waiting_on on countersign.waiting for insert to desk with check (countersign.in_tenants(tenant) and exists (
  select from countersign.approval
  where approval.tenant = waiting.tenant and approval.decision_id = waiting.decision_id));
create policy withdrawal_seen on countersign.withdrawal for select using (countersign.in_tenants(tenant));
create policy withdrawal_by_person on countersign.withdrawal for insert to desk with check (countersign.in_tenants(tenant) and exists (
  select from countersign.approval
  where approval.tenant = withdrawal.tenant and approval.id = withdrawal.approval_id and approval.granted_by = 'person'));
create policy claim_seen on countersign.claim for select using (countersign.in_tenants(tenant));
create policy claim_made on countersign.claim for insert to desk with check (countersign.in_tenants(tenant));
create policy claim_moved on countersign.claim for update to desk
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));
create policy operation_seen on countersign.operation for select using (countersign.in_tenants(tenant));
create policy operation_reserved on countersign.operation for insert to acting with check (countersign.in_tenants(tenant));
create policy operation_moved on countersign.operation for update to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));
create policy notice_seen on countersign.notice for select using (countersign.in_tenants(tenant));
create policy notice_written on countersign.notice for insert to desk, acting with check (countersign.in_tenants(tenant));
create policy notice_sent on countersign.notice for update to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));
create policy resolution_seen on countersign.resolution for select using (countersign.in_tenants(tenant));
create policy resolution_by_person on countersign.resolution for insert to desk with check (countersign.in_tenants(tenant) and not done);
create policy resolution_done on countersign.resolution for update to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant) and done);
create policy halt_seen on countersign.halt for select using (countersign.in_tenants(tenant));
create policy halt_by_person on countersign.halt for insert to desk with check (countersign.in_tenants(tenant));
create policy progress_of_acting on countersign.progress for all to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));

grant select on countersign.approval, countersign.withdrawal, countersign.operation to deciding, desk, acting;
grant insert (tenant, id, decision_id, effect_index, granted_by, approver, body, signature, entry_id, needs)
  on countersign.approval to desk, acting;
grant update (state) on countersign.approval to acting;
grant insert on countersign.withdrawal to desk;
grant insert on countersign.waiting to desk;
grant select on countersign.notice to desk, acting;
grant insert (tenant, id, kind, decision_id, entry_id, to_kind, to_name) on countersign.notice to desk, acting;
grant update (state, attempts, due_at, done, refused) on countersign.notice to acting;
grant select on countersign.resolution, countersign.halt to desk, acting;
grant insert (tenant, operation_id, entry_id, outcome) on countersign.resolution to desk;
grant update (done) on countersign.resolution to acting;
grant insert (tenant, id, scope, name, is_stopped, by_principal, reason) on countersign.halt to desk;
grant select, insert, update on countersign.claim to desk;
grant insert (tenant, id, effect, key, generation, params_digest, decision_id, effect_index, approval_id,
  second_approval_id, state, fence, lease_until, due_at, deadline_at, last_send_at, attempts, last_entry_id) on countersign.operation to acting;
grant update (state, fence, lease_until, due_at, deadline_at, last_send_at, attempts, last_entry_id)
  on countersign.operation to acting;
grant select, insert, update on countersign.progress to acting;

-- Runs of the release matrix over an effect. A release is of a definition and so of no tenant: every role sees it, the acting one writes.
create table countersign.release (
  id uuid not null primary key,
  effect text not null,
  version text not null,
  environments text[] not null,
  -- SHA-256 over the definition, in hex.
  definition text not null check (definition ~ '^[0-9a-f]{64}$'),
  passed boolean not null,
  -- What each cell came to, as JSON.
  cells text not null,
  at timestamptz not null default clock_timestamp(),
  n bigint not null generated always as identity,
  -- What is said from `at` on is in no insert grant.
  writer text not null default current_user
);
-- The newest run of an effect is what holds.
create index release_newest on countersign.release (effect, version, n desc);
create trigger release_is_final before update or delete on countersign.release for each row execute function countersign.refuse_change();
create trigger release_is_kept before truncate on countersign.release for each statement execute function countersign.refuse_change();
alter table countersign.release enable row level security;
create policy release_seen on countersign.release for select using (true);
create policy release_written on countersign.release for insert to acting with check (true);
grant select on countersign.release to deciding, desk, acting;
grant insert (id, effect, version, environments, definition, passed, cells) on countersign.release to acting;

-- Which decisions followed an entry: intake's pick, an edit, what undoes an operation. Most decisions follow none and stand not in it.
create index entry_cause on countersign.entry (tenant, cause) where kind in ('decided', 'stopped') and cause is not null;

-- Grouped reads and writes of the acting half. They run with the caller's own grants and row policies, in a transaction that has named
-- its tenant. As functions their plans are kept, one each: row by row by an index (see 0005 for the settings).

-- What there is to do at an instant, for each of the transaction's tenants that has something: one look for all of them, asked all the
-- time, so its plan is kept (see 0005 for the settings). Of a place that this server has not reached (see ledger/settled-place.ts) the
-- answer is yes: whoever then looks says what is wrong. `busy` are tenants that are known to have signed effects: nobody looks for theirs,
-- since the first that is open stands behind the index rows of all that were just answered.
create function countersign.work_at(at timestamptz, busy text[])
returns table (tenant text, slices boolean, findings boolean, due boolean, autos boolean, effects boolean)
language plpgsql stable
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query select work.* from countersign.tenant, lateral (select tenant.id,
    exists (select from countersign.approval where approval.tenant = tenant.id and state = 'granted' and decision_id is null),
    exists (select from countersign.resolution where resolution.tenant = tenant.id and not done),
    exists (select from countersign.operation where operation.tenant = tenant.id and due_at <= at and lease_until <= at
      and state in ('applying', 'applied', 'incomplete', 'unknown', 'retrying', 'compensating')),
    exists (select from countersign.progress where progress.tenant = tenant.id and reader = 'admit'
        and xid >= pg_snapshot_xmax(pg_current_snapshot()))
      or exists (select from countersign.entry where entry.tenant = tenant.id and kind = 'decided' and route = 'auto' and effects > 0
        and (entry.xid, entry.n) > (
          select coalesce(max(progress.xid), '0'::xid8), coalesce(max(progress.n), 0) from countersign.progress
          where progress.tenant = tenant.id and reader = 'admit')),
    tenant.id = any (busy)
      or exists (select from countersign.approval where approval.tenant = tenant.id and state = 'granted' and decision_id is not null)
  ) as work (tenant, slices, findings, due, autos, effects)
  where tenant.id = any (string_to_array(current_setting('countersign.tenants', true), ','))
    and (work.slices or work.findings or work.due or work.autos or work.effects)
  order by tenant.id;
end
$$;

-- Locks open approvals without waiting; left out are those that were answered and those that another worker is at.
create function countersign.hold_approvals(of_tenant text, ids uuid[]) returns setof countersign.approval
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query select * from countersign.approval where tenant = of_tenant and id = any (ids) and state = 'granted'
    order by created_at, id for update skip locked;
end
$$;

-- Locks the next open approvals of effects after a place in the order of their making, but for those of some decisions. Of a page that was
-- read first, other workers would have locked most by then. What is left out is hashed, so that much of it costs no more than it is.
create function countersign.hold_next_approvals(of_tenant text, after_at timestamptz, after_id uuid, but_of uuid[], at_most integer)
returns setof countersign.approval
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set plan_cache_mode = force_generic_plan
as $$
begin
  return query select * from countersign.approval where tenant = of_tenant and state = 'granted' and decision_id is not null
    and (created_at, id) > (after_at, after_id) and decision_id not in (select unnest(but_of))
    order by created_at, id limit at_most for update skip locked;
end
$$;

-- What the store holds of decisions for whoever acts on them: all entries, and of the payloads those that hold a proposal.
create function countersign.entries_of(of_tenant text, decision_ids uuid[])
returns table (decision_id uuid, id uuid, kind text, ts bigint, writer text, cause uuid, capability text, route text, effects smallint,
  body text, payload bytea, has_payload boolean)
language plpgsql stable
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    select found.decision_id, found.id, found.kind, found.ts, found.writer, found.cause, found.capability, found.route, found.effects,
      found.body, found.payload, found.has_payload
    from (
      select entry.*, payload.body as payload, payload.entry_id is not null as has_payload
      from countersign.entry left join countersign.payload on payload.tenant = of_tenant and payload.entry_id = entry.id
      where entry.tenant = of_tenant and entry.decision_id = any (decision_ids) and entry.kind in ('decided', 'stopped')
      union all
      select entry.*, null, false from countersign.entry
      where tenant = of_tenant and decision_id = any (decision_ids) and kind not in ('decided', 'stopped')
    ) found order by found.xid, found.n;
end
$$;

create function countersign.approvals_of(of_tenant text, decision_ids uuid[]) returns setof countersign.approval
language plpgsql stable
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query select * from countersign.approval
    where tenant = of_tenant and decision_id = any (decision_ids) order by created_at;
end
$$;

create function countersign.operations_of(of_tenant text, decision_ids uuid[]) returns setof countersign.operation
language plpgsql stable
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query select * from countersign.operation
    where tenant = of_tenant and decision_id = any (decision_ids) order by effect_index, created_at;
end
$$;

-- Begins operations in the state `applying` with their first send counted, but for those whose business key is taken, and returns those
-- that it did with their generations: one above the last that freed the key. Waits for rivals that have not committed yet; keys are taken
-- in one order everywhere, so that no two workers wait for each other. `is_stale`: a rival began and freed the key between the look at
-- its generations and the insert, so two operations would have one idempotency key.
create function countersign.begin_operations(of_tenant text, made_list json)
returns table (id uuid, generation integer, is_stale boolean)
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  begun uuid[];
begin
  with made as (
    insert into countersign.operation (tenant, id, effect, key, generation, params_digest, decision_id, effect_index, approval_id,
      second_approval_id, state, fence, lease_until, due_at, deadline_at, last_send_at, attempts, last_entry_id)
    select of_tenant, asked.id, asked.effect, asked.key, 1 + coalesce((select max(freed.generation) from countersign.operation freed
        where freed.tenant = of_tenant and freed.effect = asked.effect and freed.key = asked.key
          and freed.state in ('refused', 'compensated')), 0),
      asked."paramsDigest", asked."decisionId", asked."effectIndex", asked."approvalId", asked."secondApprovalId", 'applying', 1,
      to_timestamp(asked."leaseUntil" / 1000.0), to_timestamp(asked."leaseUntil" / 1000.0), to_timestamp(asked."deadlineAt" / 1000.0),
      to_timestamp(asked."lastSendAt" / 1000.0), 1, asked."lastEntryId"
    from json_to_recordset(made_list) as asked (id uuid, effect text, key text, "paramsDigest" text,
      "decisionId" uuid, "effectIndex" smallint, "approvalId" uuid, "secondApprovalId" uuid, "leaseUntil" double precision,
      "deadlineAt" double precision, "lastSendAt" double precision, "lastEntryId" uuid)
    order by asked.effect, asked.key
    on conflict (tenant, effect, key) where state not in ('refused', 'compensated') do nothing
    returning id
  ) select array_agg(made.id) into begun from made;
  return query
    select ours.id, ours.generation, exists (select from countersign.operation freed where freed.tenant = of_tenant
      and freed.effect = ours.effect and freed.key = ours.key and freed.state in ('refused', 'compensated')
      and freed.generation >= ours.generation)
    from countersign.operation ours where ours.tenant = of_tenant and ours.id = any (begun);
end
$$;

-- Moves operations on, each only under its fence, and returns the ids of those that moved. Another worker has the others. The rows are
-- found by an array, and what they move to is joined by hash: a nested loop would go through the group for each, or through the table.
create function countersign.move_operations(of_tenant text, ids uuid[], moves json) returns setof uuid
language plpgsql
set enable_nestloop = off set enable_mergejoin = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
    update countersign.operation
    set state = move.state, lease_until = to_timestamp(move."leaseUntil" / 1000.0), due_at = to_timestamp(move."dueAt" / 1000.0),
      last_entry_id = coalesce(move."lastEntryId", last_entry_id), attempts = coalesce(move.attempts, operation.attempts),
      last_send_at = coalesce(to_timestamp(move."lastSendAt" / 1000.0), last_send_at),
      deadline_at = coalesce(to_timestamp(move."deadlineAt" / 1000.0), deadline_at)
    from json_to_recordset(moves) as move (id uuid, fence bigint, state text, "leaseUntil" double precision,
      "dueAt" double precision, "lastEntryId" uuid, attempts integer, "lastSendAt" double precision, "deadlineAt" double precision)
    where operation.tenant = of_tenant and operation.id = any (ids) and operation.id = move.id and operation.fence = move.fence
    returning operation.id;
end
$$;

-- Ends open approvals.
create function countersign.close_approvals(of_tenant text, ids uuid[], as_state text) returns void
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  update countersign.approval set state = as_state where tenant = of_tenant and id = any (ids) and state = 'granted';
end
$$;

revoke execute on function countersign.work_at, countersign.hold_approvals, countersign.hold_next_approvals, countersign.entries_of, countersign.approvals_of,
  countersign.operations_of, countersign.begin_operations, countersign.move_operations, countersign.close_approvals from public;
grant execute on function countersign.work_at, countersign.hold_approvals, countersign.hold_next_approvals, countersign.entries_of, countersign.approvals_of,
  countersign.operations_of, countersign.begin_operations, countersign.move_operations, countersign.close_approvals to acting;
