import type { OperationState } from "../contract/words.ts";
import type { BegunOf } from "../ledger/read.ts";

/**
 * Whether an effect may start: `now` when every effect before it was seen complete, `waits` while one still may be, `never` when one
 * ended otherwise.
 */
export type Turn = "now" | "waits" | "never";

/**
 * Effects of a proposal start in listed order. Asks the rows of operations and approvals, never what entries say. Of an effect that was
 * not proposed nothing is waited for: whoever verifies its approval refuses it.
 */
export function turnOf({ operations, approvals, effects }: BegunOf, effectIndex: number): Turn {
  if (effectIndex >= effects) return "now";
  const earlier = Array.from({ length: Math.max(effectIndex, 0) }, (_, index) =>
    standingOf({
      operations: operations.filter((one) => one.effect_index === index),
      approvals: approvals.filter((one) => one.effect_index === index),
    }),
  );
  if (earlier.includes("ended")) return "never";
  return earlier.includes("open") ? "waits" : "now";
}

const over: ReadonlySet<OperationState> = new Set(["escalated", "failed", "refused", "compensating", "compensated"]);

function standingOf({ operations, approvals }: Pick<BegunOf, "operations" | "approvals">): "complete" | "open" | "ended" {
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
