import type { EffectTask } from "../approve/effect-task.ts";
import type { Snapshot } from "../contract/effect.ts";
import { type ErrorCode, isCountersignError } from "../contract/errors.ts";
import { canonicalJson } from "../contract/json.ts";
import { sha256Digest } from "../store/digest.ts";
import type { Acting } from "./acting.ts";
import { isWithin } from "./tolerance.ts";

/** Whether the first send may go out. */
export type BeforeCheck =
  | { readonly kind: "holds" }
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly rule: string; readonly observed: Snapshot };

/**
 * Reads the state before anew, under the observing credential, and compares it with the state that was approved; then the effect's
 * own requirements. What cannot be read is refused: nothing was sent yet. Check and send are not one step unless the target takes
 * a version: what changes in between is found by the read afterwards.
 */
export async function checkBefore(task: EffectTask, { readRecords, measure, clock }: Acting): Promise<BeforeCheck> {
  const { effect, params, proposed, requester } = task;
  let before: Snapshot;
  try {
    const need = {
      kind: "records",
      name: "before",
      query: effect.before.query,
      params: effect.before.params(params),
      maxAgeMs: 0,
    } as const;
    const scopes = measure.policy.scopes(requester);
    const rows = await readRecords(need, { principal: requester, scopes, environment: measure.environment, at: clock.now() });
    before = effect.before.project(rows.map((row) => row.row));
  } catch (thrown) {
    const code = isCountersignError(thrown, "record_changed") ? thrown.code : "record_unavailable";
    return { kind: "refused", code, rule: "before_unreadable", observed: null };
  }
  if (!isAsApproved(proposed, before, effect.before.tolerance))
    return { kind: "refused", code: "stale_before_state", rule: "before_digest", observed: before };
  if (effect.limits?.allows !== undefined && !holds(() => effect.limits?.allows?.(params) ?? false))
    return { kind: "refused", code: "precondition_failed", rule: "target_not_allowed", observed: before };
  const broken = effect.requires.find((requirement) => !holds(() => requirement.holds(params, before)));
  if (broken === undefined) return { kind: "holds" };
  return { kind: "refused", code: "precondition_failed", rule: broken.name, observed: before };
}

/** By the digest that was signed; where numbers may have moved, field by field. */
function isAsApproved(
  { before: approved, beforeDigest }: EffectTask["proposed"],
  found: Snapshot,
  tolerance: EffectTask["effect"]["before"]["tolerance"],
): boolean {
  if (sha256Digest.sha256(canonicalJson(found)) === beforeDigest) return true;
  return tolerance !== undefined && isWithin({ approved, found, tolerance });
}

/** A requirement that throws does not hold. */
function holds(test: () => boolean): boolean {
  try {
    return test() === true;
  } catch {
    return false;
  }
}
