import type { Envelope } from "../../contract/principal.ts";

/** What one decision was shown as totals, and what it was not shown: nothing else ties two of its reads together. */
export interface DecisionMemory {
  /** By the word for whose data it is. */
  readonly released: Map<string, Released[]>;
  readonly hidden: Set<string>;
}

/** Totals that were shown: the groups of each subject where they are known, else the one question that was answered. */
export type Released =
  | { readonly kind: "groups"; readonly groupsOf: ReadonlyMap<string, readonly string[]>; readonly minimumGroup: number }
  | { readonly kind: "asked"; readonly question: string };

/** How long a decision may take and be remembered, in milliseconds; its lease is shorter. */
const keptMs = 20 * 60_000;
/** Most decisions at a time; the oldest are forgotten first. */
const mostKept = 10_000;

/** Memory by decision: who asks, and the reference time that all of its reads share. */
export function openDecisionMemory(clock: { readonly monotonic: () => number }): {
  readonly of: (envelope: Envelope) => DecisionMemory;
} {
  const kept = new Map<string, { readonly memory: DecisionMemory; readonly since: number }>();
  return {
    of({ principal, at }) {
      const now = clock.monotonic();
      // In the order of their beginning, so the first that is young ends it.
      for (const [key, { since }] of kept) {
        if (kept.size <= mostKept && now - since < keptMs) break;
        kept.delete(key);
      }
      const key = JSON.stringify([principal.tenant, principal.id, principal.onBehalfOf, at]);
      const known = kept.get(key);
      if (known !== undefined) return known.memory;
      const memory: DecisionMemory = { released: new Map(), hidden: new Set() };
      kept.set(key, { memory, since: now });
      return memory;
    },
  };
}
