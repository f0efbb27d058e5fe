-- What listeners are told of changes, and the indexes behind the lists of decisions and cases.

-- The transaction that last moved a row: below the snapshot's xmin it is settled, as with entries, so that who listens misses nothing and needs no
-- clock. It says when it was visible to others, and nothing else; it is in no grant, and no backup holds it.
create function countersign.mark_moved() returns trigger language plpgsql as $$
begin
  new.moved = pg_current_xact_id();
  return new;
end
$$;

alter table countersign.case_run add column moved xid8 not null default pg_current_xact_id();
create index case_run_moved on countersign.case_run (tenant, moved);
-- What a worker notes for itself moves nothing that anybody sees.
create trigger case_run_moves before update on countersign.case_run for each row
  when ((old.state, old.step, old.n, old.outcome, old.stuck, old.code, old.wanted_id, old.decision_id, old.awaits, old.until_at)
    is distinct from (new.state, new.step, new.n, new.outcome, new.stuck, new.code, new.wanted_id, new.decision_id, new.awaits, new.until_at))
  execute function countersign.mark_moved();

alter table countersign.claim add column moved xid8 not null default pg_current_xact_id();
create index claim_moved on countersign.claim (tenant, moved);
create trigger claim_moves before update on countersign.claim for each row
  when ((old.principal, old.until) is distinct from (new.principal, new.until))
  execute function countersign.mark_moved();

-- Few rows, so no index: each look goes through the tenant's own.
alter table countersign.halt add column moved xid8 not null default pg_current_xact_id();

-- The decisions of one capability, newest first. It stands in no other order of use, and an entry never changes.
create index entry_of_capability on countersign.entry (tenant, capability, decision_id) where kind in ('decided', 'stopped');
-- The cases that were begun for somebody, and those of one name, newest first.
create index case_run_meant on countersign.case_run (tenant, on_behalf_of, id desc) where on_behalf_of is not null;
create index case_run_named on countersign.case_run (tenant, case_name, id desc);
