import pg from "pg";
import type { Json } from "../../../contract/json.ts";
import type { Column, ColumnType } from "../../../contract/record-query.ts";
import { readJson } from "../read-json.ts";

/** How a column of PostgreSQL is read for a field: which JSON types it can be, and its value from its text. */
export interface ColumnReading {
  readonly types: readonly ColumnType[];
  /** `undefined` for a value that JSON does not hold, such as a whole number beyond 2^53. */
  readonly read: (text: string, column: Column) => Json | undefined;
}

/** The reading of a type by its object id; `null` for one that only its text can be taken of. Source: PostgreSQL 18, `pg_type.dat`. */
export function readingOf(typeId: number): ColumnReading {
  return readings.get(typeId) ?? (typeId >= firstOfUsers ? asText : unreadable);
}

/** Types that a database made itself, such as an enum, begin here. */
const firstOfUsers = 16_384;

const asText: ColumnReading = { types: ["string"], read: (text) => text };
const unreadable: ColumnReading = { types: [], read: () => undefined };
const truth: ColumnReading = { types: ["boolean"], read: (text) => text === "t" };
const whole: ColumnReading = { types: ["integer", "number"], read: wholeNumber };
// A sum or a count may be beyond what JSON holds to the unit, so its digits will do too.
const long: ColumnReading = {
  types: ["integer", "number", "string"],
  read: (text, { types }) => (types?.has("string") === true ? text : wholeNumber(text)),
};
const binary: ColumnReading = {
  types: ["number"],
  read: (text) => (Number.isFinite(Number(text)) ? Number(text) : undefined),
};
const json: ColumnReading = {
  types: ["string", "integer", "number", "boolean", "object", "array", "null"],
  read: (text) => readJson(text),
};
/** UTC, since the session is in it: `2026-05-16 09:30:00+00`. */
const instant: ColumnReading = { types: ["string"], read: (text) => text.replace(" ", "T").replace(/\+00$/, "Z") };
const localTime: ColumnReading = { types: ["string"], read: (text) => text.replace(" ", "T") };
const list = (typeId: number): ColumnReading => ({
  types: ["array"],
  read: (text) => pg.types.getTypeParser(typeId, "text")(text) as Json, // the driver's own reading of a list of texts or numbers
});

const { BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, JSON: JSON_TEXT, JSONB, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;
const texts = (
  ["TEXT", "VARCHAR", "BPCHAR", "UUID", "NUMERIC", "DATE", "TIME", "TIMETZ", "INTERVAL", "INET", "CIDR", "XML"] as const
).map((name) => pg.types.builtins[name]);
/** `name`, which the driver's list calls nothing. */
const nameType = 19;
/** Lists of `text`, `varchar`, `int4` and `int2`. */
const lists = [1009, 1015, 1007, 1005];

const readings: ReadonlyMap<number, ColumnReading> = new Map<number, ColumnReading>([
  ...[...texts, nameType].map((id): [number, ColumnReading] => [id, asText]),
  ...lists.map((id): [number, ColumnReading] => [id, list(id)]),
  ...([
    [BOOL, truth],
    [INT2, whole],
    [INT4, whole],
    [INT8, long],
    [FLOAT4, binary],
    [FLOAT8, binary],
  ] as const),
  ...([
    [JSON_TEXT, json],
    [JSONB, json],
    [TIMESTAMPTZ, instant],
    [TIMESTAMP, localTime],
  ] as const),
]);

function wholeNumber(text: string): number | undefined {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
}
