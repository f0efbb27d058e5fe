import type { Clock } from "../contract/ports.ts";
import type { Database } from "../store/database.ts";
import type { StoreTime } from "../store/time.ts";
import { type Held, sendingMs } from "./held.ts";
import { renewLeases } from "./operations.ts";

/**
 * Keeps the leases of what this process has in hand, so that a slow call does not look like a dead worker and a dead worker's
 * operations are free within one lease. What it says rests on the monotonic clock alone: a process that was stopped and woke up
 * learns here, before it sends, that it was overtaken.
 */
export interface Leases {
  readonly watch: (held: Held, phase: Phase) => void;
  readonly forget: (held: Held) => void;
  readonly enter: (held: Held, phase: Phase) => void;
  /** Renews at once where more than half of the lease is gone: work before the send may have taken long. */
  readonly refresh: (held: Held) => Promise<void>;
  /** More than half of the lease is gone, or another worker has it: nothing may be sent any more. */
  readonly isHalfGone: (held: Held) => boolean;
  readonly stop: () => void;
}

/**
 * What is being done with an operation: it is only looked at, it is to be sent, or its send may be on its way. It decides whether a
 * renewal moves the last instant at which a send may be on its way.
 */
export type Phase = "looking" | "unsent" | "sending";

interface Watched {
  readonly held: Held;
  sinceMs: number;
  phase: Phase;
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
export function openLeases({ onError, ...keeping }: Keeping & { onError: (thrown: unknown) => void }): Leases {
  const { clock, leaseMs } = keeping;
  const open = new Map<string, Watched>();
  const keyOf = ({ tenant, id, fence }: Held): string => `${tenant}\n${id}\n${fence}`;
  const renewing = new Set<string>();
  const renew = (tenant: string, watched: readonly Watched[]): void => {
    // One at a time for a tenant: to a slow database a heap of the same would be no help.
    if (renewing.has(tenant)) return;
    renewing.add(tenant);
    // A renewal that fails is tried again at the next turn; if the database stays away, another worker is right to take over.
    void renewTenant({ ...keeping, tenant, watched })
      .catch(onError)
      .finally(() => renewing.delete(tenant));
  };
  const renewDue = (): void => {
    const due = [...open.values()].filter(({ sinceMs, isLost }) => !isLost && clock.monotonic() - sinceMs >= leaseMs / 3);
    for (const tenant of new Set(due.map(({ held }) => held.tenant))) {
      renew(
        tenant,
        due.filter(({ held }) => held.tenant === tenant),
      );
    }
  };
  const timer = setInterval(renewDue, leaseMs / 6);
  timer.unref();
  return {
    watch: (held, phase) => void open.set(keyOf(held), { held, phase, sinceMs: held.heldSinceMs, isLost: false }),
    forget: (held) => void open.delete(keyOf(held)),
    refresh: async (held) => {
      const watched = open.get(keyOf(held));
      if (watched === undefined || watched.isLost || clock.monotonic() - watched.sinceMs <= leaseMs / 2) return;
      await renewTenant({ ...keeping, tenant: held.tenant, watched: [watched] });
    },
    enter: (held, phase) => {
      const watched = open.get(keyOf(held));
      if (watched !== undefined) watched.phase = phase;
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
}: Keeping & { tenant: string; watched: readonly Watched[] }): Promise<void> {
  // Before the commit, so that the lease by this process's clock is never longer than the committed one.
  const sinceMs = clock.monotonic();
  const renewals = watched.map(({ held, phase }) => ({
    id: held.id,
    fence: held.fence,
    // Only what is not sent yet may still begin to be, in the first half of the new lease.
    mayStillSendMs: phase === "unsent" ? sendingMs(leaseMs, held.task.effect) : 0,
  }));
  const kept = await database.inTenant(tenant, async (tx) =>
    renewLeases(tx, { tenant, now: await storeTime(tx), leaseMs, renewals }),
  );
  for (const one of watched) {
    if (kept.has(one.held.id)) one.sinceMs = sinceMs;
    else one.isLost = true;
  }
}
