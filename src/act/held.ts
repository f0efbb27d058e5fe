import type { EffectTask } from "../approve/effect-task.ts";
import type { LicensedEffect } from "../approve/licence.ts";
import type { Approved } from "../contract/approval.ts";
import type { AnyEffect } from "../contract/effect.ts";
import type { OperationState } from "../contract/words.ts";

/** An operation that this worker holds under a fence and a lease. Times in milliseconds, of the store's clock unless said otherwise. */
export interface Held {
  readonly tenant: string;
  readonly id: string;
  readonly task: EffectTask;
  readonly approvalId: string;
  readonly generation: number;
  /** Sends that were begun, the one to come included once it is committed. */
  readonly attempts: number;
  readonly fence: number;
  /** The state in which this worker found or made it. */
  readonly foundState: OperationState;
  readonly lastEntryId: string;
  readonly createdAt: number;
  readonly deadlineAt: number;
  /** The last instant at which a send of this operation may have been on its way. */
  readonly lastSendAt: number;
  /** By the monotonic clock of this process, read before the lease was committed. */
  readonly heldSinceMs: number;
}

/** A held operation that may be sent: its licence came out of `verifyApproval`. */
export interface Sendable {
  readonly held: Held;
  /** How the operation stood before this send was begun: so it stands again where nothing is sent. */
  readonly unsent: Pick<Held, "attempts" | "lastSendAt">;
  readonly licence: Approved<LicensedEffect>;
}

/** The last instant at which a send may be on its way that begins in the first half of a lease, in milliseconds after its start. */
export function sendingMs(leaseMs: number, effect: Pick<AnyEffect, "timeoutMs">): number {
  return leaseMs / 2 + effect.timeoutMs;
}
