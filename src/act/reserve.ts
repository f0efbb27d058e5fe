import type { LicensedEffect, LicensedSlice } from "../approve/licence.ts";
import { type Refusal, refusal } from "../approve/refusal.ts";
import { unverifiable } from "../approve/unverifiable.ts";
import { verifyApproval } from "../approve/verify.ts";
import type { Approved } from "../contract/approval.ts";
import { limits } from "../contract/limits.ts";
import { attempt } from "../store/attempt.ts";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow, OperationRow } from "../store/tables.ts";
import { type Acting, leaseMsOf, type Sendable } from "./acting.ts";
import { closeApproval, isWithdrawn, lockOpenApproval } from "./approvals.ts";
import { beginOperation } from "./begin-operation.ts";
import { openSlice } from "./open-slice.ts";
import { holderOf, openStates } from "./operations.ts";
import { recordExpired, recordJoined, recordRefused } from "./outcomes.ts";
import { turnOf } from "./turn.ts";

/** What became of an open approval. */
export type Reserved =
  | { readonly kind: "reserved"; readonly sendable: Sendable }
  | { readonly kind: "refused" | "expired" | "joined" | "slice_set" | "withdrawn" }
  /** As it was: another worker is at it, an effect before it or under its key is not complete yet, or a signature is missing. */
  | { readonly kind: "left" };

interface Taking {
  readonly tx: Tx;
  readonly row: ApprovalRow;
  readonly now: number;
  readonly acting: Acting;
}

/**
 * Takes one open approval: verifies it, and in the same commit consumes it and the second one that high risk takes, inserts the
 * operation under its business key with fence, lease and deadline, and writes `applying`. Everything that does not hold is refused with an entry, and so is what fails while it is
 * checked, unless the database is at fault. Nothing is sent here.
 */
export async function reserve({ tenant, approvalId }: { tenant: string; approvalId: string }, acting: Acting): Promise<Reserved> {
  // Before the commit, so that the lease by this process's clock is never longer than the committed one.
  const heldSinceMs = acting.clock.monotonic();
  return acting.database.inTenant(tenant, async (tx) => {
    const row = await lockOpenApproval(tx, { tenant, approvalId });
    if (row === undefined) return { kind: "left" };
    const taking = { tx, row, now: await acting.storeTime(tx), acting };
    const attempted = await attempt(tx, () => take(taking, heldSinceMs));
    return attempted.kind === "done" ? attempted.value : refuse(taking, unverifiable(attempted.thrown));
  });
}

async function take(taking: Taking, heldSinceMs: number): Promise<Reserved> {
  const { tx, row, now, acting } = taking;
  if (await isWithdrawn(tx, { tenant: row.tenant, approvalId: row.id })) return closeWithdrawn(taking);
  const turn = await turnOf(tx, row);
  // Before the costly part; an old one is verified all the same, so that it expires.
  if (turn === "waits" && now < row.created_at.getTime() + limits.approvalMs) return { kind: "left" };
  const verified = await verifyApproval({ tx, row, now, expects: "granted", measure: acting.measure });
  if (verified.kind === "refused") return verified.code === "approval_expired" ? expire(taking) : refuse(taking, verified);
  if (verified.kind === "awaits") return { kind: "left" };
  const { approved } = verified;
  if (approved.kind === "slice") return setThreshold(taking, approved);
  if (turn === "waits") return { kind: "left" };
  if (turn === "never")
    return refuse(taking, refusal("precondition_failed", "effect_before", "an effect before this one did not succeed"));
  if (!(await holdSecond(tx, approved))) return { kind: "left" };
  return reserveEffect(taking, { licence: approved, heldSinceMs });
}

/** The entry was written with the withdrawal; only the row is left to close. */
async function closeWithdrawn({ tx, row }: Taking): Promise<Reserved> {
  await closeApproval(tx, row, "withdrawn");
  return { kind: "withdrawn" };
}

/** Locks the second approval, where there is one: it must be open and not withdrawn at the commit that consumes both. */
async function holdSecond(tx: Tx, { second, task: { tenant } }: Approved<LicensedEffect>): Promise<boolean> {
  if (second === null) return true;
  const { approvalId } = second;
  const isHeld = (await lockOpenApproval(tx, { tenant, approvalId })) !== undefined;
  return isHeld && !(await isWithdrawn(tx, { tenant, approvalId }));
}

async function consume({ tx, row }: Taking, { second }: Approved<LicensedEffect>): Promise<void> {
  await closeApproval(tx, row, "consumed");
  if (second !== null) await closeApproval(tx, { tenant: row.tenant, id: second.approvalId }, "consumed");
}

async function setThreshold(taking: Taking, licence: Approved<LicensedSlice>): Promise<Reserved> {
  if (!(await openSlice(taking.tx, licence)))
    return refuse(taking, refusal("approval_used", "newer_threshold", "a threshold that was signed later stands"));
  await closeApproval(taking.tx, taking.row, "consumed");
  return { kind: "slice_set" };
}

async function refuse({ tx, row, now, acting }: Taking, reason: Refusal): Promise<Reserved> {
  await closeApproval(tx, row, "refused");
  await recordRefused({ tx, row, now, acting, reason });
  return { kind: "refused" };
}

/** Nobody is refused here: the time ran out, perhaps because no worker was there. */
async function expire(taking: Taking): Promise<Reserved> {
  await closeApproval(taking.tx, taking.row, "expired");
  await recordExpired(taking);
  return { kind: "expired" };
}

async function reserveEffect(
  taking: Taking,
  { licence, heldSinceMs }: { licence: Approved<LicensedEffect>; heldSinceMs: number },
): Promise<Reserved> {
  const { tx, row, now, acting } = taking;
  const { task } = licence;
  const key = { tenant: task.tenant, effect: task.effect.name, key: task.proposed.key };
  const held = await beginOperation({ tx, row, now, acting, licence, heldSinceMs, leaseMs: leaseMsOf(task.effect) });
  if (held !== null) {
    await consume(taking, licence);
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
  await consume(taking, licence);
  await recordJoined({ tx, row, now, acting, task, holder });
  return { kind: "joined" };
}
