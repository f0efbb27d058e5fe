-- Models: how they stand with their providers, and the migration of a capability from one model to another.

-- How a model that a project names stands, as the deciding half last found it: its provider's own list, and the dates that are shipped. Of no tenant.
create table countersign.model_standing (
  model text not null primary key check (length(model) between 3 and 300),
  state text not null check (state in ('unknown', 'active', 'deprecated', 'retired')),
  -- The day on which it stops to answer, as its provider says; null where nobody says.
  shutdown_on date,
  -- Where that is said: an address of the provider's.
  source text check (length(source) <= 300),
  -- Within the window in which another model has to be tried, or beyond it: owners are told.
  is_due boolean not null,
  -- The owners that the definitions which name it have.
  owners text[] not null,
  checked_at timestamptz not null default clock_timestamp()
);
alter table countersign.model_standing enable row level security;
create policy model_standing_seen on countersign.model_standing for select using (true);
create policy model_standing_put on countersign.model_standing for insert to deciding with check (true);
create policy model_standing_changed on countersign.model_standing for update to deciding using (true) with check (true);
create policy model_standing_gone on countersign.model_standing for delete to deciding using (true);
grant select on countersign.model_standing to deciding, desk, acting;
grant insert, delete on countersign.model_standing to deciding;
grant update (state, shutdown_on, source, is_due, owners, checked_at) on countersign.model_standing to deciding;

-- The owner of a definition is told that a model which it names goes out of service: of no decision and no case.
alter table countersign.notice drop constraint notice_kind_check;
alter table countersign.notice add constraint notice_kind_check
  check (kind in ('waiting_review', 'expired', 'escalated', 'outcome', 'demoted', 'model_ending'));
alter table countersign.notice drop constraint notice_check;
alter table countersign.notice add constraint notice_check
  check (decision_id is not null or case_id is not null or kind in ('demoted', 'model_ending'));

-- A migration: one capability of one tenant, from one model to another. Only the owner's login moves its stage on; the deciding half can roll it
-- back, and that through a function.
create table countersign.model_migration (
  tenant text not null references countersign.tenant (id),
  id uuid not null,
  capability text not null check (capability ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  -- As they are booked, such as openai/gpt-4.1-2025-04-14.
  old_model text not null check (length(old_model) between 3 and 300),
  new_model text not null check (length(new_model) between 3 and 300 and new_model <> old_model),
  -- What is asked of the new model otherwise, as JSON: provider, id and perhaps effort, temperature, longest reply.
  choice text not null check (octet_length(choice) <= 2000),
  stage text not null default 'planned' check (stage in ('planned', 'shadow', 'canary_share', 'rolled_back', 'retired')),
  -- Of decisions: in shadow the part that is tried, in a canary the part that the new model decides.
  share_ppm integer not null default 0 check (share_ppm between 0 and 1000000),
  bounds text not null check (octet_length(bounds) <= 2000 and bounds is json object),
  -- The shapes of what the old model gave over the eval cases, as JSON; and the report of the run over them.
  usual text check (octet_length(usual) <= 262144),
  report text check (octet_length(report) <= 1048576),
  -- Who allowed that the new model decides, and why: signed, and verified by the deciding half before it does.
  signed text check (octet_length(signed) <= 4000),
  key_id text check (length(key_id) <= 100),
  signature text check (length(signature) <= 200),
  -- Why it was rolled back: a word of a closed list.
  rolled_back_by text check (rolled_back_by in ('contract', 'failures', 'disagreement', 'person')),
  made_at timestamptz not null default clock_timestamp(),
  stage_at timestamptz not null default clock_timestamp(),
  primary key (tenant, id),
  check ((stage = 'canary_share') <= (signature is not null)),
  check ((stage = 'rolled_back') = (rolled_back_by is not null))
);
-- Two migrations of one capability at once could not be told apart by what they do.
create unique index model_migration_alive on countersign.model_migration (tenant, capability)
  where stage in ('planned', 'shadow', 'canary_share');

-- What became of one decision under both models: breaks of contracts by path, figures, and nothing that was decided.
create table countersign.model_trial (
  tenant text not null,
  migration uuid not null,
  decision_id uuid not null,
  stage text not null check (stage in ('shadow', 'canary_share')),
  differences text not null check (octet_length(differences) <= 65536),
  breaks integer not null check (breaks >= 0),
  old_failed boolean not null,
  new_failed boolean not null,
  agrees boolean not null,
  prose_ppm integer not null check (prose_ppm between 0 and 1000000),
  old_figures text not null check (octet_length(old_figures) <= 2000),
  new_figures text not null check (octet_length(new_figures) <= 2000),
  at timestamptz not null default clock_timestamp(),
  primary key (tenant, migration, decision_id),
  foreign key (tenant, migration) references countersign.model_migration (tenant, id)
);
create trigger model_trial_is_final before update or delete on countersign.model_trial
  for each row execute function countersign.refuse_change();
create trigger model_trial_is_kept before truncate on countersign.model_trial
  for each statement execute function countersign.refuse_change();

alter table countersign.model_migration enable row level security;
alter table countersign.model_trial enable row level security;
create policy model_migration_seen on countersign.model_migration for select using (countersign.in_tenants(tenant));
create policy model_trial_seen on countersign.model_trial for select using (countersign.in_tenants(tenant));
grant select on countersign.model_migration, countersign.model_trial to deciding;

-- Records one trial, and in the same transaction rolls a canary back where a bound is broken: a contract that breaks by itself, failures and
-- disagreements once there are enough trials. Returns the stage in which the migration is then; null where there is no such trial to record.
create function countersign.record_model_trial(
  of_tenant text, of_migration uuid, of_decision uuid, of_stage text, of_differences text, of_breaks integer, of_old_failed boolean,
  of_new_failed boolean, of_agrees boolean, of_prose integer, of_old text, of_new text
) returns text
language plpgsql
as $$
declare
  one countersign.model_migration;
  bounds jsonb;
  seen record;
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
  if one.stage <> 'canary_share' then
    return one.stage;
  end if;
  select count(*) as trials, count(*) filter (where breaks > 0) as broken,
      count(*) filter (where new_failed and not old_failed) as failed,
      count(*) filter (where not agrees and not new_failed and not old_failed) as disagreed
    into seen from countersign.model_trial
    where tenant = of_tenant and migration = of_migration and stage = 'canary_share' and at >= one.stage_at;
  bounds := one.bounds::jsonb;
  why := case when seen.broken > 0 then 'contract'
    when seen.trials < (bounds ->> 'leastTrials')::integer then null
    when seen.failed * 1000000 > (bounds ->> 'mostFailedPpm')::bigint * seen.trials then 'failures'
    when seen.disagreed * 1000000 > (bounds ->> 'mostDisagreePpm')::bigint * seen.trials then 'disagreement' end;
  if why is null then
    return one.stage;
  end if;
  update countersign.model_migration set stage = 'rolled_back', rolled_back_by = why, stage_at = clock_timestamp()
    where tenant = of_tenant and id = of_migration;
  return 'rolled_back';
end
$$;
alter function countersign.record_model_trial security definer set search_path = pg_catalog;
revoke execute on function countersign.record_model_trial from public;
grant execute on function countersign.record_model_trial to deciding;
