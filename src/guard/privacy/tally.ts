import type { Replaced } from "../../contract/privacy.ts";

/** What became of one text or number, and what was replaced in it. */
export interface ReplacedLeaf<T> {
  readonly value: T;
  readonly rows: readonly Omit<Replaced, "count">[];
}

/** Counts what was replaced over all places of a payload. */
export interface Tally {
  /** Counts one place, and returns its new value. */
  readonly add: <T>(leaf: ReplacedLeaf<T>) => T;
  readonly rows: () => readonly Replaced[];
}

/** Opens a count. */
export function tallyOf(): Tally {
  const counts = new Map<string, Replaced>();
  return {
    add: (leaf) => {
      for (const row of leaf.rows) {
        const id = `${row.class} ${row.kind} ${row.treatment} ${row.standIn}`;
        counts.set(id, { ...row, count: (counts.get(id)?.count ?? 0) + 1 });
      }
      return leaf.value;
    },
    rows: () => [...counts.values()],
  };
}
