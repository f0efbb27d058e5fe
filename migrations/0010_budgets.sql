-- Budgets that many runs share. A process draws allotments from a budget and counts against them in memory, so that no row is touched for
-- each call: what is in use and what is drawn together never pass the cap, and what a dead process had drawn comes back by what the
-- ledger says was spent.

create table countersign.budget (
  tenant text not null references countersign.tenant (id),
  id text not null check (id ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  scope text not null check (scope in ('tenant', 'capability', 'principal', 'case')),
  name text not null check ((scope = 'tenant') = (name = '')),
  unit text not null check (unit in ('micros', 'tokens', 'turns')),
  period text not null check (period in ('day', 'month', 'ever')),
  cap bigint not null check (cap between 0 and 9007199254740991),
  set_at timestamptz not null default clock_timestamp(),
  -- Kept with what was used of it, so that setting it again does not begin the period anew.
  removed_at timestamptz,
  primary key (tenant, id)
);

-- What of a budget is used and drawn in one period, for one subject: the tenant itself, a capability or principal by name, a case by id.
create table countersign.budget_use (
  tenant text not null,
  budget text not null,
  subject text not null,
  period date not null,
  used bigint not null default 0 check (used >= 0),
  drawn bigint not null default 0 check (drawn >= 0),
  primary key (tenant, budget, subject, period),
  foreign key (tenant, budget) references countersign.budget (tenant, id)
);

-- What one process has drawn. Open ones have a lease; one whose lease is over is closing until no transaction is left that could have
-- seen it open, and closed once all decisions on it have ended.
create table countersign.allotment (
  id uuid primary key,
  tenant text not null,
  budget text not null,
  subject text not null,
  period date not null,
  amount bigint not null check (amount >= 0),
  used bigint not null default 0 check (used between 0 and amount),
  state text not null default 'open' check (state in ('open', 'closing', 'closed')),
  lease_until timestamptz not null,
  closing_xid xid8,
  opened_at timestamptz not null default clock_timestamp(),
  foreign key (tenant, budget, subject, period) references countersign.budget_use (tenant, budget, subject, period)
);
create index allotment_alive on countersign.allotment (tenant, lease_until) where state <> 'closed';
create index allotment_of_use on countersign.allotment (tenant, budget, subject, period);

alter table countersign.budget enable row level security;
alter table countersign.budget_use enable row level security;
alter table countersign.allotment enable row level security;
create policy budget_seen on countersign.budget for select using (countersign.in_tenants(tenant));
create policy budget_use_seen on countersign.budget_use for select using (countersign.in_tenants(tenant));
create policy allotment_seen on countersign.allotment for select using (countersign.in_tenants(tenant));
grant select on countersign.budget, countersign.budget_use to deciding, desk;
grant select on countersign.allotment to deciding;

-- Draws an allotment of `wanted`, or adds to one that is there, less where less is left but never below `least`. Where it is refused, `granted` is null and `elsewhere`
-- says how much of the budget is drawn and not used, here or by others, and may come back.
create function countersign.draw_allotment(
  of_tenant text, of_budget text, of_subject text, of_period date, of_id uuid, is_growth boolean, least_amount bigint, wanted bigint,
  lease_ms integer
) returns table (granted bigint, elsewhere bigint, remaining bigint)
language plpgsql
as $$
#variable_conflict use_column
declare
  left_over bigint;
  drawn_now bigint;
  given bigint;
begin
  perform set_config('countersign.tenants', of_tenant, true);
  insert into countersign.budget_use (tenant, budget, subject, period) values (of_tenant, of_budget, of_subject, of_period)
    on conflict do nothing;
  select b.cap - u.used - u.drawn, u.drawn into left_over, drawn_now
    from countersign.budget_use u join countersign.budget b on b.tenant = u.tenant and b.id = u.budget
    where u.tenant = of_tenant and u.budget = of_budget and u.subject = of_subject and u.period = of_period for update of u;
  if left_over is null or left_over < least_amount then
    return query select null::bigint, coalesce(drawn_now, 0), coalesce(left_over, 0);
    return;
  end if;
  -- An eighth of what is left at most, so that the last of a budget is not held by the first who asks.
  given := greatest(least_amount, least(wanted, left_over / 8));
  update countersign.budget_use set drawn = drawn + given
    where tenant = of_tenant and budget = of_budget and subject = of_subject and period = of_period;
  if is_growth then
    update countersign.allotment a set amount = a.amount + given where a.id = of_id and a.tenant = of_tenant and a.state = 'open';
    if not found then
      raise exception 'an allotment of a budget was taken back' using errcode = 'CS005';
    end if;
  else
    insert into countersign.allotment (id, tenant, budget, subject, period, amount, lease_until)
      values (of_id, of_tenant, of_budget, of_subject, of_period, given, clock_timestamp() + make_interval(secs => lease_ms / 1000.0));
  end if;
  return query select given, drawn_now, left_over - given;
end
$$;

-- Counts what of an allotment was used by now, and gives back what is not kept; closes it where nothing is. Says whether it was open.
create function countersign.count_allotment(of_tenant text, of_id uuid, used_now bigint, kept bigint, is_end boolean) returns boolean
language plpgsql
as $$
declare
  before countersign.allotment;
begin
  perform set_config('countersign.tenants', of_tenant, true);
  -- The budget's row before the allotment's, as everywhere.
  perform from countersign.budget_use u join countersign.allotment a on a.tenant = u.tenant and a.budget = u.budget
      and a.subject = u.subject and a.period = u.period
    where a.id = of_id and a.tenant = of_tenant for update of u;
  select * into before from countersign.allotment where id = of_id and tenant = of_tenant and state = 'open' for update;
  if before.id is null then
    return false;
  end if;
  perform countersign.put_count(before, used_now, kept, is_end);
  return true;
end
$$;

create function countersign.put_count(before countersign.allotment, used_now bigint, kept bigint, is_end boolean) returns void
language plpgsql
as $$
begin
  update countersign.budget_use u
    set used = u.used + used_now - before.used, drawn = u.drawn - (before.amount - before.used) + kept
    where u.tenant = before.tenant and u.budget = before.budget and u.subject = before.subject and u.period = before.period;
  update countersign.allotment
    set amount = used_now + kept, used = used_now, state = case when is_end then 'closed' else before.state end
    where id = before.id;
end
$$;

-- Keeps the allotments of a living process; returns those that are still its own.
create function countersign.renew_allotments(of_tenant text, ids uuid[], lease_ms integer) returns setof uuid
language plpgsql
as $$
begin
  perform set_config('countersign.tenants', of_tenant, true);
  return query update countersign.allotment set lease_until = clock_timestamp() + make_interval(secs => lease_ms / 1000.0)
    where tenant = of_tenant and id = any (ids) and state = 'open' returning id;
end
$$;

-- Takes back what dead processes had drawn, in three steps of a transaction each, so that nothing is held while much is read.
--
-- First an allotment whose lease is over is `closing`: nothing begins on it any more. In a later transaction it is stamped with that
-- transaction's number. Every transaction that saw it open has its own number from before the mark (see `open_decisions`), so once all numbers
-- below the stamp are over, no decision can appear on it any more.
create function countersign.mark_allotments(of_tenant text) returns setof uuid
language plpgsql
as $$
begin
  perform set_config('countersign.tenants', of_tenant, true);
  update countersign.allotment set closing_xid = pg_current_xact_id()
    where tenant = of_tenant and state = 'closing' and closing_xid is null;
  update countersign.allotment set state = 'closing'
    where tenant = of_tenant and state = 'open' and lease_until < clock_timestamp();
  return query select a.id from countersign.allotment a
    where a.tenant = of_tenant and a.state = 'closing' and a.closing_xid < pg_snapshot_xmin(pg_current_snapshot()) order by a.id;
end
$$;

-- Closes one: only when every decision on it has ended. Then the ledger says what it was used for: a decision that ended by itself what its
-- calls took, one whose process died what was reserved for it. Says whether it was closed here.
create function countersign.take_back_allotment(of_tenant text, of_id uuid) returns boolean
language plpgsql
as $$
declare
  one countersign.allotment;
  used_now bigint;
begin
  perform set_config('countersign.tenants', of_tenant, true);
  -- Open decisions are few and stand in an index of their own.
  if exists (select from countersign.intent i where i.tenant = of_tenant and not i.ended and of_id = any (i.allotments)) then
    return false;
  end if;
  select * into one from countersign.allotment where id = of_id and tenant = of_tenant;
  -- Ids of decisions grow with time: none on this allotment is older than the allotment, but for clocks that differ.
  select coalesce(sum(countersign.used_of(i, one.id, b.unit)), 0) into used_now
    from countersign.intent i join countersign.budget b on b.tenant = one.tenant and b.id = one.budget
    where i.tenant = of_tenant and i.decision_id >= countersign.first_id_at(one.opened_at - interval '10 minutes')
      and one.id = any (i.allotments);
  -- What is final is only counted once: whoever is second finds it closed. Rows are locked in the order of every other function here.
  perform from countersign.budget_use u
    where u.tenant = one.tenant and u.budget = one.budget and u.subject = one.subject and u.period = one.period for update;
  select * into one from countersign.allotment where id = of_id and tenant = of_tenant and state = 'closing' for update;
  if one.id is null then
    return false;
  end if;
  perform countersign.put_count(one, used_now, 0, true);
  return true;
end
$$;

-- Closed allotments of periods that are long over say nothing that the ledger does not.
create function countersign.prune_allotments(of_tenant text) returns void
language plpgsql
as $$
begin
  perform set_config('countersign.tenants', of_tenant, true);
  delete from countersign.allotment where tenant = of_tenant and state = 'closed' and opened_at < clock_timestamp() - interval '1 day';
end
$$;

-- The least id of UUID version 7 that can be made at a time.
create function countersign.first_id_at(at timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- What one decision took of a budget's unit: what its calls say, or all that was reserved where nobody could say.
create function countersign.used_of(i countersign.intent, of_allotment uuid, of_unit text) returns bigint
language sql stable as $$
  select case when exists (select from countersign.spend s where s.tenant = i.tenant and s.decision_id = i.decision_id and s.purpose = 'assumed')
    then i.reserved[array_position(i.allotments, of_allotment)]
    else (select coalesce(sum(case of_unit when 'micros' then s.cost_micros
          when 'turns' then case when s.outcome = 'refused' then 0 else 1 end
        else s.input_tokens::bigint + s.cached_tokens + s.cache_write_tokens + s.output_tokens + s.reasoning_tokens end), 0)
      from countersign.spend s where s.tenant = i.tenant and s.decision_id = i.decision_id) end
$$;

-- The deciding half counts through these functions alone: what bounds it is not its to write.
do $$
declare
  name text;
begin
  foreach name in array array[
    'draw_allotment(text, text, text, date, uuid, boolean, bigint, bigint, integer)', 'count_allotment(text, uuid, bigint, bigint, boolean)',
    'renew_allotments(text, uuid[], integer)', 'mark_allotments(text)', 'take_back_allotment(text, uuid)', 'prune_allotments(text)']
  loop
    execute format('alter function countersign.%s security definer set search_path = pg_catalog', name);
    execute format('revoke execute on function countersign.%s from public', name);
    execute format('grant execute on function countersign.%s to deciding', name);
  end loop;
end
$$;
revoke execute on function countersign.put_count, countersign.used_of, countersign.first_id_at from public;
