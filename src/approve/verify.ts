import type { Approved } from "../contract/approval.ts";
import { CountersignError } from "../contract/errors.ts";
import { examineApproval } from "./examine.ts";
import type { LicensedEffect, LicensedSlice, Verified, Verifying } from "./licence.ts";
import { completeSignatures } from "./second-signature.ts";

// The one exception to "no module-level state": what was made here is known here, and no argument can vouch for anything else.
const made = new WeakSet<object>();

/**
 * Verifies an approval: examines it, and for high risk a second person's besides. The only maker of `Approved`. `awaits` where it holds
 * and another signature of the proposal is still missing; every other outcome is a refusal, and what cannot be checked is refused.
 */
export async function verifyApproval(verifying: Verifying): Promise<Verified> {
  const examined = await examineApproval(verifying);
  if (examined.kind === "refused") return examined;
  if (examined.kind === "slice") return approved(examined);
  const complete = await completeSignatures(verifying, examined);
  return complete.kind === "effect" ? approved(complete) : complete;
}

/** Asserts that a value came out of `verifyApproval`; stands before every send. Throws `approval_invalid`. */
export function assertApproved<T extends object>(value: Approved<T>): void {
  if (made.has(value)) return;
  throw new CountersignError("approval_invalid", "what was to be applied was never verified; nothing was sent");
}

function approved<T extends LicensedEffect | LicensedSlice>(licensed: T): Verified {
  const value = Object.freeze({ ...licensed });
  made.add(value);
  // The only cast to the brand: every check above has passed.
  return { kind: "approved", approved: value as unknown as Approved<LicensedEffect> | Approved<LicensedSlice> };
}
