import type { Context, Need, Passage, RecordRow } from "../contract/context.ts";

/** What a fixed context holds: the passages of a need by its name, the rows of a query by its name. */
export interface FixedItems {
  readonly passages?: { readonly [need: string]: readonly Omit<Passage, "kind" | "need">[] };
  readonly records?: { readonly [query: string]: readonly Omit<RecordRow, "kind" | "need" | "query">[] };
}

/** A context that says that it is a fake, and remembers what it was asked for. */
export interface FixedContext extends Context {
  readonly isFake: true;
  readonly asked: readonly Need[];
}

/**
 * Makes a fake context over fixed items. It searches nothing and checks no permission: every query gets the items of its name, an
 * unknown name gets none.
 * @example
 * fixedContext({ records: { "rooms.free": [{ id: "rooms.free:r1", row: { id: "r1" }, labels: { id: "system" }, readAt: 0 }] } });
 */
export function fixedContext({ passages = {}, records = {} }: FixedItems): FixedContext {
  const asked: Need[] = [];
  return {
    isFake: true,
    asked,
    findPassages: async (need) => {
      asked.push(need);
      return (passages[need.name] ?? [])
        .slice(0, need.limit)
        .map((passage) => ({ ...passage, kind: "passage", need: need.name }));
    },
    readRecords: async (need) => {
      asked.push(need);
      return (records[need.query] ?? []).map((row) => ({ ...row, kind: "record", need: need.name, query: need.query }));
    },
  };
}
