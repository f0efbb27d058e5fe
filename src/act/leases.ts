import type { Clock } from "../contract/ports.ts";
import type { Database } from "../store/database.ts";
import type { StoreTime } from "../store/time.ts";
import type { Held } from "./held.ts";
import { renewLeases } from "./operations.ts";

/**
 * Keeps the leases of what this process has in hand, so that a slow call does not look like a dead worker and a dead worker's
 * operations are free within one lease. What it says rests on the monotonic clock alone: a process that was stopped and woke up
 * learns here, before it sends, that it was overtaken.
 */
export interface Leases {
  readonly watch: (held: Held) => void;
  readonly forget: (held: Held) => void;
  /** From now on a send may be on its way; the lease is kept, and the instant of the last possible send stays as it is. */
  readonly sending: (held: Held) => void;
  /** Renews at once where more than half of the lease is gone: work before the send may have taken long. */
  readonly refresh: (held: Held) => Promise<void>;
  /** More than half of the lease is gone, or another worker has it: nothing may be sent any more. */
  readonly isHalfGone: (held: Held) => boolean;
  readonly stop: () => void;
}

interface Watched {
  readonly held: Held;
  sinceMs: number;
  isSending: boolean;
  isLost: boolean;
}

/** What keeping leases takes. */
export interface Keeping {
  readonly database: Database;
  readonly clock: Clock;
  readonly storeTime: StoreTime;
  readonly leaseMs: number;
}

/** Starts keeping leases of `leaseMs`; each is renewed when a third of it is gone, all of a tenant in one statement. */
export function openLeases({
  onError,
  ...keeping
}: Keeping & {
  onError: (thrown: unknown) => void;
}): Leases {
  const { clock, leaseMs } = keeping;
  const open = new Map<string, Watched>();
  const keyOf = ({ tenant, id, fence }: Held): string => `${tenant}\n${id}\n${fence}`;
  const renew = (): void => {
    const due = [...open.values()].filter(({ sinceMs, isLost }) => !isLost && clock.monotonic() - sinceMs >= leaseMs / 3);
    for (const tenant of new Set(due.map(({ held }) => held.tenant))) {
      const ours = due.filter(({ held }) => held.tenant === tenant);
      // A renewal that fails is tried again at the next turn; if the database stays away, another worker is right to take over.
      renewTenant({ ...keeping, tenant, watched: ours }).catch(onError);
    }
  };
  const timer = setInterval(renew, leaseMs / 6);
  timer.unref();
  return {
    watch: (held) => void open.set(keyOf(held), { held, sinceMs: held.heldSinceMs, isSending: false, isLost: false }),
    forget: (held) => void open.delete(keyOf(held)),
    refresh: async (held) => {
      const watched = open.get(keyOf(held));
      if (watched === undefined || watched.isLost || clock.monotonic() - watched.sinceMs <= leaseMs / 2) return;
      await renewTenant({ ...keeping, tenant: held.tenant, watched: [watched] });
    },
    sending: (held) => {
      const watched = open.get(keyOf(held));
      if (watched !== undefined) watched.isSending = true;
    },
    isHalfGone: (held) => {
      const watched = open.get(keyOf(held));
      return watched === undefined || watched.isLost || clock.monotonic() - watched.sinceMs > leaseMs / 2;
    },
    stop: () => clearInterval(timer),
  };
}

async function renewTenant({
  database,
  clock,
  storeTime,
  leaseMs,
  tenant,
  watched,
}: Keeping & {
  tenant: string;
  watched: readonly Watched[];
}): Promise<void> {
  // Before the commit, so that the lease by this process's clock is never longer than the committed one.
  const sinceMs = clock.monotonic();
  const renewals = watched.map(({ held, isSending }) => ({
    id: held.id,
    fence: held.fence,
    // A send that is not begun yet may begin in the first half of the new lease; one that is on its way was counted before.
    mayStillSendMs: isSending ? 0 : leaseMs / 2 + held.task.effect.timeoutMs,
  }));
  const kept = await database.inTenant(tenant, async (tx) =>
    renewLeases(tx, { tenant, now: await storeTime(tx), leaseMs, renewals }),
  );
  for (const one of watched) {
    if (kept.has(one.held.id)) one.sinceMs = sinceMs;
    else one.isLost = true;
  }
}
