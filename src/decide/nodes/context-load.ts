import type { Context, ContextItem, Need } from "../../contract/context.ts";
import type { Stop } from "../../contract/decision.ts";
import { isCountersignError } from "../../contract/errors.ts";
import { canonicalJson, toFrozenJson } from "../../contract/json.ts";
import type { Envelope } from "../../contract/principal.ts";
import { isStop, type Node, stopAt } from "../state.ts";

/**
 * Node 3: only the passages and records that this decision needs, each with its provenance.
 * Where the sources hold nothing at or above the bar the decision stops here, before any model is called.
 */
export const contextLoad: Node<"inputs" | "envelope", "context"> = async (
  { inputs, envelope },
  { capability, context, digest },
) => {
  const needs = capability.needs({ inputs, envelope });
  const found = await Promise.all(needs.map((need) => load({ need, envelope, context })));
  const stop = found.find((items): items is Stop => !Array.isArray(items));
  if (stop !== undefined) return stop;
  const items = Object.freeze(found.flatMap((part) => (isStop(part) ? [] : part)));
  return { context: Object.freeze({ items, digest: digest.sha256(canonicalJson(items)) }) };
};

async function load({
  need,
  envelope,
  context,
}: {
  need: Need;
  envelope: Envelope;
  context: Context;
}): Promise<ContextItem[] | Stop> {
  try {
    const found =
      need.kind === "passages" ? await loadPassages({ need, envelope, context }) : await loadRecords({ need, envelope, context });
    // A copy of the port's values that nobody else holds; items are plain data.
    return isStop(found) ? found : found.map((item) => toFrozenJson(item) as unknown as ContextItem);
  } catch (thrown) {
    if (isCountersignError(thrown, "unserialisable"))
      return stopAt("context_load", "context_invalid", `\`${need.name}\` holds a value that JSON cannot keep`);
    const reason = need.kind === "passages" ? "knowledge_unavailable" : "record_unavailable";
    const code = isCountersignError(thrown) ? thrown.code : "internal";
    return stopAt("context_load", reason, `\`${need.name}\` could not be read: ${code}`);
  }
}

type Load<K extends Need["kind"]> = { need: Need & { kind: K }; envelope: Envelope; context: Context };

async function loadPassages({ need, envelope, context }: Load<"passages">): Promise<ContextItem[] | Stop> {
  const passages = await context.findPassages(need, envelope);
  if (passages.some((passage) => passage.score >= need.minimumScore)) return [...passages];
  return stopAt("context_load", "not_in_sources", "The sources do not say.");
}

async function loadRecords({ need, envelope, context }: Load<"records">): Promise<ContextItem[] | Stop> {
  const rows = await context.readRecords(need, envelope);
  // A row read before the request is as old as the request; one read after it is fresh.
  const tooOld = rows.find((row) => !(envelope.at - row.readAt <= need.maxAgeMs));
  if (tooOld === undefined) return [...rows];
  return stopAt("context_load", "record_unavailable", `\`${need.name}\` is older than ${need.maxAgeMs} ms`);
}
