-- What the console's lists read beside entries: how far the ledger was checked, what people's answers took, models, and operations that went otherwise.

-- How far the check of the acting half has come with a tenant's ledger, what it found, and the newest checkpoint that it signed. The desk shows it; what
-- counts stays with the chain, the head outside the database and the published checkpoints.
create table countersign.ledger_check (
  tenant text not null primary key references countersign.tenant (id),
  -- Every entry up to this place was found as it was sealed; the newest word of the workers that check.
  verified_to bigint not null default 0 check (verified_to >= 0),
  looked_at timestamptz,
  -- When the walk that came furthest was begun at the first entry.
  begun_at timestamptz,
  -- The first thing that was found to be wrong, until a whole walk that was begun after it finds nothing.
  broken_at timestamptz,
  broken_seq bigint,
  broken_entry uuid,
  broken_fault text check (length(broken_fault) <= 100),
  broken_detail text check (length(broken_detail) <= 2000),
  checkpoint_size bigint check (checkpoint_size > 0),
  checkpoint_at timestamptz,
  -- The signed text as it was published, and the key that checks it.
  checkpoint text check (length(checkpoint) <= 4000),
  checkpoint_key text check (length(checkpoint_key) <= 1000),
  -- Whether a witness outside took it.
  witness text check (witness in ('none', 'taken', 'refused')),
  check ((broken_at is null) = (broken_fault is null) and (broken_at is null) = (broken_detail is null)),
  check ((checkpoint is null) = (checkpoint_size is null) and (checkpoint is null) = (checkpoint_at is null)
    and (checkpoint is null) = (checkpoint_key is null) and (checkpoint is null) = (witness is null))
) with (fillfactor = 70);
alter table countersign.ledger_check enable row level security;
create policy ledger_check_seen on countersign.ledger_check for select to desk, acting using (countersign.in_tenants(tenant));
create policy ledger_check_begun on countersign.ledger_check for insert to acting with check (countersign.in_tenants(tenant));
create policy ledger_check_moved on countersign.ledger_check for update to acting
  using (countersign.in_tenants(tenant)) with check (countersign.in_tenants(tenant));
grant select on countersign.ledger_check to desk, acting;
grant insert, update on countersign.ledger_check to acting;

-- One row for each answer of a person at the desk, beside its entry and in the same transaction: what it took. It stands in no entry, since a
-- person's speed is shown to that person alone.
create table countersign.review_answer (
  tenant text not null,
  entry_id uuid not null,
  decision_id uuid not null,
  principal text not null,
  capability text not null,
  answer text not null check (answer in ('approved', 'rejected', 'edited')),
  -- From the decision's entry to the answer, by the store's clock.
  waited_ms bigint not null check (waited_ms >= 0),
  -- How long it was visible and focused, as the console told; null where nobody told.
  viewed_ms integer check (viewed_ms >= 0),
  at timestamptz not null default clock_timestamp(),
  primary key (tenant, entry_id)
);
create index review_answer_of_person on countersign.review_answer (tenant, principal, at);
create index review_answer_of_day on countersign.review_answer (tenant, at);
create index review_answer_of_decision on countersign.review_answer (tenant, decision_id);
create trigger review_answer_is_final before update or delete on countersign.review_answer
  for each row execute function countersign.refuse_change();
create trigger review_answer_is_kept before truncate on countersign.review_answer
  for each statement execute function countersign.refuse_change();
alter table countersign.review_answer enable row level security;
create policy review_answer_seen on countersign.review_answer for select to desk using (countersign.in_tenants(tenant));
create policy review_answer_given on countersign.review_answer for insert to desk with check (countersign.in_tenants(tenant));
grant select on countersign.review_answer to desk;
grant insert (tenant, entry_id, decision_id, principal, capability, answer, waited_ms, viewed_ms) on countersign.review_answer to desk;

-- Operations that did not simply come to be seen complete, so that a list of them never walks through the others; few are.
create index operation_otherwise on countersign.operation (tenant, id)
  where state in ('failed', 'escalated', 'refused', 'compensated');

-- The desk shows how models stand and how migrations go, and what gives passages their vectors.
create policy embedding_seen on countersign.embedding for select to desk using (countersign.in_tenants(tenant));
grant select on countersign.embedding to desk;
grant select on countersign.model_migration, countersign.model_trial to desk;
alter table countersign.model_standing
  -- Its id says one fixed version; null where whoever wrote the row did not say.
  add column is_pinned boolean,
  add column last_training_on date;
grant update (is_pinned, last_training_on) on countersign.model_standing to deciding;
