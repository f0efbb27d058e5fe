import type { Json, JsonObject } from "../../../contract/json.ts";
import type { Column, SqlQuery } from "../../../contract/record-query.ts";
import { changed, unavailable } from "../faults.ts";
import { type ColumnReading, readingOf } from "./column-value.ts";

/** A column as the database describes it beside its answer. */
export interface ColumnShown {
  readonly name: string;
  readonly dataTypeID: number;
}

/**
 * Makes rows of an answer's texts, after holding its columns against the query: none missing, none beside, none of another type, also where
 * there is no row. Throws `record_changed`, which names the column.
 */
export function readColumns(
  query: Pick<SqlQuery, "name" | "columns">,
  { fields, rows }: { readonly fields: readonly ColumnShown[]; readonly rows: readonly (readonly (string | null)[])[] },
): readonly JsonObject[] {
  const { name: named, columns } = query;
  const readers = fields.map(({ name, dataTypeID }, place) => {
    const column = columns.get(name);
    if (column === undefined) throw changed(named, { column: name, how: "is there and is not declared" });
    if (fields.findIndex((one) => one.name === name) !== place) throw changed(named, { column: name, how: "is there twice" });
    const reading = readingOf(dataTypeID);
    if (!canBe(reading, column)) throw changed(named, { column: name, how: "has another type than its schema" });
    return { name, column, reading };
  });
  for (const [name, { isOptional }] of columns) {
    if (!isOptional && !fields.some((one) => one.name === name)) throw changed(named, { column: name, how: "is missing" });
  }
  return rows.map((row) =>
    Object.fromEntries(readers.map((reader, place) => [reader.name, cellValue(named, reader, row[place] ?? null)])),
  );
}

/** A whole number is a number; what the schema says nothing of may be anything. */
function canBe({ types }: ColumnReading, column: Column): boolean {
  return types.length > 0 && (column.types === null || types.some((type) => column.types?.has(type) === true));
}

function cellValue(query: string, { column, reading }: { column: Column; reading: ColumnReading }, text: string | null): Json {
  if (text === null) return null;
  const value = reading.read(text, column);
  if (value === undefined) throw unavailable(query, "value");
  return value;
}
