import type { Clock } from "../contract/ports.ts";
import { tenantsOf } from "./open-group.ts";
import type { Pipe } from "./pipe.ts";

/** Keeps the leases of this process's open decisions, so that a slow model does not look like a dead decider. */
export interface Renewal {
  readonly watch: (tenant: string, decisionId: string) => void;
  readonly forget: (decisionId: string) => void;
  readonly stop: () => void;
}

interface Watched {
  readonly tenant: string;
  readonly decisionId: string;
  readonly since: number;
}

/** Starts renewing; a decision older than `longestMs` is no longer renewed, since whoever ran it has lost it. */
export function createRenewal({
  pipe,
  clock,
  leaseMs,
  longestMs,
}: {
  pipe: Pipe;
  clock: Clock;
  leaseMs: number;
  longestMs: number;
}): Renewal {
  const open = new Map<string, Watched>();
  const everyMs = leaseMs / 3;
  const timer = setInterval(() => {
    const now = clock.monotonic();
    for (const { decisionId, since } of open.values()) if (now - since > longestMs) open.delete(decisionId);
    // A young lease has two thirds left: most decisions end before they are ever renewed.
    const due = [...open.values()].filter(({ since }) => now - since >= everyMs);
    // A renewal that fails is tried again at the next turn; if the database stays away, the sweeper is right to end them.
    if (due.length > 0) pipe.call(renewCall(due, leaseMs)).catch(() => {});
  }, everyMs);
  timer.unref();
  return {
    watch: (tenant, decisionId) => void open.set(decisionId, { tenant, decisionId, since: clock.monotonic() }),
    forget: (decisionId) => void open.delete(decisionId),
    stop: () => clearInterval(timer),
  };
}

function renewCall(due: readonly Watched[], leaseMs: number) {
  return {
    name: "renew_leases",
    text: "select countersign.renew_leases($1, $2, $3)",
    values: [tenantsOf(due.map(({ tenant }) => tenant)), leaseMs, due.map(({ decisionId }) => decisionId).join("\n")],
  };
}
