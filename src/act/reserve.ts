import type { LicensedEffect, Verified } from "../approve/licence.ts";
import { type Refusal, refusal } from "../approve/refusal.ts";
import { verifyApproval } from "../approve/verify.ts";
import type { Approved } from "../contract/approval.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow, OperationRow } from "../store/tables.ts";
import { type Acting, leaseMsOf, type Sendable } from "./acting.ts";
import { closeApproval, lockOpenApproval } from "./approvals.ts";
import { beginOperation } from "./begin-operation.ts";
import { isTurnOf } from "./in-order.ts";
import { openSlice } from "./open-slice.ts";
import { holderOf, openStates } from "./operations.ts";
import { recordJoined, recordRefused } from "./outcomes.ts";

/** What became of an open approval. */
export type Reserved =
  | { readonly kind: "reserved"; readonly sendable: Sendable }
  | { readonly kind: "refused" | "joined" | "slice_set" }
  /** As it was: another worker is at it, or an effect before it or under its key is not complete yet. */
  | { readonly kind: "left" };

interface Taking {
  readonly tx: Tx;
  readonly row: ApprovalRow;
  readonly now: number;
  readonly acting: Acting;
}

/**
 * Takes one open approval: verifies it, and in the same commit consumes it, inserts the operation under its business key with fence,
 * lease and deadline, and writes `applying`. Everything that does not hold is refused with an entry. Nothing is sent here.
 */
export async function reserve({ tenant, approvalId }: { tenant: string; approvalId: string }, acting: Acting): Promise<Reserved> {
  // Before the commit, so that the lease by this process's clock is never longer than the committed one.
  const heldSinceMs = acting.clock.monotonic();
  return acting.database.inTenant(tenant, async (tx) => {
    const row = await lockOpenApproval(tx, { tenant, approvalId });
    if (row === undefined) return { kind: "left" };
    const taking = { tx, row, now: await acting.storeTime(tx), acting };
    const verified = await verify(taking);
    if (verified.kind === "refused") return refuse(taking, verified);
    const { approved } = verified;
    if (approved.kind === "slice") {
      await openSlice(tx, approved);
      await closeApproval(tx, row, "consumed");
      return { kind: "slice_set" };
    }
    return reserveEffect(taking, { licence: approved, heldSinceMs });
  });
}

/** What cannot be read cannot be verified, and is refused like anything else that is not right. */
async function verify({ tx, row, now, acting }: Taking): Promise<Verified> {
  try {
    return await verifyApproval({ tx, row, now, expects: "granted", measure: acting.measure });
  } catch (thrown) {
    if (!(thrown instanceof CountersignError)) throw thrown;
    if (thrown.code !== "payload_unreadable" && thrown.code !== "ledger_broken") throw thrown;
    return refusal(thrown.code, "unreadable", "the decision cannot be read");
  }
}

async function refuse({ tx, row, now, acting }: Taking, reason: Refusal): Promise<Reserved> {
  await closeApproval(tx, row, "refused");
  await recordRefused({ tx, row, now, acting, reason });
  return { kind: "refused" };
}

async function reserveEffect(
  taking: Taking,
  { licence, heldSinceMs }: { licence: Approved<LicensedEffect>; heldSinceMs: number },
): Promise<Reserved> {
  const { tx, row, now, acting } = taking;
  const { task } = licence;
  if (!(await isTurnOf(tx, task))) return { kind: "left" };
  const key = { tenant: task.tenant, effect: task.effect.name, key: task.proposed.key };
  const held = await beginOperation({ tx, row, now, acting, licence, heldSinceMs, leaseMs: leaseMsOf(task.effect) });
  if (held !== null) {
    await closeApproval(tx, row, "consumed");
    return { kind: "reserved", sendable: { held, licence } };
  }
  const holder = await holderOf(tx, key);
  // Freed in this instant: the next round begins anew.
  if (holder === undefined) return { kind: "left" };
  return meetHolder(taking, { licence, holder });
}

/** The business key is taken: the same change is one consequence and is joined when it is complete; anything else conflicts. */
async function meetHolder(
  taking: Taking,
  { licence, holder }: { licence: Approved<LicensedEffect>; holder: OperationRow },
): Promise<Reserved> {
  const { tx, row, now, acting } = taking;
  const { task } = licence;
  if (holder.decision_id === task.decisionId && holder.effect_index === task.effectIndex) {
    return refuse(taking, refusal("approval_used", "operation", "this effect of this proposal has an operation already"));
  }
  if (holder.params_digest !== task.proposed.paramsDigest) {
    return refuse(taking, refusal("key_conflict", "params", "the business key is in use with other params"));
  }
  if (openStates.some((state) => state === holder.state)) return { kind: "left" };
  if (holder.state !== "complete")
    return refuse(taking, refusal("key_conflict", holder.state, `the business key is frozen: ${holder.state}`));
  await closeApproval(tx, row, "consumed");
  await recordJoined({ tx, row, now, acting, task, holder });
  return { kind: "joined" };
}
