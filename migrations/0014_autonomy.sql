-- What a slice's threshold rests on, so that it comes down where that is no longer so; and what has been seen of the slice since.
-- A slice that was opened before these columns has none of it: nothing goes alone by it until a person signs it anew.
alter table countersign.slice
  -- The digest of the definition that earned it, and the weights and calibration by which its confidences are composed, as signed.
  add column basis text check (basis ~ '^[0-9a-f]{64}$'),
  add column calibration text check (length(calibration) <= 100),
  -- The digest of what the observing connectors declare, as the process saw it that wrote the threshold.
  add column connectors text check (connectors ~ '^[0-9a-f]{64}$'),
  -- The evidence that was signed, as JSON; null where a person signed without any.
  add column evidence text check (octet_length(evidence) <= 16384),
  -- How far its decisions and answers were looked at, and what the bets against "nothing has changed" have won, as JSON.
  add column watch text check (octet_length(watch) <= 16384),
  -- What was decided before this instant (ms of the store's clock) proves nothing any more: it was raised by a breach.
  add column proves_from bigint not null default 0 check (proves_from >= 0),
  -- Null where nobody opened it: a breach was seen of it, and no threshold that was signed before opens it.
  alter column approval_id drop not null;
grant update (basis, calibration, connectors, evidence, watch, proves_from) on countersign.slice to acting;

-- The owner of a capability is told that a slice of it was taken back: with the decision whose verdict it was, or with none.
alter table countersign.notice drop constraint notice_kind_check;
alter table countersign.notice add constraint notice_kind_check
  check (kind in ('waiting_review', 'expired', 'escalated', 'outcome', 'demoted'));
alter table countersign.notice drop constraint notice_check;
alter table countersign.notice add constraint notice_check
  check (decision_id is not null or case_id is not null or kind = 'demoted');

-- What was taken back, newest first: entries of no decision that end the approval of a slice.
create index entry_of_slice on countersign.entry (tenant, ts desc) where decision_id is null and kind in ('approved', 'expired');
