import type { Context, Need, Passage, RecordRow } from "../contract/context.ts";
import type { Fact } from "../contract/fact.ts";
import { foundBefore } from "../contract/found-passages.ts";
import type { Remembered } from "../contract/memory.ts";

/** What a fixed context holds: the passages, facts and memory of a need by its name, the rows of a query by its name. */
export interface FixedItems {
  readonly passages?: { readonly [need: string]: readonly Omit<Passage, "kind" | "need">[] };
  readonly records?: { readonly [query: string]: readonly Omit<RecordRow, "kind" | "need" | "query">[] };
  readonly facts?: { readonly [need: string]: readonly Omit<Fact, "kind" | "need" | "at">[] };
  readonly memory?: { readonly [need: string]: readonly Omit<Remembered, "kind" | "need">[] };
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
export function fixedContext({ passages = {}, records = {}, facts = {}, memory = {} }: FixedItems): FixedContext {
  const asked: Need[] = [];
  return {
    isFake: true,
    asked,
    findPassages: async (need, { at }) => {
      asked.push(need);
      const found = (passages[need.name] ?? []).slice(0, need.limit);
      return foundBefore(
        found.map((passage) => ({ ...passage, kind: "passage", need: need.name })),
        at,
      );
    },
    readFacts: async (need) => {
      asked.push(need);
      return (facts[need.name] ?? [])
        .slice(0, need.limit)
        .map((fact) => ({ ...fact, kind: "fact", need: need.name, at: need.at }));
    },
    recall: async (need) => {
      asked.push(need);
      return (memory[need.name] ?? []).slice(0, need.limit).map((piece) => ({ ...piece, kind: "memory", need: need.name }));
    },
    readRecords: async (need) => {
      asked.push(need);
      return (records[need.query] ?? []).map((row) => ({ ...row, kind: "record", need: need.name, query: need.query }));
    },
  };
}
