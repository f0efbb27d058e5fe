import type { Context, ContextItem, Need } from "../contract/context.ts";
import { type ErrorCode, isCountersignError } from "../contract/errors.ts";
import { toFrozenJson } from "../contract/json.ts";
import type { Envelope } from "../contract/principal.ts";

/** What one need brought: items, nothing at or above the refusal bar, rows that are too old, or a fault by its code. */
export type NeedRead =
  | { readonly kind: "found"; readonly items: readonly ContextItem[] }
  | { readonly kind: "nothing" }
  | { readonly kind: "too_old" }
  | { readonly kind: "failed"; readonly fault: ErrorCode };

/** Reads one need through the port, for node 3 and for the tools of a loop alike. Never throws. */
export async function readNeed({
  need,
  envelope,
  context,
}: {
  need: Need;
  envelope: Envelope;
  context: Context;
}): Promise<NeedRead> {
  try {
    const read =
      need.kind === "passages" ? await readPassages({ need, envelope, context }) : await readRecords({ need, envelope, context });
    if (read.kind !== "found") return read;
    // A copy of the port's values that nobody else holds; items are plain data.
    return { kind: "found", items: read.items.map((item) => toFrozenJson(item) as unknown as ContextItem) };
  } catch (thrown) {
    return { kind: "failed", fault: isCountersignError(thrown) ? thrown.code : "internal" };
  }
}

type Reading<K extends Need["kind"]> = { need: Need & { kind: K }; envelope: Envelope; context: Context };

async function readPassages({ need, envelope, context }: Reading<"passages">): Promise<NeedRead> {
  const passages = await context.findPassages(need, envelope);
  return passages.some((passage) => passage.score >= need.minimumScore)
    ? { kind: "found", items: passages }
    : { kind: "nothing" };
}

async function readRecords({ need, envelope, context }: Reading<"records">): Promise<NeedRead> {
  const rows = await context.readRecords(need, envelope);
  // A row read before the request is as old as the request; one read after it is fresh. Written so that an unknown age is too old.
  return rows.every((row) => envelope.at - row.readAt <= need.maxAgeMs) ? { kind: "found", items: rows } : { kind: "too_old" };
}
