import type { Context, ContextItem, Need } from "../contract/context.ts";
import { assertNever, CountersignError, type ErrorCode, isCountersignError } from "../contract/errors.ts";
import { toFrozenJson } from "../contract/json.ts";
import type { MemoryRule } from "../contract/memory.ts";
import type { Envelope } from "../contract/principal.ts";
import type { NeedActivity } from "../contract/retrieval.ts";

/** What one need brought: items, nothing of what must be there, rows that are too old, or a fault by its code. */
export type NeedRead =
  | { readonly kind: "found"; readonly items: readonly ContextItem[]; readonly search?: NeedActivity }
  | { readonly kind: "nothing"; readonly search?: NeedActivity }
  | { readonly kind: "too_old" }
  | { readonly kind: "failed"; readonly fault: ErrorCode };

/** Reads one need through the port, for node 3 and for the tools of a loop alike. Never throws. */
export async function readNeed({
  need,
  envelope,
  context,
  remembers = [],
}: {
  need: Need;
  envelope: Envelope;
  context: Context;
  /** What the capability remembers; of anything else nothing is read. */
  remembers?: readonly MemoryRule[];
}): Promise<NeedRead> {
  try {
    const read = await readThrough({ need, envelope, context }, remembers);
    if (read.kind !== "found") return read;
    // A copy of the port's values that nobody else holds; items are plain data.
    return { ...read, items: read.items.map((item) => toFrozenJson(item) as unknown as ContextItem) };
  } catch (thrown) {
    return { kind: "failed", fault: isCountersignError(thrown) ? thrown.code : "internal" };
  }
}

async function readThrough({ need, envelope, context }: Asking, remembers: readonly MemoryRule[]): Promise<NeedRead> {
  switch (need.kind) {
    case "passages":
      return readPassages({ need, envelope, context });
    case "records":
      return readRecords({ need, envelope, context });
    case "facts":
      return readFacts({ need, envelope, context });
    case "memory":
      return readMemory({ need, envelope, context }, remembers);
    default:
      return assertNever(need);
  }
}

type Asking = { need: Need; envelope: Envelope; context: Context };
type Reading<K extends Need["kind"]> = { need: Need & { kind: K }; envelope: Envelope; context: Context };

async function readPassages({ need, envelope, context }: Reading<"passages">): Promise<NeedRead> {
  const { content: passages, references, activity, isGivenAgain = false } = await context.findPassages(need, envelope);
  const search = { need: need.name, references, activity };
  const isEnough = passages.some((passage) => passage.score >= need.minimumScore) || (isGivenAgain && passages.length === 0);
  return isEnough ? { kind: "found", items: passages, search } : { kind: "nothing", search };
}

async function readRecords({ need, envelope, context }: Reading<"records">): Promise<NeedRead> {
  const rows = await context.readRecords(need, envelope);
  // A row read before the request is as old as the request; one read after it is fresh. Written so that an unknown age is too old.
  return rows.every((row) => envelope.at - row.readAt <= need.maxAgeMs) ? { kind: "found", items: rows } : { kind: "too_old" };
}

async function readFacts({ need, envelope, context }: Reading<"facts">): Promise<NeedRead> {
  const facts = await context.readFacts(need, envelope);
  return facts.length === 0 && need.isRequired ? { kind: "nothing" } : { kind: "found", items: facts };
}

/** Memory is kept by a rule of the capability; one that it has no rule for is a fault of the definition. */
async function readMemory({ need, envelope, context }: Reading<"memory">, remembers: readonly MemoryRule[]): Promise<NeedRead> {
  const rule = remembers.find(({ of, scope }) => of === need.of && scope === need.scope);
  if (rule === undefined) {
    const message = `need \`${need.name}\` asks for memory that the capability does not keep; add a rule to \`remembers\``;
    throw new CountersignError("definition_invalid", message);
  }
  return { kind: "found", items: await context.recall({ ...need, rule }, envelope) };
}
