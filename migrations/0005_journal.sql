-- Grouped writes of the journal: one call opens or closes many decisions in one commit. Both functions run with the caller's own
-- grants and row policies, and name the tenants of the group before they touch a row. Columns come joined by newline (canonical
-- JSON and ids hold none), hashes and payloads as one bytea each: on one connection this was the fastest form that was measured.
-- The planner settings leave one plan: each row of the group by the primary key. Without them a plan that was made while the tables
-- were small joins the group with all open decisions of a tenant, and stays when there are many.

-- Begins decisions. Returns no row when all of them are new; else, for each of the group, the intent that stands in its place.
create function countersign.open_decisions(
  tenants text, size integer, lease_ms integer, tenant_list text, decision_list text, entry_list text, capability_list text,
  principal_list text, key_list text, cause_list text, digests bytea, allotment_list text, reserved_list text
) returns table (place integer, found_id uuid, is_same_request boolean, is_ended boolean)
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  begun integer;
begin
  perform set_config('countersign.tenants', tenants, true);
  if exists (select from string_to_table(tenants, ',') as named (id)
    where not exists (select from countersign.tenant where tenant.id = named.id)) then
    raise foreign_key_violation using message = 'a decision was asked for a tenant that does not exist';
  end if;
  -- On an allotment that was taken back nothing begins any more: what is counted on it is final. Refused for the whole group, whose
  -- members are then tried one by one.
  if strpos(allotment_list, '{') > 0 then
    -- A number before the look: whoever closes an allotment waits for every transaction that has one and could have seen it open.
    perform pg_current_xact_id();
  end if;
  if strpos(allotment_list, '{') > 0 and exists (select from string_to_table(allotment_list, E'\n') as line (listed)
    cross join lateral unnest(nullif(line.listed, '')::uuid[]) as named (id)
    where not exists (select from countersign.allotment where allotment.id = named.id and allotment.state = 'open')) then
    raise exception 'an allotment of a budget was taken back' using errcode = 'CS005';
  end if;
  insert into countersign.intent (tenant, decision_id, entry_id, capability, principal, idempotency_key, request_digest, cause, lease_until,
    allotments, reserved)
  select asked.tenant, asked.decision_id::uuid, asked.entry_id::uuid, asked.capability, asked.principal, nullif(asked.key, ''),
    substring(digests from asked.place::integer * 32 - 31 for 32), nullif(asked.cause, '')::uuid,
    clock_timestamp() + make_interval(secs => lease_ms / 1000.0), nullif(asked.allotments, '')::uuid[], nullif(asked.reserved, '')::bigint[]
  from rows from (string_to_table(tenant_list, E'\n'), string_to_table(decision_list, E'\n'), string_to_table(entry_list, E'\n'),
    string_to_table(capability_list, E'\n'), string_to_table(principal_list, E'\n'), string_to_table(key_list, E'\n'),
    string_to_table(cause_list, E'\n'), string_to_table(allotment_list, E'\n'), string_to_table(reserved_list, E'\n'))
    with ordinality as asked (tenant, decision_id, entry_id, capability, principal, key, cause, allotments, reserved, place)
  on conflict do nothing;
  get diagnostics begun = row_count;
  if begun = size then
    return;
  end if;
  return query
    select asked.place::integer, found.decision_id,
      found.request_digest = substring(digests from asked.place::integer * 32 - 31 for 32), found.ended
    from rows from (string_to_table(tenant_list, E'\n'), string_to_table(decision_list, E'\n'),
      string_to_table(principal_list, E'\n'), string_to_table(key_list, E'\n'))
      with ordinality as asked (tenant, decision_id, principal, key, place)
    join lateral (
      select i.decision_id, i.request_digest, i.ended from countersign.intent i
      where i.tenant = asked.tenant and i.decision_id = asked.decision_id::uuid
      union all
      select i.decision_id, i.request_digest, i.ended from countersign.intent i
      where i.tenant = asked.tenant and i.principal = asked.principal and i.idempotency_key = nullif(asked.key, '')
      limit 1
    ) as found on true;
end
$$;

-- Ends decisions: each intent only if nothing ended it before, and only then its entry, payload and spend, and its place
-- among what waits for a person. Returns no row
-- when all of them were ended here; else, for each that was not, the entry that stands in its place (null where there is none).
create function countersign.close_decisions(
  tenants text, size integer, tenant_list text, decision_list text, entry_list text, kind_list text, cause_list text,
  capability_list text, route_list text, effects_list text, ts_list text, bodies text, hashes bytea,
  payloads bytea, payload_starts text, payload_lengths text, spends text
) returns table (place integer, entry_id uuid, entry_hash bytea)
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  asked uuid[] := string_to_array(decision_list, E'\n');
  won uuid[];
  is_all boolean;
begin
  perform set_config('countersign.tenants', tenants, true);
  -- Arrays instead of a join, and a condition that the index of open intents does not serve: what is left is the primary key.
  with ended as (
    update countersign.intent set ended = true
    where tenant = any (string_to_array(tenants, ',')) and decision_id = any (asked) and coalesce(ended, true) = false
    returning decision_id
  )
  select array_agg(ended.decision_id) into won from ended;
  is_all := coalesce(cardinality(won), 0) = size;

  insert into countersign.entry (tenant, id, kind, decision_id, cause, capability, route, effects, ts, body, hash)
  select record.tenant, record.id::uuid, record.kind, record.decision_id::uuid, nullif(record.cause, '')::uuid, record.capability,
    nullif(record.route, ''), record.effects::smallint, record.ts::bigint, record.body,
    substring(hashes from record.place::integer * 32 - 31 for 32)
  from rows from (string_to_table(tenant_list, E'\n'), string_to_table(entry_list, E'\n'), string_to_table(kind_list, E'\n'),
    string_to_table(decision_list, E'\n'), string_to_table(cause_list, E'\n'), string_to_table(capability_list, E'\n'),
    string_to_table(route_list, E'\n'), string_to_table(effects_list, E'\n'), string_to_table(ts_list, E'\n'),
    string_to_table(bodies, E'\n'))
    with ordinality as record (tenant, id, kind, decision_id, cause, capability, route, effects, ts, body, place)
  where is_all or record.decision_id::uuid = any (won);

  if strpos(route_list, 'hitl_') > 0 then
    insert into countersign.waiting (tenant, decision_id)
    select record.tenant, record.decision_id::uuid
    from rows from (string_to_table(tenant_list, E'\n'), string_to_table(kind_list, E'\n'), string_to_table(decision_list, E'\n'),
      string_to_table(route_list, E'\n'))
      as record (tenant, kind, decision_id, route)
    where record.route in ('hitl_recommended', 'hitl_required')
      and (is_all or record.decision_id::uuid = any (won));
  end if;

  insert into countersign.payload (tenant, entry_id, body)
  select record.tenant, record.id::uuid, substring(payloads from record.start::integer for record.length::integer)
  from rows from (string_to_table(tenant_list, E'\n'), string_to_table(entry_list, E'\n'), string_to_table(decision_list, E'\n'),
    string_to_table(payload_starts, E'\n'), string_to_table(payload_lengths, E'\n'))
    as record (tenant, id, decision_id, start, length)
  where record.length <> '0' and (is_all or record.decision_id::uuid = any (won));

  if spends <> '' then
    insert into countersign.spend
    select (made.spend).*
    from (select line::countersign.spend as spend from string_to_table(spends, E'\n') as line offset 0) as made
    where is_all or (made.spend).decision_id = any (won);
  end if;
  if is_all then
    return;
  end if;
  return query
    select record.place::integer, standing.id, standing.hash
    from rows from (string_to_table(tenant_list, E'\n'), string_to_table(decision_list, E'\n'))
      with ordinality as record (tenant, decision_id, place)
    left join lateral (
      select entry.id, entry.hash from countersign.entry
      where entry.tenant = record.tenant and entry.decision_id = record.decision_id::uuid and entry.kind in ('decided', 'stopped')
      limit 1
    ) as standing on true
    where won is null or record.decision_id::uuid <> all (won);
end
$$;

-- Gives open decisions of a living decider more time. One that was ended in the meantime stays ended.
create function countersign.renew_leases(tenants text, lease_ms integer, decision_list text) returns void
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set enable_seqscan = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  perform set_config('countersign.tenants', tenants, true);
  update countersign.intent set lease_until = clock_timestamp() + make_interval(secs => lease_ms / 1000.0)
  where tenant = any (string_to_array(tenants, ',')) and decision_id = any (string_to_array(decision_list, E'\n')::uuid[])
    and coalesce(ended, true) = false;
end
$$;

revoke execute on function countersign.open_decisions, countersign.close_decisions, countersign.renew_leases from public;
grant execute on function countersign.open_decisions, countersign.close_decisions, countersign.renew_leases to deciding;
