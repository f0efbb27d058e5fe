import type { OperationState } from "../contract/words.ts";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow, OperationRow } from "../store/tables.ts";

/**
 * Whether an effect may start: `now` when every effect before it was seen complete, `waits` while one still may be, `never` when one
 * ended otherwise.
 */
export type Turn = "now" | "waits" | "never";

/** Effects of a proposal start in listed order. Reads the rows of this one decision, by their indexes; a slice has no order. */
export async function turnOf(
  tx: Tx,
  { tenant, decision_id, effect_index }: Pick<ApprovalRow, "tenant" | "decision_id" | "effect_index">,
): Promise<Turn> {
  if (decision_id === null || effect_index === null || effect_index <= 0) return "now";
  const operations = await tx
    .selectFrom("operation")
    .select(["effect_index", "state", "approval_id", "second_approval_id"])
    .where("tenant", "=", tenant)
    .where("decision_id", "=", decision_id)
    .where("effect_index", "<", effect_index)
    .execute();
  const approvals = await tx
    .selectFrom("approval")
    .select(["id", "effect_index", "state"])
    .where("tenant", "=", tenant)
    .where("decision_id", "=", decision_id)
    .where("effect_index", "<", effect_index)
    .execute();
  const earlier = Array.from({ length: effect_index }, (_, index) =>
    standingOf({
      operations: operations.filter((one) => one.effect_index === index),
      approvals: approvals.filter((one) => one.effect_index === index),
    }),
  );
  if (earlier.includes("ended")) return "never";
  return earlier.includes("open") ? "waits" : "now";
}

interface Rows {
  readonly operations: readonly Pick<OperationRow, "state" | "approval_id" | "second_approval_id">[];
  readonly approvals: readonly { readonly id: string; readonly state: ApprovalRow["state"] }[];
}

const over: ReadonlySet<OperationState> = new Set(["escalated", "failed", "refused", "compensating", "compensated"]);

function standingOf({ operations, approvals }: Rows): "complete" | "open" | "ended" {
  if (operations.some(({ state }) => state === "complete")) return "complete";
  // Consumed without an operation of its own: it was joined to one that was seen complete under the same business key.
  const begun = new Set(operations.flatMap((operation) => [operation.approval_id, operation.second_approval_id]));
  if (approvals.some(({ id, state }) => state === "consumed" && !begun.has(id))) return "complete";
  if (operations.some(({ state }) => !over.has(state)) || approvals.some(({ state }) => state === "granted")) return "open";
  if (operations.length > 0) return "ended";
  // An expired approval may be given again; one that was refused is not.
  const isRefused = approvals.length > 0 && approvals.every(({ state }) => state === "refused");
  return isRefused ? "ended" : "open";
}
