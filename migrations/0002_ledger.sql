-- The book: intents, entries, payloads, seals, spend, slices.

-- A decision that has begun. Ended by its entry; one whose decider died is ended by the sweeper.
-- Its tenant, and through it that of every entry, is checked by `open_decisions`, once a group: a foreign key would lock the tenant's
-- row with each transaction, and all of a tenant's writers meet there.
create table countersign.intent (
  tenant text not null,
  decision_id uuid not null,
  entry_id uuid not null,
  capability text not null,
  principal text not null,
  idempotency_key text,
  request_digest bytea not null,
  cause uuid,
  lease_until timestamptz not null,
  ended boolean not null default false,
  writer text not null default current_user,
  -- What its run took of shared budgets: allotments of its process, and an amount of each. Null where none is for it.
  allotments uuid[],
  reserved bigint[] check (cardinality(reserved) = cardinality(allotments)),
  primary key (tenant, decision_id)
);
create unique index intent_idempotency on countersign.intent (tenant, principal, idempotency_key) where idempotency_key is not null;
-- Holds open decisions only, so that the sweeper never walks through history. Ending an intent costs one more index row for it.
create index intent_open on countersign.intent (tenant, lease_until) where not ended;
-- What one person asked for, newest first: decision ids grow with time.
create index intent_asked on countersign.intent (tenant, principal, decision_id desc);

create table countersign.entry (
  tenant text not null,
  id uuid not null,
  -- (xid, n) below the snapshot's xmin is a settled order: nothing can appear in it later. The sealer reads in it.
  xid xid8 not null default pg_current_xact_id(),
  n bigint not null generated always as identity,
  kind text not null check (kind in ('decided', 'stopped', 'approved', 'rejected', 'refused', 'withdrawn', 'expired', 'resolved',
    'applying', 'applied', 'observed', 'compensated', 'escalated', 'corrected', 'erased', 'restored')),
  decision_id uuid,
  cause uuid,
  capability text,
  route text check (route in ('auto', 'hitl_recommended', 'hitl_required', 'reject')),
  effects smallint not null default 0,
  -- Milliseconds since the epoch, within what a date can hold.
  ts bigint not null check (ts between 0 and 8640000000000000),
  -- `writer`, `xid` and `n` are in no insert grant: what they say is the database's word. (A check against current_user would
  -- refuse the rows of a backup when it is restored; grants and policies do not.)
  writer text not null default current_user,
  -- Canonical JSON (RFC 8785), kept as text because jsonb would reorder it; `hash` is SHA-256 over its bytes.
  body text not null,
  -- A role that could insert another hash could make the ledger fail its check for ever.
  hash bytea not null constraint entry_hash_is_of_its_body check (hash = sha256(convert_to(body, 'UTF8'))),
  primary key (tenant, id)
);
-- Law 4: exactly one of these two kinds for each decision.
create unique index entry_outcome on countersign.entry (tenant, decision_id) where kind in ('decided', 'stopped');
create index entry_follows on countersign.entry (tenant, decision_id) where kind not in ('decided', 'stopped');
create index entry_order on countersign.entry (tenant, xid, n);
create index entry_auto on countersign.entry (tenant, xid, n) where kind = 'decided' and route = 'auto' and effects > 0;

-- Decisions that wait for a person, so that a list of them never walks through history; ids grow with time, so their order is the
-- order of asking. A row comes with the decision's entry, goes with its answer, and comes again where the approval expired unused. The entries are what counts: a row whose
-- decision was answered is not listed.
create table countersign.waiting (
  tenant text not null,
  decision_id uuid not null,
  primary key (tenant, decision_id)
);

-- Bodies and salts of one entry, encrypted with the tenant's key (AES-256-GCM). Erasable; the ledger stays valid.
create table countersign.payload (
  tenant text not null,
  entry_id uuid not null,
  body bytea,
  erased_at timestamptz,
  primary key (tenant, entry_id),
  check ((body is null) = (erased_at is not null))
) with (toast_tuple_target = 8160);
alter table countersign.payload alter column body set storage external;

-- The hash chain of a tenant. seal_hash = SHA-256 over tenant, seq, entry_id, prev_hash, entry_hash (see ledger/seal.ts).
create table countersign.seal (
  tenant text not null,
  seq bigint not null check (seq > 0),
  entry_id uuid not null,
  prev_hash bytea not null,
  entry_hash bytea not null,
  sealed_at timestamptz not null default clock_timestamp(),
  writer text not null default current_user,
  primary key (tenant, seq),
  unique (tenant, entry_id)
);

create table countersign.spend (
  tenant text not null,
  decision_id uuid not null,
  position smallint not null,
  purpose text not null,
  model text not null,
  outcome text not null,
  input_tokens integer not null,
  cached_tokens integer not null,
  cache_write_tokens integer not null,
  output_tokens integer not null,
  reasoning_tokens integer not null,
  -- The provider did not say; the counts are rather too high than too low.
  assumed boolean not null,
  cost_micros bigint not null,
  ts bigint not null,
  -- How the reply ended, or why none came.
  reason text not null,
  -- The version of the prices; empty where nothing was counted.
  prices text not null,
  -- The room that was taken before it was sent: its worst case.
  held_tokens integer not null,
  held_micros bigint not null,
  primary key (tenant, decision_id, position)
);

-- The threshold of a slice. Only the acting role writes it, on a signed approval; it starts above every confidence.
create table countersign.slice (
  tenant text not null references countersign.tenant (id),
  capability text not null,
  capability_version text not null,
  slice text not null,
  threshold_ppm integer not null check (threshold_ppm between 0 and 1000001),
  -- When its approval was signed, by the store's clock (ms). Approvals are taken in any order; the one that was signed last stands.
  granted_at bigint not null,
  approval_id uuid not null,
  entry_id uuid not null,
  set_at timestamptz not null default clock_timestamp(),
  primary key (tenant, capability, capability_version, slice)
);

create trigger entry_is_final before update or delete on countersign.entry for each row execute function countersign.refuse_change();
create trigger entry_is_kept before truncate on countersign.entry for each statement execute function countersign.refuse_change();
create trigger seal_is_final before update or delete on countersign.seal for each row execute function countersign.refuse_change();
create trigger seal_is_kept before truncate on countersign.seal for each statement execute function countersign.refuse_change();
create trigger payload_is_kept before delete on countersign.payload for each row execute function countersign.refuse_change();
create trigger payload_stays before truncate on countersign.payload for each statement execute function countersign.refuse_change();
create trigger spend_is_final before update or delete on countersign.spend for each row execute function countersign.refuse_change();
create trigger spend_is_kept before truncate on countersign.spend for each statement execute function countersign.refuse_change();

-- Who wrote an entry, by its primary key. It looks past the row policies, and is asked for one row of a payload at a time: as a subquery of
-- the policy it was planned over the tenant's whole ledger, and grew with it.
-- Every name and operator is qualified, since `set search_path` would cost more than the look-up itself.
create function countersign.writer_of(entry_tenant text, entry_id uuid) returns text
language plpgsql stable security definer
as $$
begin
  return (select entry.writer from countersign.entry
    where entry.id operator(pg_catalog.=) entry_id and entry.tenant operator(pg_catalog.=) entry_tenant);
end
$$;
revoke execute on function countersign.writer_of from public;
grant execute on function countersign.writer_of to deciding, desk, acting;

alter table countersign.intent enable row level security;
alter table countersign.entry enable row level security;
alter table countersign.waiting enable row level security;
alter table countersign.payload enable row level security;
alter table countersign.seal enable row level security;
alter table countersign.spend enable row level security;
alter table countersign.slice enable row level security;

create policy intent_seen on countersign.intent for select using (countersign.in_tenants(tenant));
create policy intent_begun on countersign.intent for insert to deciding with check (countersign.in_tenants(tenant));
create policy intent_ended on countersign.intent for update to deciding
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));

create policy entry_seen on countersign.entry for select using (countersign.in_tenants(tenant));
create policy entry_by_deciding on countersign.entry for insert to deciding
  with check (countersign.in_tenants(tenant) and kind in ('decided', 'stopped'));
create policy entry_by_desk on countersign.entry for insert to desk
  with check (countersign.in_tenants(tenant) and kind in ('approved', 'rejected', 'refused', 'withdrawn', 'resolved', 'corrected'));
create policy entry_by_acting on countersign.entry for insert to acting
  with check (countersign.in_tenants(tenant) and kind in ('approved', 'refused', 'applying', 'applied', 'observed', 'expired',
    'compensated', 'escalated', 'erased'));

create policy waiting_seen on countersign.waiting for select using (countersign.in_tenants(tenant));
create policy waiting_begun on countersign.waiting for insert to deciding with check (countersign.in_tenants(tenant));
create policy waiting_ended on countersign.waiting for delete to desk, acting using (countersign.in_tenants(tenant));

create policy payload_seen on countersign.payload for select using (countersign.in_tenants(tenant));
-- A body belongs to whoever wrote the entry.
create policy payload_kept on countersign.payload for insert
  with check (countersign.in_tenants(tenant) and countersign.writer_of(tenant, entry_id) = current_user);
create policy payload_erased on countersign.payload for update to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant) and body is null);

create policy seal_seen on countersign.seal for select using (countersign.in_tenants(tenant));
create policy seal_set on countersign.seal for insert to acting with check (countersign.in_tenants(tenant));

create policy spend_seen on countersign.spend for select using (countersign.in_tenants(tenant));
create policy spend_kept on countersign.spend for insert to deciding with check (countersign.in_tenants(tenant));
create policy slice_seen on countersign.slice for select using (countersign.in_tenants(tenant));
create policy slice_opened on countersign.slice for insert to acting with check (countersign.in_tenants(tenant));
create policy slice_moved on countersign.slice for update to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));

grant select on countersign.intent, countersign.spend to deciding, desk;
grant select on countersign.entry, countersign.payload, countersign.seal, countersign.slice to deciding, desk, acting;
grant insert (tenant, decision_id, entry_id, capability, principal, idempotency_key, request_digest, cause, lease_until, allotments, reserved)
  on countersign.intent to deciding;
grant update (lease_until, ended) on countersign.intent to deciding;
grant insert (tenant, id, kind, decision_id, cause, capability, route, effects, ts, body, hash)
  on countersign.entry to deciding, desk, acting;
grant insert (tenant, entry_id, body) on countersign.payload to deciding, desk, acting;
grant update (body, erased_at) on countersign.payload to acting;
grant insert on countersign.spend, countersign.waiting to deciding;
grant select, delete on countersign.waiting to desk, acting;
-- An approval that expired unused lets its decision wait again.
grant insert on countersign.waiting to acting;
grant insert (tenant, seq, entry_id, prev_hash, entry_hash) on countersign.seal to acting;
grant insert on countersign.slice to acting;
grant update (threshold_ppm, granted_at, approval_id, entry_id, set_at) on countersign.slice to acting;

-- Writes entries with their payloads in the caller's transaction, by the caller's own grants and row policies, in the order given. The
-- form of the columns and the settings are those of 0005.
create function countersign.write_entries(
  tenant_list text, entry_list text, kind_list text, decision_list text, cause_list text, capability_list text, route_list text,
  effects_list text, ts_list text, bodies text, hashes bytea, payload_starts text, payload_lengths text, payloads bytea
) returns void
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into countersign.entry (tenant, id, kind, decision_id, cause, capability, route, effects, ts, body, hash)
  select made.tenant, made.id::uuid, made.kind, nullif(made.decision_id, '')::uuid, nullif(made.cause, '')::uuid,
    nullif(made.capability, ''), nullif(made.route, ''), made.effects::smallint, made.ts::bigint, made.body,
    substring(hashes from made.place::integer * 32 - 31 for 32)
  from rows from (string_to_table(tenant_list, E'\n'), string_to_table(entry_list, E'\n'), string_to_table(kind_list, E'\n'),
    string_to_table(decision_list, E'\n'), string_to_table(cause_list, E'\n'), string_to_table(capability_list, E'\n'),
    string_to_table(route_list, E'\n'), string_to_table(effects_list, E'\n'), string_to_table(ts_list, E'\n'),
    string_to_table(bodies, E'\n'))
    with ordinality as made (tenant, id, kind, decision_id, cause, capability, route, effects, ts, body, place);
  if length(payloads) > 0 then
    insert into countersign.payload (tenant, entry_id, body)
    select made.tenant, made.id::uuid, substring(payloads from made.start::integer for made.length::integer)
    from rows from (string_to_table(tenant_list, E'\n'), string_to_table(entry_list, E'\n'), string_to_table(payload_starts, E'\n'),
      string_to_table(payload_lengths, E'\n')) as made (tenant, id, start, length)
    where made.length <> '0';
  end if;
end
$$;
revoke execute on function countersign.write_entries from public;
grant execute on function countersign.write_entries to deciding, desk, acting;
