import type { ContextItem, Need } from "../../contract/context.ts";
import type { Stop } from "../../contract/decision.ts";
import { canonicalJson } from "../../contract/json.ts";
import { type NeedRead, readNeed } from "../read-need.ts";
import { isStop, type Node, stopAt } from "../state.ts";

/**
 * Node 3: only the passages, records, facts and memory that this decision needs, each with its provenance.
 * Where the sources hold nothing at or above the bar the decision stops here, before any model is called.
 */
export const contextLoad: Node<"inputs" | "envelope", "loaded"> = async (
  { inputs, envelope },
  { capability, context, digest },
) => {
  const { remembers } = capability;
  const needs = capability.needs({ inputs, envelope });
  const found = await Promise.all(
    needs.map(async (need) => itemsOf(need, await readNeed({ need, envelope, context, remembers }))),
  );
  const stop = found.find((items): items is Stop => !Array.isArray(items));
  if (stop !== undefined) return stop;
  const items = Object.freeze(found.flatMap((part) => (isStop(part) ? [] : part)));
  return { loaded: Object.freeze({ items, digest: digest.sha256(canonicalJson(items)) }) };
};

function itemsOf(need: Need, read: NeedRead): readonly ContextItem[] | Stop {
  switch (read.kind) {
    case "found":
      return read.items;
    case "nothing":
      return stopAt("context_load", "not_in_sources", "The sources do not say.");
    case "too_old": {
      const age = need.kind === "records" ? ` than ${need.maxAgeMs} ms` : "";
      return stopAt("context_load", "record_unavailable", `\`${need.name}\` is older${age}`);
    }
    case "failed":
      return failed(need, read.fault);
  }
}

function failed({ kind, name }: Need, fault: string): Stop {
  if (fault === "unserialisable")
    return stopAt("context_load", "context_invalid", `\`${name}\` holds a value that JSON cannot keep`);
  const reason = kind === "records" ? "record_unavailable" : "knowledge_unavailable";
  return stopAt("context_load", reason, `\`${name}\` could not be read: ${fault}`);
}
