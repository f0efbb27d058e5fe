import { sql } from "kysely";
import type { Tx } from "../store/database.ts";

/** An answer of a person that stands recorded by an entry. */
export interface GivenAnswer {
  readonly tenant: string;
  readonly decisionId: string;
  readonly entryId: string;
  readonly principal: string;
  readonly answer: "approved" | "rejected" | "edited";
  /** How long it was visible and focused, in milliseconds, as the console told; `null` where nobody told. */
  readonly viewedMs: number | null;
  /** By the store's clock, in milliseconds since the epoch. */
  readonly now: number;
}

/** Keeps what an answer took, in the transaction of its entry. Under the role `desk`. */
export async function keepAnswer(
  tx: Tx,
  { tenant, decisionId, entryId, principal, answer, viewedMs, now }: GivenAnswer,
): Promise<void> {
  await sql`
    insert into review_answer (tenant, entry_id, decision_id, principal, capability, answer, waited_ms, viewed_ms)
    select ${tenant}, ${entryId}, ${decisionId}, ${principal}, coalesce(decided.capability, ''), ${answer},
      greatest(0, ${now}::bigint - decided.ts), ${viewedMs}::integer
    from entry decided
    where decided.tenant = ${tenant} and decided.decision_id = ${decisionId} and decided.kind in ('decided', 'stopped')`.execute(
    tx,
  );
}
