-- What the trials of a share came to is counted as they are recorded: each one asked all before it while it held the migration's row.
-- The counts are those since the stage, or the share, was last changed; of another `stage_at` they begin anew.
alter table countersign.model_migration
  add column counted_from timestamptz,
  add column share_trials integer not null default 0 check (share_trials >= 0),
  add column share_broken integer not null default 0 check (share_broken between 0 and share_trials),
  add column share_failed integer not null default 0 check (share_failed between 0 and share_trials),
  add column share_disagreed integer not null default 0 check (share_disagreed between 0 and share_trials);

update countersign.model_migration m
  set counted_from = m.stage_at, share_trials = seen.trials, share_broken = seen.broken, share_failed = seen.failed, share_disagreed = seen.disagreed
  from (
    select t.tenant, t.migration, count(*) as trials, count(*) filter (where breaks > 0) as broken,
      count(*) filter (where new_failed and not old_failed) as failed,
      count(*) filter (where not agrees and not new_failed and not old_failed) as disagreed
    from countersign.model_trial t join countersign.model_migration of on of.tenant = t.tenant and of.id = t.migration
    where t.stage = 'canary_share' and t.at >= of.stage_at
    group by t.tenant, t.migration
  ) seen
  where m.tenant = seen.tenant and m.id = seen.migration and m.stage = 'canary_share';

-- Records one trial, and in the same transaction rolls a canary back where a bound is broken: a contract that breaks by itself, failures and
-- disagreements once there are enough trials. Returns the stage in which the migration is then; null where there is no such trial to record.
create or replace function countersign.record_model_trial(
  of_tenant text, of_migration uuid, of_decision uuid, of_stage text, of_differences text, of_breaks integer, of_old_failed boolean,
  of_new_failed boolean, of_agrees boolean, of_prose integer, of_old text, of_new text
) returns text
language plpgsql security definer set search_path = pg_catalog
as $$
declare
  one countersign.model_migration;
  bounds jsonb;
  is_counted boolean;
  why text;
begin
  perform set_config('countersign.tenants', of_tenant, true);
  select * into one from countersign.model_migration where tenant = of_tenant and id = of_migration for update;
  if one.id is null then
    return null;
  end if;
  insert into countersign.model_trial (tenant, migration, decision_id, stage, differences, breaks, old_failed, new_failed, agrees, prose_ppm,
      old_figures, new_figures)
    values (of_tenant, of_migration, of_decision, of_stage, of_differences, of_breaks, of_old_failed, of_new_failed, of_agrees, of_prose, of_old, of_new)
    on conflict do nothing;
  -- Found: it was not recorded before.
  is_counted := found and of_stage = 'canary_share' and one.stage = 'canary_share';
  if not is_counted then
    return one.stage;
  end if;
  if one.counted_from is distinct from one.stage_at then
    one.share_trials := 0;
    one.share_broken := 0;
    one.share_failed := 0;
    one.share_disagreed := 0;
  end if;
  one.share_trials := one.share_trials + 1;
  one.share_broken := one.share_broken + (of_breaks > 0)::integer;
  one.share_failed := one.share_failed + (of_new_failed and not of_old_failed)::integer;
  one.share_disagreed := one.share_disagreed + (not of_agrees and not of_new_failed and not of_old_failed)::integer;
  bounds := one.bounds::jsonb;
  why := case when one.share_broken > 0 then 'contract'
    when one.share_trials < (bounds ->> 'leastTrials')::integer then null
    when one.share_failed * 1000000::bigint > (bounds ->> 'mostFailedPpm')::bigint * one.share_trials then 'failures'
    when one.share_disagreed * 1000000::bigint > (bounds ->> 'mostDisagreePpm')::bigint * one.share_trials then 'disagreement' end;
  update countersign.model_migration
    set counted_from = one.stage_at, share_trials = one.share_trials, share_broken = one.share_broken, share_failed = one.share_failed,
      share_disagreed = one.share_disagreed, stage = case when why is null then one.stage else 'rolled_back' end, rolled_back_by = why,
      stage_at = case when why is null then one.stage_at else clock_timestamp() end
    where tenant = of_tenant and id = of_migration;
  return case when why is null then one.stage else 'rolled_back' end;
end
$$;
