/** The statements that append pairs of rows at the raw rate: one pair, 64 pairs as values, 64 pairs joined into few parameters. */

/** A sample pair of rows as the ledger writes them: an entry's canonical JSON and its payload. */
export interface RawRow {
  readonly tenant: string;
  readonly id: string;
  readonly entryBody: string;
  readonly payload: Buffer;
}

/** A sample with the hash of its body, made before the clock starts. */
export interface HashedRow extends RawRow {
  readonly hash: Buffer;
}

/** One prepared statement that appends `size` pairs and commits, and how many of it are in flight on the connection. */
export interface Form {
  readonly name: string;
  readonly size: number;
  readonly inFlight: number;
  readonly sql: string;
  readonly values: (group: readonly HashedRow[]) => unknown[];
}

const GROUP = 64;

/** One pair a commit; the next is sent when it has committed. */
export const singleForm: Form = {
  name: "raw-single",
  size: 1,
  inFlight: 1,
  sql: valuesSql(1),
  values: (group) => group.flatMap(fields),
};

/** 64 pairs a commit, five parameters each. */
export const valuesForm: Form = {
  name: "raw-values",
  size: GROUP,
  inFlight: 2,
  sql: valuesSql(GROUP),
  values: (group) => group.flatMap(fields),
};

/** 64 pairs a commit in seven parameters: texts joined by newline and split by the server, bytes cut out of one buffer. */
export const joinedForm: Form = {
  name: "raw-joined",
  size: GROUP,
  inFlight: 2,
  sql: `with line as materialized (
      select * from rows from (string_to_table($1::text, e'\\n'), string_to_table($2::text, e'\\n'), string_to_table($3::text, e'\\n'))
        with ordinality as split (tenant, id, body, n)),
    entry as (insert into bench_raw.raw_entry select tenant, id, body, substring($4::bytea from (n::int - 1) * 32 + 1 for 32) from line)
    insert into bench_raw.raw_payload select tenant, id, substring($5::bytea from start for length)
      from line join unnest($6::int[], $7::int[]) with ordinality as piece (start, length, n) using (n)`,
  values: joinedValues,
};

function joinedValues(group: readonly HashedRow[]): unknown[] {
  const lengths = group.map((row) => row.payload.length);
  let next = 1;
  const starts = lengths.map((length) => {
    next += length;
    return next - length;
  });
  const lines = (text: (row: HashedRow) => string) => group.map(text).join("\n");
  const bytes = (part: (row: HashedRow) => Buffer) => Buffer.concat(group.map(part));
  // Canonical JSON holds no raw newline, so the server splits where the client joined.
  const texts = [lines((row) => row.tenant), lines((row) => row.id), lines((row) => row.entryBody)];
  return [...texts, bytes((row) => row.hash), bytes((row) => row.payload), starts, lengths];
}

function fields(row: HashedRow): unknown[] {
  return [row.tenant, row.id, row.entryBody, row.hash, row.payload];
}

function valuesSql(size: number): string {
  const tuple = (columns: readonly [at: number, type: string][], row: number) =>
    `(${columns.map(([at, type]) => `$${row * 5 + at}::${type}`).join(", ")})`;
  const tuples = (...columns: readonly [at: number, type: string][]) =>
    Array.from({ length: size }, (_, row) => tuple(columns, row)).join(", ");
  return `with entry as (insert into bench_raw.raw_entry values ${tuples([1, "text"], [2, "text"], [3, "text"], [4, "bytea"])})
    insert into bench_raw.raw_payload values ${tuples([1, "text"], [2, "text"], [5, "bytea"])}`;
}
