/**
 * The raw rate: what one connection can append durably when nothing decides, hashes or encrypts. The bar that the
 * ledger's grouped writes are measured against, so every choice here favours the raw side: no compression, no
 * out-of-line storage, byte order for keys, no autovacuum, hashes made beforehand. Never with fsync off.
 *
 * Measured for groups of 64 pairs of rows (1.2 KB text, 2.5 KB bytes): `values` and `joined` of `raw-forms.ts` lead in
 * turn, so both are run and the better counts. Slower: unnest of typed arrays (about half), arrays in binary form, one buffer
 * cut by offsets, splitting without `with ordinality`. Storage `plain` beat `external`, `main` and `extended`. Two groups in
 * flight beat one by about a fifth; three add nothing.
 */
import { createHash } from "node:crypto";
import pg from "pg";
import { CountersignError } from "../../src/contract/errors.ts";
import { type Form, type HashedRow, joinedForm, type RawRow, singleForm, valuesForm } from "./raw-forms.ts";
import { walBetween, walSnapshot } from "./statistics.ts";

export type { RawRow };

/** Pairs of rows (one entry, one payload) per second on one connection, each commit flushed to disk. */
export interface RawRates {
  readonly singlePerSecond: number;
  /** The better of the two forms. */
  readonly group64PerSecond: number;
  readonly group64Form: "values" | "joined";
  readonly group64Forms: { readonly values: number; readonly joined: number };
  /** WAL bytes a pair in the better form. */
  readonly walBytesPerPair: number;
}

const WARM_UP_GROUPS = 8;

/**
 * Measures the raw rates with copies of `rows` under fresh ids; takes three times `seconds` in all. Needs a role that may
 * create a schema; the schema `bench_raw` is made and dropped. Refuses a server whose fsync is off.
 */
export async function measureRaw({
  databaseUrl,
  rows,
  seconds,
}: {
  databaseUrl: string;
  rows: readonly RawRow[];
  seconds: number;
}): Promise<RawRates> {
  if (rows.length === 0) throw new CountersignError("bad_request", "no sample rows were given; pass at least one");
  if (rows.some((row) => row.entryBody.includes("\n")))
    throw new CountersignError("bad_request", "an entry body holds a newline; pass canonical JSON");
  const samples = rows.map((row) => ({ ...row, hash: createHash("sha256").update(row.entryBody).digest() }));
  const client = new pg.Client({ connectionString: databaseUrl, pipeline: true, application_name: "countersign bench raw" });
  await client.connect();
  try {
    await requireFsync(client);
    const single = await measureForm(client, { form: singleForm, samples, seconds });
    const values = await measureForm(client, { form: valuesForm, samples, seconds });
    const joined = await measureForm(client, { form: joinedForm, samples, seconds });
    const best = values.perSecond >= joined.perSecond ? values : joined;
    return {
      singlePerSecond: single.perSecond,
      group64PerSecond: best.perSecond,
      group64Form: best === values ? "values" : "joined",
      group64Forms: { values: values.perSecond, joined: joined.perSecond },
      walBytesPerPair: best.walBytesPerPair,
    };
  } finally {
    await client.query("drop schema if exists bench_raw cascade").finally(() => client.end());
  }
}

async function requireFsync(client: pg.Client): Promise<void> {
  await client.query("set synchronous_commit = on");
  const { rows } = await client.query<{ fsync: string }>("show fsync");
  if (rows[0]?.fsync === "on") return;
  throw new CountersignError("configuration_invalid", "the server runs with `fsync` off, so no rate means anything; set it on");
}

async function measureForm(
  client: pg.Client,
  { form, samples, seconds }: { form: Form; samples: readonly HashedRow[]; seconds: number },
) {
  await createTables(client);
  const nextGroup = groupsOf({ samples, size: form.size });
  const write = async () => {
    await client.query({ name: form.name, text: form.sql, values: form.values(nextGroup()) });
  };
  for (let group = 0; group < WARM_UP_GROUPS; group++) await write();
  const before = await walSnapshot(client);
  const begin = performance.now();
  let groups = 0;
  const lane = async () => {
    for (; performance.now() - begin < seconds * 1000; groups++) await write();
  };
  await Promise.all(Array.from({ length: form.inFlight }, lane));
  const elapsed = (performance.now() - begin) / 1000;
  const { walBytes } = walBetween({ before, after: await walSnapshot(client) });
  await requireStored(client, (groups + WARM_UP_GROUPS) * form.size);
  return { perSecond: (groups * form.size) / elapsed, walBytesPerPair: walBytes / (groups * form.size) };
}

async function createTables(client: pg.Client): Promise<void> {
  const key = `tenant text collate "C" not null, id text collate "C" not null, primary key (tenant, id)`;
  await client.query(`drop schema if exists bench_raw cascade; create schema bench_raw;
    create table bench_raw.raw_entry (${key}, body text storage plain not null, hash bytea not null) with (autovacuum_enabled = off);
    create table bench_raw.raw_payload (${key}, body bytea storage plain not null) with (autovacuum_enabled = off)`);
}

// Ids keep their length and grow, as time-ordered ids do.
function groupsOf({ samples, size }: { samples: readonly HashedRow[]; size: number }): () => HashedRow[] {
  let count = 0;
  const fresh = (sample: HashedRow): HashedRow => {
    const tail = (count++).toString(36).padStart(10, "0");
    return { ...sample, id: `${(samples[0] ?? sample).id.slice(0, -tail.length)}${tail}` };
  };
  return () =>
    Array.from({ length: size }).flatMap(() => samples.slice(count % samples.length, (count % samples.length) + 1).map(fresh));
}

async function requireStored(client: pg.Client, pairs: number): Promise<void> {
  const { rows } = await client.query<{ whole: string }>(`select count(*)::text as whole from bench_raw.raw_entry e
    join bench_raw.raw_payload p using (tenant, id) where e.hash = sha256(convert_to(e.body, 'UTF8')) and length(p.body) > 0`);
  // Invariant: a rate counts only pairs that are in the tables, whole, after the run.
  if (rows[0]?.whole !== String(pairs))
    throw new CountersignError("internal", `wrote ${pairs} pairs and found \`${rows[0]?.whole}\` whole`);
}
