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
create index approval_open on countersign.approval (tenant, created_at) where state = 'granted';
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
-- looks the decision up.
create table countersign.notice (
  tenant text not null references countersign.tenant (id),
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
  if old.state <> 'granted' then
    raise exception 'approval % was answered before and is %', old.id, old.state using errcode = 'CS002';
  end if;
  return new;
end
$$;
-- A fence only grows, and an operation that was seen complete or that freed its key is not opened again.
create function countersign.keep_fence() returns trigger language plpgsql as $$
begin
  if new.fence < old.fence or old.state in ('complete', 'refused', 'compensated') then
    raise exception 'operation % is % under fence %', old.id, old.state, old.fence using errcode = 'CS003';
  end if;
  return new;
end
$$;

create trigger approval_answer_stands before update on countersign.approval for each row execute function countersign.keep_answer();
create trigger approval_is_kept before delete on countersign.approval for each row execute function countersign.refuse_change();
create trigger approval_stays before truncate on countersign.approval for each statement execute function countersign.refuse_change();
create trigger operation_fence_grows before update on countersign.operation for each row execute function countersign.keep_fence();
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
