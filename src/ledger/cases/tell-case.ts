import { CountersignError } from "../../contract/errors.ts";
import type { Json } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import type { Tx } from "../../store/database.ts";
import type { PayloadKeys } from "../payload.ts";
import { hashOf, sealEventBody } from "./run-body.ts";

/** Something that happened to a case; `at` in milliseconds since the epoch, by the store's clock. */
export interface Telling {
  readonly tenant: string;
  readonly runId: string;
  readonly id: string;
  readonly name: string;
  /** Checked against the event's schema before. */
  readonly body: Json;
  readonly by: string;
  /** The sender's own word against telling twice. */
  readonly key: string | null;
  readonly at: number;
}

/**
 * Keeps an event until a step takes it up, in the caller's transaction, and returns its id: that of the first where it was told before
 * under this key. Throws `idempotency_conflict` where that said something else, `too_large` where too many wait.
 */
export async function tellCase(
  tx: Tx,
  telling: Telling,
  keys: PayloadKeys,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { tenant, runId, id, name, body, by, key, at } = telling;
  await refuseFlood(tx, telling);
  const bodyHash = hashOf({ name, body, by }, { tenant, keys });
  const sealed = sealEventBody(body, { tenant, id, keys });
  const made = await tx
    .insertInto("case_event")
    .values({ tenant, run_id: runId, id, name, key, by_principal: by, body: sealed, body_hash: bodyHash, at: new Date(at) })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (made !== undefined) return { id, isNew: true };
  const first = await tx
    .selectFrom("case_event")
    .select(["id", "body_hash"])
    .where("tenant", "=", tenant)
    .where("run_id", "=", runId)
    .where("key", "=", key)
    .executeTakeFirst();
  if (first?.body_hash.equals(bodyHash) === true) return { id: first.id, isNew: false };
  throw new CountersignError("idempotency_conflict", "this key came with another event; use a new key");
}

async function refuseFlood(tx: Tx, { tenant, runId }: Telling): Promise<void> {
  const waiting = await tx
    .selectFrom("case_event")
    .select("id")
    .where("tenant", "=", tenant)
    .where("run_id", "=", runId)
    .where("taken_place", "is", null)
    .limit(limits.caseEventsWaiting)
    .execute();
  if (waiting.length < limits.caseEventsWaiting) return;
  const message = `${limits.caseEventsWaiting} events wait in this case for a step to take them up; it takes no more until then`;
  throw new CountersignError("too_large", message);
}
