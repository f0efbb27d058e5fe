import type pg from "pg";
import { expect } from "vitest";
import { mostOfBlock } from "../../src/know/search/posting-blocks.ts";
import { countOwn, splitRecords } from "../../src/know/search/posting-bytes.ts";

interface Held {
  readonly tenant: string;
  readonly term: string;
  readonly audience: number;
  readonly first: number;
  readonly records: Buffer;
}

/** What is counted of the audiences is what their postings and passages are, to the last one; each record stands in its place and once. */
export async function expectExactIndex(admin: pg.Client): Promise<void> {
  const blocks = await admin.query<Held>(`
    select tenant, term, audience, first_document as first, records from posting order by tenant, term, audience, first_document`);
  const counted = new Map<string, number>();
  const before = new Map<string, number>();
  const held: string[] = [];
  for (const { tenant, term, audience, first, records } of blocks.rows) {
    const key = `${tenant} ${term} ${audience}`;
    counted.set(key, (counted.get(key) ?? 0) + countOwn(records));
    const split = splitRecords(records);
    expect(split.length === 1 || records.length <= mostOfBlock, "a block of many documents is short").toBe(true);
    expect(before.get(key) ?? -1, "blocks hold documents apart").toBeLessThan(first);
    for (const { document } of split) {
      expect(document, "records stand in the order of their documents").toBeGreaterThan(before.get(key) ?? -1);
      expect(document, "a block begins at its first document").toBeGreaterThanOrEqual(first);
      before.set(key, document);
      held.push(`${tenant} ${term} ${audience} ${document}`);
    }
  }
  const kept = await admin.query<{ key: string; passages: string }>(
    "select concat_ws(' ', tenant, term, audience) as key, passages from audience_term order by 1",
  );
  expect(new Map(kept.rows.map(({ key, passages }) => [key, Number(passages)]))).toEqual(
    new Map([...counted].filter(([, passages]) => passages > 0)),
  );
  const terms = await admin.query<{ key: string }>(
    "select concat_ws(' ', tenant, term, audience, number) as key from document cross join unnest(terms) as term",
  );
  expect(held.sort()).toEqual(terms.rows.map(({ key }) => key).sort());
  const { rows } = await admin.query(`
    select labels::text, sum(coalesce(document.passages, 0)), audience.passages from audience
    left join document on document.tenant = audience.tenant and document.audience = audience.id
    group by audience.tenant, audience.id, labels, audience.passages having sum(coalesce(document.passages, 0)) <> audience.passages`);
  expect(rows).toEqual([]);
}
