import type { EffectTask } from "../approve/effect-task.ts";
import type { LicensedEffect, Measure } from "../approve/licence.ts";
import type { Approved } from "../contract/approval.ts";
import type { Context } from "../contract/context.ts";
import type { AnyEffect } from "../contract/effect.ts";
import { limits } from "../contract/limits.ts";
import type { Clock, Deadline, Ids } from "../contract/ports.ts";
import type { OperationState } from "../contract/words.ts";
import type { Database } from "../store/database.ts";
import type { StoreTime } from "../store/time.ts";
import type { Clients } from "./clients.ts";
import type { Hands } from "./hands.ts";

/** What the acting half works with; put together by `worker.ts`. */
export interface Acting {
  readonly database: Database;
  readonly measure: Measure;
  readonly hands: Hands;
  readonly clients: Clients;
  readonly readRecords: Context["readRecords"];
  readonly clock: Clock;
  readonly deadline: Deadline;
  readonly storeTime: StoreTime;
  readonly ids: Ids;
}

/** An operation that this worker holds under a fence and a lease. Times in milliseconds, of the store's clock unless said otherwise. */
export interface Held {
  readonly tenant: string;
  readonly id: string;
  readonly task: EffectTask;
  readonly approvalId: string;
  readonly generation: number;
  readonly attempts: number;
  readonly fence: number;
  /** The state in which this worker found or made it. */
  readonly foundState: OperationState;
  readonly lastEntryId: string;
  readonly createdAt: number;
  readonly deadlineAt: number;
  /** The last instant at which a send of this operation may have been on its way. */
  readonly lastSendAt: number;
  readonly leaseMs: number;
  /** By the monotonic clock of this process, read before the lease was committed. */
  readonly heldSinceMs: number;
}

/** A held operation that may be sent: its licence came out of `verifyApproval`. */
export interface Sendable {
  readonly held: Held;
  readonly licence: Approved<LicensedEffect>;
}

/**
 * How long a worker holds an operation of this effect, in milliseconds. A send starts in the first half of the lease and may take
 * `timeoutMs`, so no send of ours outlives it.
 */
export function leaseMsOf(effect: Pick<AnyEffect, "timeoutMs"> | undefined): number {
  return Math.max(limits.operationLeaseMs, 2 * (effect?.timeoutMs ?? 0));
}
