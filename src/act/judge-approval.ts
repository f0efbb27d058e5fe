import type { Accounts } from "../approve/accounts.ts";
import type { LicensedEffect, LicensedSlice } from "../approve/licence.ts";
import { type Refusal, refusal } from "../approve/refusal.ts";
import type { Stories } from "../approve/stories.ts";
import { unverifiable } from "../approve/unverifiable.ts";
import { verifyApproval } from "../approve/verify.ts";
import type { Approved } from "../contract/approval.ts";
import { limits } from "../contract/limits.ts";
import type { Stopped } from "../ledger/halts.ts";
import { isOfDatabase } from "../store/attempt.ts";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow } from "../store/tables.ts";
import type { Acting } from "./acting.ts";
import type { Turn } from "./turn.ts";

/** What is to become of an open approval, by all that one transaction sees. */
export type Judgement =
  | { readonly kind: "begin"; readonly licence: Approved<LicensedEffect> }
  | { readonly kind: "slice"; readonly licence: Approved<LicensedSlice> }
  | { readonly kind: "refused"; readonly reason: Refusal }
  | { readonly kind: "expired" }
  | { readonly kind: "withdrawn" }
  /** As it is: an effect before it is not complete yet, a signature is missing, or an emergency stop holds. */
  | { readonly kind: "left" };

/** What an approval is judged by. */
export interface Judging {
  readonly tx: Tx;
  readonly now: number;
  readonly acting: Pick<Acting, "measure">;
  readonly stories: Stories;
  readonly accounts: Accounts;
  readonly withdrawn: ReadonlySet<string>;
  readonly stopped: Stopped;
  readonly turn: Turn;
}

/** Judges one open approval whose row is locked. What fails while it is checked is refused, unless the database is at fault. */
export async function judgeApproval(row: ApprovalRow, judging: Judging): Promise<Judgement> {
  if (judging.withdrawn.has(row.id)) return { kind: "withdrawn" };
  try {
    return await judge(row, judging);
  } catch (thrown) {
    // A fault of the database spoils the transaction, and whoever began it decides what that means.
    if (isOfDatabase(thrown)) throw thrown;
    return { kind: "refused", reason: unverifiable(thrown) };
  }
}

/** Says whether an approval is verified now. What waits for its turn is not, until it is so old that it expires. */
export function isLookedAt({ row, turn, now }: { row: ApprovalRow; turn: Turn; now: number }): boolean {
  return turn !== "waits" || isOld(row, now);
}

function isOld(row: ApprovalRow, now: number): boolean {
  return now >= row.created_at.getTime() + limits.approvalMs;
}

function isAllStopped({ halts }: Stopped): boolean {
  return halts.some(({ scope }) => scope === "tenant");
}

async function judge(row: ApprovalRow, { tx, now, acting, stories, accounts, stopped, turn }: Judging): Promise<Judgement> {
  if (!isLookedAt({ row, turn, now })) return { kind: "left" };
  if (row.decision_id !== null && isAllStopped(stopped) && !isOld(row, now)) return { kind: "left" };
  const verified = await verifyApproval({ tx, row, now, expects: "granted", measure: acting.measure, stories, accounts });
  if (verified.kind === "refused")
    return verified.code === "approval_expired" ? { kind: "expired" } : { kind: "refused", reason: verified };
  if (verified.kind === "awaits") return { kind: "left" };
  const { approved } = verified;
  if (approved.kind === "slice") return { kind: "slice", licence: approved };
  if (turn === "waits") return { kind: "left" };
  if (turn === "never")
    return {
      kind: "refused",
      reason: refusal("precondition_failed", "effect_before", "an effect before this one did not succeed"),
    };
  const { effect, proposal } = approved.task;
  // Stops of a whole tenant were asked before the costly part.
  if (stopped.isStopped({ effect: effect.name, capability: proposal.capability })) return { kind: "left" };
  return { kind: "begin", licence: approved };
}
