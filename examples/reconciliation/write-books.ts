import type { Books } from "./connectors.ts";
import type { AdjustmentParams, MatchParams } from "./effects.ts";

/** One write: for whom, what, and with which key against doubles. */
export interface Write<P> {
  readonly tenant: string;
  readonly params: P;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

/** Posts a match once for each idempotency key and closes its movement, in one commit. A thrown error does not say that nothing happened. */
export async function insertMatch(client: Books, { params, ...write }: Write<MatchParams>): Promise<string> {
  const { amountMinor, rule, ...row } = params;
  return post(client, { ...write, ...row, kind: "match", rule, differenceMinor: 0, source: closing(row, amountMinor) });
}

/** Posts an adjustment once for each key: it closes its movement, or books the one that is missing. The error is to be read as above. */
export async function insertAdjustment(client: Books, { params, ...write }: Write<AdjustmentParams>): Promise<string> {
  const { kind: rule, movement, version, bookedOn, ...row } = params;
  const source = movement === null || version === null ? booking(bookedOn) : closing({ movement, version }, null);
  return post(client, { ...write, ...row, kind: "adjustment", rule, source });
}

type Posting = Omit<Write<never>, "params"> &
  Pick<AdjustmentParams, "custodian" | "reference" | "file" | "line" | "currency" | "mappingVersion" | "rulesVersion"> & {
    readonly kind: "match" | "adjustment";
    readonly rule: string;
    readonly differenceMinor: number;
    readonly source: Source;
  };

/** The statement that closes or books the movement of a posting and returns its id; its own values stand from `$13` on. */
interface Source {
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

/** Closes a movement only as it was approved; `amountMinor` is what it must be over, `null` where it may differ. */
function closing({ movement, version }: { movement: string; version: number }, amountMinor: number | null): Source {
  const sql = `update books.movement set state = 'matched', version = version + 1
    where tenant = $1 and id = $13 and custodian = $3 and state = 'open' and version = $14 and currency = $8
      and ($15::integer is null or amount_minor = $15) returning id`;
  return { sql, values: [movement, version, amountMinor] };
}

function booking(bookedOn: string): Source {
  const sql = `insert into books.movement (tenant, custodian, reference, booked_on, amount_minor, currency, state)
    values ($1, $3, $4, $13::date, $7::integer, $8, 'matched') on conflict do nothing returning id`;
  return { sql, values: [bookedOn] };
}

async function post(client: Books, posting: Posting): Promise<string> {
  const { tenant, idempotencyKey, signal, kind, custodian, reference, file, line, currency, source } = posting;
  signal.throwIfAborted();
  // One statement, so one commit: without its movement nothing is posted. A second send finds it closed and changes nothing.
  await client.query(
    `with moved as (${source.sql})
     insert into books.posting (tenant, kind, custodian, reference, file, line, movement, difference_minor, currency, rule,
       rules_version, mapping_version, idempotency_key)
     select $1, $2, $3, $4, $5, $6::integer, id, $7::integer, $8, $9, $10, $11, $12 from moved`,
    [
      ...[tenant, kind, custodian, reference, file, line, posting.differenceMinor, currency],
      ...[posting.rule, posting.rulesVersion, posting.mappingVersion, idempotencyKey],
      ...source.values,
    ],
  );
  const { rows } = await client.query<{ id: string }>("select id from books.posting where tenant = $1 and idempotency_key = $2", [
    tenant,
    idempotencyKey,
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error("the books refused the posting: movement or row are not as they were");
  return row.id;
}
