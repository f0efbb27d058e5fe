import type { Explanation } from "../../../../src/contract/explanation.ts";
import type { JsonObject } from "../../../../src/contract/json.ts";
import type { ReviewEvidence } from "../../../../src/contract/review-evidence.ts";
import { type NodeName, nodeNames, type Route } from "../../../../src/contract/words.ts";
import { asObject } from "../../words/changes.ts";
import { counted, plainShare } from "../../words/plain.ts";
import { listAt, numberAt, objectAt, textAt } from "./fields.ts";
import { triesOf } from "./tries.ts";

/** One of the twelve nodes, as a cell of the strip. */
export interface NodeCell {
  /** Counted from 1. */
  readonly number: number;
  readonly name: NodeName;
  /** How long it took, in milliseconds; `null` where that is not told to this reader, or it was not reached. */
  readonly ms: number | null;
  /** One fact of what it added; empty where none is kept. */
  readonly fact: string;
  readonly end: "added" | "stopped" | "failed" | "not_reached";
  /** Something was retried there, or differs. */
  readonly isDoubt: boolean;
  /** For `routing`. */
  readonly route: Route | null;
}

/** What the strip and its detail are made from. */
export interface NodesOf {
  readonly told: Explanation;
  readonly evidence: ReviewEvidence | undefined;
}

/** The twelve nodes of a decision in the order of the graph. */
export function nodesOf(of: NodesOf): readonly NodeCell[] {
  const trace = listAt(bodiesOf(of.told), "trace");
  const { stop, route } = of.told.decision;
  // A stop names one of the twelve.
  const stoppedAt = stop === null ? null : nodeNames.indexOf(stop.node as NodeName);
  return nodeNames.map((name, place) => {
    const traced = trace?.find((row) => row["node"] === name);
    // Every decision ends at the exit, also one that stopped before it.
    const wasReached = trace === null ? stoppedAt === null || place <= stoppedAt : traced !== undefined;
    const isReached = wasReached || name === "exit";
    const end = endOf({ isReached, isStop: place === stoppedAt, outcome: textAt(traced ?? {}, "outcome") });
    const { fact, isDoubt } = isReached ? factOf(name, of) : nothing;
    return {
      ...{ number: place + 1, name, end, ms: numberAt(traced ?? {}, "ms") },
      fact: fact === "" ? endWords[end] : fact,
      isDoubt: isDoubt || end === "stopped" || end === "failed",
      route: name === "routing" && isReached ? route : null,
    };
  });
}

/** What was kept of the outcome, as far as it is told to this reader. */
export function bodiesOf({ entries }: Explanation): JsonObject {
  return objectAt(asObject(entries[0]?.body ?? null), "bodies");
}

/** The facts of the outcome's entry. */
export function factsOf({ entries }: Explanation): JsonObject {
  return asObject(entries[0]?.body ?? null);
}

const endWords = { added: "", stopped: "stopped here", failed: "failed here", not_reached: "not reached" } as const;

function endOf({ isReached, isStop, outcome }: { isReached: boolean; isStop: boolean; outcome: string }): NodeCell["end"] {
  if (!isReached) return "not_reached";
  if (outcome === "failed") return "failed";
  return outcome === "stopped" || isStop ? "stopped" : "added";
}

interface Known {
  readonly fact: string;
  readonly isDoubt: boolean;
}

const nothing: Known = { fact: "", isDoubt: false };

function factOf(name: NodeName, of: NodesOf): Known {
  const facts = factsOf(of.told);
  switch (name) {
    case "context_load":
      return plain(sourcesFact(of));
    case "llm_decision":
      return triedFact(of.told);
    case "verification":
      return checksFact(of);
    case "judge":
      return judgeFact(bodiesOf(of.told));
    case "confidence_compose": {
      const ppm = numberAt(facts, "confidencePpm");
      return plain(ppm === null ? "" : plainShare(ppm));
    }
    case "routing":
      return { fact: "", isDoubt: of.told.decision.loweredBy.length > 0 };
    case "prepare_proposal":
      return plain(proposedFact(of.told));
    default:
      return nothing;
  }
}

function plain(fact: string): Known {
  return { fact, isDoubt: false };
}

function sourcesFact({ told, evidence }: NodesOf): string {
  const count =
    told.evidence.items?.length ?? (evidence === undefined || evidence.items.length === 0 ? null : evidence.items.length);
  return count === null ? "" : counted(count, "source");
}

function triedFact(told: Explanation): Known {
  const facts = factsOf(told);
  const steps = numberAt(objectAt(facts, "loop"), "steps");
  if (steps !== null)
    return { fact: counted(steps, "step"), isDoubt: (triesOf(bodiesOf(told), "llm_decision") ?? []).some(({ isFit }) => !isFit) };
  const { model } = told.decision;
  if (model === "none") return plain("by a rule");
  if (model.startsWith("person:")) return plain("by a person");
  const tries = triesOf(bodiesOf(told), "llm_decision")?.length ?? numberAt(facts, "sends") ?? 0;
  return { fact: counted(tries, "try", "tries"), isDoubt: tries > 1 };
}

function checksFact({ told, evidence }: NodesOf): Known {
  const checks = evidence?.checks ?? [];
  if (checks.length === 0)
    return { fact: told.decision.verified === false ? "not verified" : "", isDoubt: told.decision.verified === false };
  const passed = checks.filter((check) => check.passed).length;
  return { fact: `${passed} of ${checks.length}`, isDoubt: passed < checks.length };
}

function judgeFact(bodies: JsonObject): Known {
  const judged = objectAt(bodies, "judged");
  switch (judged["kind"]) {
    case "not_sampled":
      return plain("not asked");
    case "scored":
      return plain(plainShare(numberAt(judged, "ppm") ?? 0));
    case "failed":
      return { fact: "no reading", isDoubt: true };
    default:
      return nothing;
  }
}

function proposedFact({ decision: { effects, claims } }: Explanation): string {
  if (effects.length > 0) return counted(effects.length, "effect");
  return claims.length > 0 ? counted(claims.length, "claim") : "";
}
