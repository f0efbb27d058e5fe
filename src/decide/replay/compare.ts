import { canonicalJson, type Json } from "../../contract/json.ts";
import { type NodeName, nodeNames } from "../../contract/words.ts";
import type { BookedOutcome } from "./kept.ts";

/** The first node at which two outcomes of one decision are not the same, with the parts of it that differ. */
export interface Difference {
  readonly node: NodeName;
  readonly parts: readonly string[];
}

/**
 * Finds the first node that differs, in the order of the graph; `null` where nothing does. `passOver` names parts that are meant to
 * differ, such as the model where another one was asked.
 */
export function firstDifference(then: BookedOutcome, now: BookedOutcome, passOver: readonly string[] = []): Difference | null {
  for (const node of nodeNames) {
    // What only a stop took away is that stop's difference, and is told at its node.
    const isTold = node !== "routing" || then.kind === now.kind;
    const [before, after] = [partsOf(node, then, isTold), partsOf(node, now, isTold)];
    const parts = Object.keys({ ...before, ...after }).filter(
      (name) => !passOver.includes(name) && textOf(before[name]) !== textOf(after[name]),
    );
    if (parts.length > 0) return { node, parts };
  }
  return null;
}

type Parts = Readonly<Record<string, Json | undefined>>;

/** What each node leaves that can be compared, by the name of the part; and whether the decision was stopped there. */
function partsOf(node: NodeName, outcome: BookedOutcome, isTold: boolean): Parts {
  const { facts } = outcome;
  const stop = (facts["stop"] ?? null) as { reason: string; node: string } | null; // written by the journal in this form
  const stopped = stop?.node === node ? { stop: stop.reason, route: facts["route"], rule: facts["rule"] } : {};
  return { ...((isTold ? leftBy[node]?.(outcome) : undefined) ?? {}), ...stopped };
}

const leftBy: Partial<Record<NodeName, (outcome: BookedOutcome) => Parts>> = {
  pre_check: ({ bodies }) => ({ inputs: bodies["inputs"] }),
  context_load: ({ bodies }) => ({ context: loadedOf(bodies) }),
  llm_decision: ({ facts, bodies }) => ({
    model: facts["model"],
    version: facts["prompt"],
    decision: bodies["decision"],
    ...repliesOf(bodies, "llm_decision"),
    loop: facts["loop"],
  }),
  verification: ({ facts, bodies }) => ({ verified: facts["verified"], ...checksOf(bodies) }),
  judge: ({ bodies }) => ({ judged: bodies["judged"], ...repliesOf(bodies, "judge") }),
  confidence_compose: ({ facts }) => ({
    ...{ confidencePpm: facts["confidencePpm"], signals: facts["signals"], calibration: facts["calibration"] },
  }),
  routing: ({ kind, facts }) =>
    kind === "stopped" ? {} : { slice: facts["slice"], thresholdPpm: facts["thresholdPpm"], rule: facts["rule"] },
  prepare_proposal: ({ kind, facts }) =>
    kind === "stopped"
      ? {}
      : { route: facts["route"], loweredBy: facts["loweredBy"], proposal: facts["proposalDigest"], effects: facts["effects"] },
  exit: ({ facts }) => ({ label: facts["label"] }),
};

type Bodies = BookedOutcome["bodies"];
type Rows = readonly { readonly [name: string]: Json }[];

function rowsOf(bodies: Bodies, name: string): Rows {
  const rows = bodies[name];
  return Array.isArray(rows) ? (rows as Rows) : []; // lists of plain objects, as the walk leaves them
}

/** The context without what a loop added to it. */
function loadedOf(bodies: Bodies): Json {
  const found = new Set(rowsOf(bodies, "loop").flatMap((row) => (row["found"] as Rows).map((item) => item["id"])));
  return rowsOf(bodies, "context").filter((item) => !found.has(item["id"] ?? null));
}

/** What a node asked its model, and what became of the replies. */
function repliesOf(bodies: Bodies, node: NodeName): Parts {
  const calls = rowsOf(bodies, "replies").filter((call) => call["node"] === node);
  const of = (names: readonly string[]): Json => calls.map((call) => names.map((name) => call[name] ?? null));
  return {
    request: of(["purpose", "step", "attempt", "model", "requestDigest"]),
    reply: of(["step", "attempt", "send", "outcome", "fault", "reply"]),
  };
}

/** Each check by its name, so that the one that says something else is named. */
function checksOf(bodies: Bodies): Parts {
  return Object.fromEntries(rowsOf(bodies, "checks").map((check) => [`check ${String(check["name"])}`, check]));
}

function textOf(part: Json | undefined): string {
  return canonicalJson(part ?? null);
}
