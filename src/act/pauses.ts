import type { Clock } from "../contract/ports.ts";

/** Which decisions' approvals are left alone for a while, since looking at them a moment ago changed nothing. */
export interface Pauses {
  /** The decisions of a tenant that are left alone now. */
  readonly of: (tenant: string) => readonly string[];
  /** Leaves a decision of a tenant alone; each time in a row for twice as long. */
  readonly pause: (tenant: string, decisionId: string) => void;
  /** Ends every pause of a tenant: something of it was completed, and others may have waited for it. */
  readonly end: (tenant: string) => void;
}

const firstMs = 100;
const longestMs = 2_000;

interface Pause {
  readonly tenant: string;
  readonly ms: number;
  readonly until: number;
}

/** Keeps pauses in this process alone; another worker that completes something ends none here, so none is long. */
export function createPauses(clock: Pick<Clock, "monotonic">): Pauses {
  const known = new Map<string, Pause>();
  return {
    of(tenant) {
      const now = clock.monotonic();
      return [...known].filter(([, pause]) => pause.tenant === tenant && pause.until > now).map(([decisionId]) => decisionId);
    },
    pause(tenant, decisionId) {
      const now = clock.monotonic();
      // Whoever was not looked at for so long does not wait any more.
      for (const [id, { until }] of known) if (until + longestMs * 2 < now) known.delete(id);
      const before = known.get(decisionId);
      if (before !== undefined && before.until > now) return;
      const ms = before === undefined ? firstMs : Math.min(before.ms * 2, longestMs);
      known.set(decisionId, { tenant, ms, until: now + ms });
    },
    end(tenant) {
      for (const [id, pause] of known) if (pause.tenant === tenant) known.delete(id);
    },
  };
}
