import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { Tx } from "../../store/database.ts";
import { changeCounts, type TermChange } from "./audiences.ts";
import { appendRecords, placeRecords, takeRecords } from "./block-rows.ts";
import type { IndexedDocument } from "./impacts.ts";
import type { TermRecord } from "./posting-blocks.ts";
import { countOwn, packRecord } from "./posting-bytes.ts";

/** A document with its number and audience in the database, and its index. */
export interface NumberedDocument {
  readonly number: number;
  readonly audience: number;
  readonly index: IndexedDocument;
}

/** Adds the postings of documents, which are newer than any that has some, and counts their terms. Throws `index_incomplete`. */
export async function addPostings(
  tx: Tx,
  { tenant, documents }: { tenant: string; documents: readonly NumberedDocument[] },
): Promise<void> {
  const inOrder = documents.toSorted((a, b) => a.number - b.number);
  await appendRecords(tx, { tenant, records: inOrder.flatMap(recordsOf) });
  const counts = countChanges();
  for (const { audience, index } of documents) {
    counts.addPassages(audience, index.places.length);
    for (const [term, passages] of index.passagesOfTerm) counts.addTerm({ audience, term, passages });
  }
  await changeCounts(tx, { tenant, ...counts.all() });
}

/** Takes the postings of documents away, by their numbers, and counts their terms down. Throws `index_incomplete`. */
export async function removePostings(tx: Tx, { tenant, numbers }: { tenant: string; numbers: readonly number[] }): Promise<void> {
  const taken = await takeRecords(tx, { tenant, documents: numbers });
  const counts = countChanges();
  for (const { term, audience, record } of taken) counts.addTerm({ audience, term, passages: -countOwn(record) });
  for (const { audience, passages } of await passagesOf(tx, { tenant, numbers })) counts.addPassages(audience, -passages);
  await changeCounts(tx, { tenant, ...counts.all() });
}

/** Brings the postings of one document to another audience. The caller brings the document. Throws `index_incomplete`. */
export async function movePostings(
  tx: Tx,
  { tenant, number, audience }: { tenant: string; number: number; audience: number },
): Promise<void> {
  const numbers = [number];
  const taken = await takeRecords(tx, { tenant, documents: numbers });
  await placeRecords(tx, { tenant, records: taken.map((record) => ({ ...record, audience })) });
  const counts = countChanges();
  for (const { term, audience: before, record } of taken) {
    const passages = countOwn(record);
    counts.addTerm({ audience: before, term, passages: -passages });
    counts.addTerm({ audience, term, passages });
  }
  for (const kept of await passagesOf(tx, { tenant, numbers })) {
    counts.addPassages(kept.audience, -kept.passages);
    counts.addPassages(audience, kept.passages);
  }
  await changeCounts(tx, { tenant, ...counts.all() });
}

function recordsOf({ number, audience, index }: NumberedDocument): readonly TermRecord[] {
  return [...index.postings].map(([term, posting]) => ({
    term,
    audience,
    document: number,
    record: packRecord(number, posting),
  }));
}

interface CountChanges {
  readonly addTerm: (change: TermChange) => void;
  readonly addPassages: (audience: number, passages: number) => void;
  readonly all: () => { readonly terms: readonly TermChange[]; readonly passages: ReadonlyMap<number, number> };
}

/** Sums changes up by audience and term, so that each count is written once. */
function countChanges(): CountChanges {
  const terms = new Map<string, { readonly audience: number; readonly term: string; passages: number }>();
  const passages = new Map<number, number>();
  return {
    addTerm: (change) => {
      const key = `${change.audience} ${change.term}`;
      const kept = terms.get(key);
      if (kept === undefined) terms.set(key, { ...change });
      else kept.passages += change.passages;
    },
    addPassages: (audience, count) => {
      passages.set(audience, (passages.get(audience) ?? 0) + count);
    },
    all: () => ({ terms: [...terms.values()], passages }),
  };
}

/** The documents with these numbers. Throws where one is not there. */
async function passagesOf(
  tx: Tx,
  { tenant, numbers }: { tenant: string; numbers: readonly number[] },
): Promise<readonly { readonly audience: number; readonly passages: number }[]> {
  const { rows } = await sql<{ audience: number; passages: number }>`
    select audience, passages from countersign.document where tenant = ${tenant} and number = any (${[...numbers]}::integer[])`.execute(
    tx,
  );
  if (rows.length === numbers.length) return rows;
  throw new CountersignError("index_incomplete", "a document is missing from the index; rebuild the index");
}
