import { CountersignError, type ErrorCode, faultName } from "../contract/errors.ts";
import { type Refusal, refusal } from "./refusal.ts";

const told: ReadonlySet<ErrorCode> = new Set(["payload_unreadable", "ledger_broken", "unserialisable"]);

/** The refusal of what could not be checked at all, whatever was thrown over it: what cannot be checked is not right. */
export function unverifiable(thrown: unknown): Refusal {
  if (thrown instanceof CountersignError && told.has(thrown.code))
    return refusal(thrown.code, "unreadable", "the decision cannot be read");
  // The kind of the fault without its text, which may hold what was read.
  const kind = faultName(thrown);
  return refusal("internal", "check_failed", `the check itself failed: ${kind}`);
}
