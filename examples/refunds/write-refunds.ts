import type pg from "pg";
import type { Shop } from "./connectors.ts";
import { type RefundParams, type ReversalParams, refundRef } from "./effects.ts";

/** One write: for whom, what, and with which key against doubles. */
export interface Write<P> {
  readonly tenant: string;
  readonly params: P;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

/**
 * Issues a refund at the payment provider, books it, and tells the customer: three systems, so three commits, each of them once however
 * often it is sent. A thrown error says nothing of what happened: any of the three may have been done.
 */
export async function issueRefund(
  client: Shop,
  { tenant, params, idempotencyKey, signal }: Write<RefundParams>,
): Promise<string> {
  const ref = refundRef(params);
  const { order, line, payment, currency, amountMinor, refundedMinor, reason, version } = params;
  return inSession({ client, signal }, async ({ run }) => {
    // One statement, so one transaction: refunded is only from the version that was approved, never more than was paid, to its payment.
    // A second send waits for the first one's lock, finds another version and issues nothing.
    await run(
      `with paid as (
         select l.purchase, l.line, p.payment, p.currency
         from shop.purchase_line l join shop.purchase p on p.tenant = l.tenant and p.id = l.purchase
         where l.tenant = $1 and l.purchase = $2 and l.line = $3 and l.version = $4 and l.refunded_minor = $5
           and l.refunded_minor + $6 <= l.total_minor and p.payment = $7 and p.currency = $8
         for update of l),
       issued as (
         insert into shop.refund (tenant, purchase, line, payment, currency, amount_minor, reason, ref, idempotency_key)
         select $1, purchase, line, payment, currency, $6, $9, $10, $11 from paid returning purchase, line)
       update shop.purchase_line l set refunded_minor = l.refunded_minor + $6, version = l.version + 1
       from issued where l.tenant = $1 and l.purchase = issued.purchase and l.line = issued.line`,
      [tenant, order, line, version, refundedMinor, amountMinor, payment, currency, reason, ref, idempotencyKey],
    );
    const refund = await run("select id from shop.refund where tenant = $1 and idempotency_key = $2", [tenant, idempotencyKey]);
    if (refund.length === 0) throw new Error("the payment provider refused the refund: the line is not as it was");
    await book(run, { tenant, ref, kind: "refund", currency, amountMinor: -amountMinor });
    await show(run, { tenant, order, line, status: "refund_on_its_way", ref });
    return replied(await run("select shop.reply($1) as id", [String(refund[0]?.["id"])]));
  });
}

/** Calls a refund back and undoes what came after it, in the same three commits. The error is to be read as above. */
export async function reverse(client: Shop, { tenant, params, idempotencyKey, signal }: Write<ReversalParams>): Promise<string> {
  const ref = refundRef(params);
  const { order, line, currency, amountMinor, isBooked } = params;
  return inSession({ client, signal }, async ({ run }) => {
    await run(
      `with called_back as (
         update shop.refund set state = 'reversed', reversal_key = $3
         where tenant = $1 and ref = $2 and state = 'issued' and amount_minor = $4 returning purchase, line)
       update shop.purchase_line l set refunded_minor = l.refunded_minor - $4, version = l.version + 1
       from called_back where l.tenant = $1 and l.purchase = called_back.purchase and l.line = called_back.line`,
      [tenant, ref, idempotencyKey, amountMinor],
    );
    const refund = await run("select id from shop.refund where tenant = $1 and reversal_key = $2", [tenant, idempotencyKey]);
    if (refund.length === 0) throw new Error("the payment provider refused the reversal: the refund is not out");
    if (isBooked) await book(run, { tenant, ref, kind: "reversal", currency, amountMinor });
    await show(run, { tenant, order, line, status: "refund_withdrawn", ref });
    return replied(await run("select shop.reply($1) as id", [String(refund[0]?.["id"])]));
  });
}

type Run = (sql: string, values: readonly (string | number)[]) => Promise<readonly pg.QueryResultRow[]>;

async function book(
  run: Run,
  booking: { tenant: string; ref: string; kind: "refund" | "reversal"; currency: string; amountMinor: number },
): Promise<void> {
  const { tenant, ref, kind, currency, amountMinor } = booking;
  await run(
    `insert into shop.booking (tenant, ref, kind, account, currency, amount_minor) values ($1, $2, $3, 'refunds', $4, $5)
     on conflict (tenant, ref, kind) do nothing`,
    [tenant, ref, kind, currency, amountMinor],
  );
}

async function show(
  run: Run,
  { tenant, order, line, status, ref }: { tenant: string; order: string; line: number; status: string; ref: string },
): Promise<void> {
  await run(
    `insert into shop.shown_status (tenant, purchase, line, status, ref) values ($1, $2, $3, $4, $5)
     on conflict (tenant, purchase, line) do update set status = excluded.status, ref = excluded.ref`,
    [tenant, order, line, status, ref],
  );
}

function replied(rows: readonly pg.QueryResultRow[]): string {
  const id: unknown = rows[0]?.["id"];
  if (typeof id !== "string") throw new Error("the payment provider gave no number");
  return id;
}

/** Runs writes in one session, which is thrown away after an error. Once the time limit is over no further write is sent. */
async function inSession<T>(
  { client, signal }: { client: Shop; signal: AbortSignal },
  work: (session: { run: Run }) => Promise<T>,
): Promise<T> {
  const session = await client.connect();
  // A session that the server ends while it is held must not end the process; the query in flight fails.
  session.on("error", ignore);
  let isSpoilt = true;
  try {
    const result = await work({
      run: async (sql, values) => {
        signal.throwIfAborted();
        return (await session.query<pg.QueryResultRow>(sql, [...values])).rows;
      },
    });
    isSpoilt = false;
    return result;
  } finally {
    session.off("error", ignore);
    session.release(isSpoilt);
  }
}

function ignore(): void {}
