import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import type { Tx } from "../database.ts";

/** A table of the schema with the columns that a backup holds of it. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Made again by a trigger of `passage_vector` where the server has pgvector. */
const derived = ["passage_nearness"];
/** What the database says of itself when the row is written again. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  entry: ["xid"],
  case_run: ["moved"],
  claim: ["moved"],
  halt: ["moved"],
};

/** SQL that is written in place of a column's own value, by table and column. */
export type ColumnsInstead = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Every table of the schema, each after those that it points to, with its columns. Throws `internal` where two point to each other. */
export async function copiedTables(tx: Tx): Promise<readonly CopiedTable[]> {
  const { rows } = await sql<{ name: string; columns: string[]; after: string[] }>`
    select class.relname::text as name,
      array(select attname::text from pg_attribute where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum) as columns,
      array(select target.relname::text from pg_constraint join pg_class target on target.oid = confrelid
        where conrelid = class.oid and contype = 'f' and confrelid <> class.oid) as after
    from pg_class class where relnamespace = 'countersign'::regnamespace and relkind = 'r' order by relname`.execute(tx);
  const waiting = new Map(rows.filter(({ name }) => !derived.includes(name)).map((row) => [row.name, row]));
  const ordered: CopiedTable[] = [];
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(({ after }) => !after.some((one) => waiting.has(one)));
    if (next === undefined)
      throw new CountersignError("internal", `tables point to each other: ${[...waiting.keys()].join(", ")}`);
    waiting.delete(next.name);
    ordered.push({ name: next.name, columns: next.columns.filter((one) => leftOut[next.name]?.includes(one) !== true) });
  }
  return ordered;
}

/** The query of a table's rows as a backup holds them. */
export function rowsOf({ name, columns }: CopiedTable, instead: ColumnsInstead): string {
  const values = columns.map((column) => instead[name]?.[column] ?? quoted(column));
  return `select ${values.join(", ")} from countersign.${quoted(name)}${name === "entry" ? " order by xid, n" : ""}`;
}

/** A table with its columns, as COPY takes rows into it. */
export function targetOf({ name, columns }: CopiedTable): string {
  return `countersign.${quoted(name)} (${columns.map(quoted).join(", ")})`;
}

/** Lets numbers go on after those that were loaded. */
export async function settleNumbers(tx: Tx): Promise<void> {
  const { rows } = await sql<{ name: string; column: string }>`
    select class.relname::text as name, attname::text as column from pg_attribute join pg_class class on class.oid = attrelid
    where relnamespace = 'countersign'::regnamespace and relkind = 'r' and attidentity <> '' and not attisdropped`.execute(tx);
  for (const { name, column } of rows) {
    const [table, identity] = [sql.id("countersign", name), sql.ref(column)];
    await sql`
      select setval(pg_get_serial_sequence(${`countersign.${name}`}, ${column}), (select coalesce(max(${identity}), 0) + 1 from ${table}), false)`.execute(
      tx,
    );
  }
}

/** Keeps everybody else from writing a row until the transaction ends. */
export async function lockTables(tx: Tx, tables: readonly CopiedTable[]): Promise<void> {
  for (const { name } of tables) await sql`lock table ${sql.id("countersign", name)} in exclusive mode`.execute(tx);
}

/** The first table that holds a row; `null` where all are empty. */
export async function firstFilled(tx: Tx, tables: readonly CopiedTable[]): Promise<string | null> {
  for (const { name } of tables) {
    const { rows } = await sql<{ found: boolean }>`select exists (select from ${sql.id("countersign", name)}) as found`.execute(
      tx,
    );
    if (rows[0]?.found === true) return name;
  }
  return null;
}

function quoted(name: string): string {
  if (/^[a-z][a-z0-9_]*$/.test(name)) return `"${name}"`;
  throw new CountersignError("backup_unreadable", "a table or column of it has a name that is none");
}
