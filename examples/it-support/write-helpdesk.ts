import type pg from "pg";
import type { Helpdesk } from "./connectors.ts";

/** One write: for whom, under which name of the caller's, and with which key against doubles. */
export interface Write<P> {
  readonly tenant: string;
  readonly params: P;
  readonly ref: string;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

/**
 * Inserts a ticket once for each idempotency key and returns its number. A thrown error does not say that nothing happened: the reply may
 * have got lost after the commit.
 */
export async function insertTicket(
  client: Helpdesk,
  {
    tenant,
    params,
    ref,
    idempotencyKey,
    signal,
  }: Write<{ requester: string; device: string; kind: string; reason: string; note: string }>,
): Promise<string> {
  return inSession({ client, signal }, async (session) => {
    await session.query(
      `insert into helpdesk.ticket (tenant, requester, device, kind, status, reason, note, ref, idempotency_key)
       values ($1, $2, $3, $4, 'open', $5, $6, $7, $8) on conflict (tenant, idempotency_key) do nothing`,
      [tenant, params.requester, params.device, params.kind, params.reason, params.note, ref, idempotencyKey],
    );
    return replied(session, "select helpdesk.reply(id) as id from helpdesk.ticket where tenant = $1 and idempotency_key = $2", [
      tenant,
      idempotencyKey,
    ]);
  });
}

/** Inserts an order once for each idempotency key, marks the device, and returns the order's number. The error is to be read as above. */
export async function insertOrder(
  client: Helpdesk,
  { tenant, params, ref, idempotencyKey, signal }: Write<{ ticket: string; device: string; model: string; replacements: number }>,
): Promise<string> {
  return inSession({ client, signal }, async (session) => {
    // One statement, so one transaction. The device changes only with a new order, and only from the state that was approved.
    await session.query(
      `with placed as (
         insert into helpdesk.replacement_order (tenant, ticket, device, model, status, ref, idempotency_key)
         select $1, $2, id, $4, 'ordered', $5, $6 from helpdesk.device
         where tenant = $1 and id = $3 and state = 'in_use' and replacements = $7
         on conflict (tenant, idempotency_key) do nothing returning id)
       update helpdesk.device set state = 'replacement_ordered', replacements = $7 + 1
       where tenant = $1 and id = $3 and exists (select from placed)`,
      [tenant, params.ticket, params.device, params.model, ref, idempotencyKey, params.replacements],
    );
    return replied(
      session,
      "select helpdesk.reply(id) as id from helpdesk.replacement_order where tenant = $1 and idempotency_key = $2",
      [tenant, idempotencyKey],
    );
  });
}

/** Runs a write and its reply in one session, which is thrown away after an error: nobody knows what state it is in. */
async function inSession<T>(
  { client, signal }: { client: Helpdesk; signal: AbortSignal },
  work: (session: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const session = await client.connect();
  // A session that the server ends while it is held must not end the process; the query in flight fails.
  session.on("error", ignore);
  let isSpoilt = true;
  try {
    // Waiting for a session may have outlasted the time limit; nothing has been sent yet.
    signal.throwIfAborted();
    const result = await work(session);
    isSpoilt = false;
    return result;
  } finally {
    session.off("error", ignore);
    session.release(isSpoilt);
  }
}

async function replied(session: pg.PoolClient, sql: string, values: readonly string[]): Promise<string> {
  const { rows } = await session.query<{ id: string }>(sql, [...values]);
  const [row] = rows;
  if (row === undefined) throw new Error("the help desk refused the write: the device is not as it was");
  return row.id;
}

function ignore(): void {}
