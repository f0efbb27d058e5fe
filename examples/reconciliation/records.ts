import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject, RecordQuery } from "countersign";
import type pg from "pg";
import { formatMoney } from "../refunds/money.ts";
import type { Books, FeedFolder } from "./connectors.ts";
import { custodianOf, feedName, type ReadRow, readFeed } from "./mappings/mappings.ts";
import { movementLimit } from "./matching-rules.ts";

/**
 * The rows of a feed, or one of them, read with the mapping of its custodian. What the mapping has parsed and checked is typed data; the
 * custodian's own words stay third-party text.
 */
export const feedRows: readonly RecordQuery<FeedFolder>[] = [
  {
    name: "feeds.rows",
    title: "Custodian's feed",
    key: (row) => `${row["file"]}#${row["line"]}`,
    // The file is a copy of what the custodian knew when it came in.
    readAt: (row) => Number(row["received_at"]),
    labels: {
      ...system("file", "line", "of_lines", "custodian", "mapping", "state", "fault", "reference", "booked_on"),
      ...system("amount_minor", "currency", "amount", "repeats_line", "shares_reference", "received_at"),
      ...{ text: "third", says: "third" },
    },
    run: async ({ path }, { file, line }, { principal }) => {
      if (!principal.roles.includes("accountant") || typeof file !== "string") return [];
      const custodian = custodianOf(file);
      // A name of another form is no feed, and no way out of the folder.
      if (custodian === null || !feedName.test(file)) return [];
      const from = join(path, principal.tenant, file);
      const receivedAt = Math.floor((await stat(from)).mtimeMs);
      const rows = readFeed(custodian, await readFile(from, "utf8"));
      return rows
        .filter((row) => line === null || row.line === line)
        .map((row) => ({ file, custodian, received_at: receivedAt, ...fieldsOf(row) }));
    },
  },
];

/** The movements of an account, and what was posted for a row of a feed; for a reading or an observing connector. */
export const books: readonly RecordQuery<Books>[] = [
  {
    name: "books.movements",
    title: "Books",
    key: (row) => String(row["id"]),
    labels: system("id", "reference", "booked_on", "amount_minor", "currency", "version", "state", "amount"),
    run: async (client, { custodian }, { principal }) => {
      if (!principal.roles.includes("accountant")) return [];
      const rows = await select(
        client,
        `select id, reference, booked_on::text as booked_on, amount_minor, currency, version, state
         from books.movement where tenant = $1 and custodian = $2 order by id limit ${movementLimit + 1}`,
        [principal.tenant, custodian],
      );
      return rows.map((row) => ({ ...row, amount: amountOf(row["amount_minor"], row["currency"]) }));
    },
  },
  {
    name: "books.forPosting",
    title: "Books",
    key: (row) => String(row["id"]),
    labels: system(
      ...["id", "state", "version", "amount_minor", "currency", "posting", "posted_movement", "difference_minor"],
      ...["posted_rule", "rules_version", "mapping_version"],
    ),
    run: async (client, params, { principal }) =>
      principal.roles.includes("accountant") ? postingRows(client, { tenant: principal.tenant, params }) : [],
  },
];

/** What stands in the books for a row and a movement, as the observing login sees it, whoever asked. Always one row. */
export async function postingRows(
  client: Books,
  { tenant, params: { custodian, reference, movement } }: { tenant: string; params: JsonObject },
): Promise<readonly JsonObject[]> {
  return select(
    client,
    `select asked.custodian || ':' || asked.reference as id, m.state, m.version, m.amount_minor, m.currency,
       coalesce(p.kind, 'none') as posting, p.movement as posted_movement, p.difference_minor, p.rule as posted_rule,
       p.rules_version, p.mapping_version
     from (values ($2, $3, $4)) as asked (custodian, reference, movement)
     left join books.movement m on m.tenant = $1 and m.id = asked.movement
     left join books.posting p on p.tenant = $1 and p.custodian = asked.custodian and p.reference = asked.reference`,
    [tenant, custodian, reference, movement],
  );
}

/** Columns are text, whole numbers and null: JSON as it stands. */
async function select(client: Books, sql: string, values: readonly unknown[]): Promise<readonly JsonObject[]> {
  return (await client.query<pg.QueryResultRow & JsonObject>(sql, [...values])).rows;
}

function fieldsOf(row: ReadRow): JsonObject {
  const common = {
    ...{ line: row.line, of_lines: row.ofLines, mapping: row.mapping, state: row.kind },
    ...{ repeats_line: row.repeatsLine, shares_reference: row.sharesReference },
  };
  if (row.kind === "faulty") {
    const nothing = { reference: null, booked_on: null, amount_minor: null, currency: null, amount: null, text: null };
    return { ...common, ...nothing, fault: row.fault, says: row.says };
  }
  const { reference, bookedOn, amountMinor, currency, text } = row;
  const amount = formatMoney({ minor: amountMinor, currency });
  return {
    ...common,
    fault: null,
    says: null,
    reference,
    booked_on: bookedOn,
    amount_minor: amountMinor,
    currency,
    amount,
    text,
  };
}

function amountOf(minor: unknown, currency: unknown): string {
  if (currency !== "EUR" && currency !== "GBP" && currency !== "JPY") throw new Error("the books have an unknown currency");
  return formatMoney({ minor: Number(minor), currency });
}

function system(...fields: readonly string[]): RecordQuery<Books>["labels"] {
  return Object.fromEntries(fields.map((field) => [field, "system" as const]));
}
