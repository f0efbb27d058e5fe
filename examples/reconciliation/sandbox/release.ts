/** What the release matrix tries the effects on: movements that nothing else uses, put in and counted by the administrator. */
import type { ReleasePlace, ReleaseSample, ReleaseSamples } from "countersign";
import pg from "pg";
import { z } from "zod";
import { norda } from "../mappings/norda.ts";
import { rulesVersion } from "../matching-rules.ts";

const named = z.looseObject({ reference: z.string() });
const askedBy = { id: "acc-101", roles: ["accountant"] } as const;
const bookedMinor = 10_000;

async function postings({ tenant, adminUrl }: ReleasePlace, params: unknown): Promise<number> {
  const sql = "select from books.posting where tenant = $1 and custodian = 'norda' and reference = $2";
  return run(adminUrl, sql, [tenant, named.parse(params).reference]);
}

/** Somebody else corrects the movement. */
async function correct({ tenant, adminUrl }: ReleasePlace, params: unknown): Promise<void> {
  const sql = "update books.movement set amount_minor = 3, version = version + 1 where tenant = $1 and reference = $2";
  await run(adminUrl, sql, [tenant, named.parse(params).reference]);
}

/** Matches of new movements. Denied is one over another amount than the movement's. */
export const postMatchSamples: ReleaseSamples = {
  permitted: (place) => matchOf(place, bookedMinor),
  count: postings,
  denied: (place) => matchOf(place, bookedMinor + 1),
  makeStale: correct,
};

/** Differences to new movements. Denied is one beyond the tolerance of the rules. */
export const postAdjustmentSamples: ReleaseSamples = {
  permitted: (place) => differenceOf(place, -5),
  count: postings,
  denied: (place) => differenceOf(place, -500),
  makeStale: correct,
};

async function matchOf(place: ReleasePlace, amountMinor: number): Promise<ReleaseSample> {
  return { params: { ...(await addMovement(place)), amountMinor, rule: "exact_reference" }, askedBy };
}

async function differenceOf(place: ReleasePlace, differenceMinor: number): Promise<ReleaseSample> {
  return { params: { ...(await addMovement(place)), kind: "difference", bookedOn: "2026-11-27", differenceMinor }, askedBy };
}

/** Far from the numbers of the demo's own movements. */
async function addMovement({ tenant, run: number, adminUrl }: ReleasePlace) {
  const [movement, reference] = [`mov-${5_000 + number}`, `RL-${5_000 + number}`];
  await run(
    adminUrl,
    `insert into books.movement (tenant, id, custodian, reference, booked_on, amount_minor, currency)
     values ($1, $2, 'norda', $3, '2026-11-27', $4, 'EUR')`,
    [tenant, movement, reference, bookedMinor],
  );
  const row = { custodian: "norda", reference, file: "norda-2026-11-27.csv", line: 2, currency: "EUR" };
  return { ...row, movement, version: 1, mappingVersion: norda.version, rulesVersion };
}

/** Runs one statement as the administrator; returns how many rows it found or changed. */
async function run(adminUrl: string, sql: string, values: readonly (string | number)[]): Promise<number> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "books release" });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
