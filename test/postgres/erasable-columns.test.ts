import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// Every column that could hold what somebody wrote says how that goes, or why it may stay. A new column is none of these until it does.
let store: MigratedDatabase;
let columns: readonly string[];
beforeAll(async () => {
  store = await createMigratedDatabase();
  const client = new pg.Client({ connectionString: store.adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select table_name || '.' || column_name as name
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'countersign' and table_type = 'BASE TABLE' and data_type in ('text', 'bytea', 'json', 'jsonb', 'ARRAY')
       order by 1`,
    );
    columns = rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
});
afterAll(() => store?.drop());

/** How bodies go; each is told in `docs/retention.md`. */
const erasable: Readonly<Record<string, string>> = {
  "payload.body": "by days, by request, with its tenant",
  "wanted.body": "when it ended",
  "case_run.body": "by a person's request once the case has ended, with its tenant",
  "case_event.body": "with its case",
  "memory.body": "by its end, by request, with its decision",
  "memory.about": "with its body",
  "fact.subject": "by erase_facts",
  "fact.object": "by erase_facts",
  "fact.reason": "by erase_facts",
  "document.title": "with its document",
  "document.metadata": "with its document",
  "document.terms": "with its document",
  "passage.body": "with its document",
  "passage.context_line": "with its document",
  "passage.section_path": "with its document",
  "passage_vector.vector": "with its document",
  "posting.term": "with its document",
  "posting.records": "with its document",
  "audience_term.term": "with the last document that holds it",
  "source_file.path": "with its source",
  "source_file.detail": "with its source",
  "source_file.dropped": "with its source: counts by kind",
  "source.detail": "with its source",
  "source.progress_path": "with its source",
  "account.name": "with its account",
  "account.attributes": "with its account",
  "account.external_subject": "with its account",
  "account.external_issuer": "with its account",
  "erasure.reason": "with the request, once it is done; it goes on in the payload of the entry",
  "erasure.person": "with the request, once it is done",
};

/** Why words may stay: nobody's words stand in them, or they are what must not be lost. */
const kept: Readonly<Record<string, string>> = {
  "entry.body": "ids, closed words, integers and digests: entries hold no personal data",
  "approval.body": "what was signed: ids and digests, in the exact bytes",
  "approval.signature": "over those bytes",
  "operation.key": "the business key, which holds no personal data in clear",
  "case_run.key": "the business key, which holds no personal data in clear",
  "case_event.key": "the sender's own word against telling twice",
  "intent.idempotency_key": "the caller's own word against asking twice",
  "halt.reason": "who stopped what and why stays for ever",
  "hold.reason": "why something must not be erased",
  "release.cells": "what an effect's own tests came to",
  "release.definition": "an effect's definition",
  "tenant.name": "the installation's own list",
  "tenant.key_salt": "destroyed when the tenant is closed",
  "eval_run.summary": "figures over eval cases, no text of a case or an answer",
  "slice.basis": "what a threshold was signed for: versions and digests",
  "slice.connectors": "names of connectors",
  "slice.evidence": "figures over decisions",
  "slice.watch": "figures over decisions",
  "model_migration.bounds": "figures",
  "model_migration.choice": "a model and how it is asked",
  "model_migration.report": "figures over eval cases",
  "model_migration.signature": "over what was signed",
  "model_migration.signed": "what was signed, in the exact bytes: ids, models and figures",
  "model_migration.usual": "figures",
  "model_trial.differences": "where two replies differ: names of params, no values",
  "model_trial.new_figures": "figures",
  "model_trial.old_figures": "figures",
  "review_answer.answer": "a word of a closed list",
  "ledger_check.broken_fault": "a word of a closed list",
  "ledger_check.broken_detail": "what a check says of a chain: places and hashes",
  "ledger_check.checkpoint": "what was published: a size and a root",
  "ledger_check.checkpoint_key": "a public key",
  "ledger_check.witness": "a word of a closed list",
};

/** Columns of these names hold ids of principals or things, words of closed lists, versions, digests and marks, wherever they stand. */
const ids =
  /\.(tenant|id|principal|by_principal|rolled_back_by|started_by|on_behalf_of|owner|approver|person_id|to_name|source|document_id|key_id|project|account|owners|calibration|new_model|old_model|decision_id|session|subject|scopes|labels?|roles|allow|collections?|embedder|environments?|capability|capability_version|case_name|effect|version|model|prompt|prices|slice|reader|budget|allotments|reserved|name|title|zone|names|rules|under_way)$/;
const words =
  /\.(writer|kind|state|status|scope|unit|period|part|why|waits_for|route|rule|outcome|stuck|code|step|stage|from_step|branch|awaits|fault|reason|purpose|granted_by|to_kind|object_kind|value_count|migration_tried|predicate|seen|done|refused|uses|superseded_by|issuer)$/;
const digests = /(\.|_)(hash|digest)$/;

it("says of every column that could hold words how they go, or why they stay", () => {
  const unsaid = columns.filter(
    (name) => !(name in erasable) && !(name in kept) && !ids.test(name) && !words.test(name) && !digests.test(name),
  );
  expect(unsaid).toEqual([]);
});

it("names no column that there is not", () => {
  expect([...Object.keys(erasable), ...Object.keys(kept)].filter((name) => !columns.includes(name))).toEqual([]);
});
