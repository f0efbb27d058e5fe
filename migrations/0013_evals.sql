-- Runs of eval sets: figures and what a gate said of them, and no text of a case or an answer. A run is of a project's definitions and so
-- of no tenant: the desk shows it, the acting role writes it, which decides nothing.
create table countersign.eval_run (
  id uuid not null primary key,
  project text not null check (project ~ '^[a-z0-9][a-z0-9_.-]{0,62}$'),
  started_at timestamptz not null,
  ended_at timestamptz not null check (ended_at >= started_at),
  -- SHA-256 over the cases, in hex: runs are compared over the same ones.
  set_digest text not null check (set_digest ~ '^[0-9a-f]{64}$'),
  repeats integer not null check (repeats > 0),
  cases integer not null check (cases >= 0),
  passed_cases integer not null check (passed_cases between 0 and cases),
  -- Some case of the project was left out by choice.
  is_selection boolean not null,
  -- Null where no gate was asked.
  gate_passed boolean,
  -- Versions and models by capability, figures by capability, slice and metric, failing cases and the gate's findings, as JSON.
  summary text not null check (octet_length(summary) <= 4194304),
  at timestamptz not null default clock_timestamp(),
  n bigint not null generated always as identity,
  -- What is said from `at` on is in no insert grant.
  writer text not null default current_user
);
create index eval_run_of_project on countersign.eval_run (project, n desc);
create trigger eval_run_is_final before update or delete on countersign.eval_run for each row execute function countersign.refuse_change();
create trigger eval_run_is_kept before truncate on countersign.eval_run for each statement execute function countersign.refuse_change();
alter table countersign.eval_run enable row level security;
create policy eval_run_seen on countersign.eval_run for select using (true);
create policy eval_run_written on countersign.eval_run for insert to acting with check (true);
grant select on countersign.eval_run to desk, acting;
grant insert (id, project, started_at, ended_at, set_digest, repeats, cases, passed_cases, is_selection, gate_passed, summary)
  on countersign.eval_run to acting;
