import type { Asked } from "../../contract/capability.ts";
import type { Need } from "../../contract/context.ts";
import type { Stop } from "../../contract/decision.ts";
import { canonicalJson } from "../../contract/json.ts";
import type { Envelope } from "../../contract/principal.ts";
import type { ContextActivity } from "../../contract/retrieval.ts";
import { nonConforming } from "../no-decision.ts";
import { type NeedRead, readNeed } from "../read-need.ts";
import { activityOf, type Read } from "../retrieval/activity.ts";
import { askRetrievalPlan } from "../retrieval/ask-plan.ts";
import { fitContext } from "../retrieval/fit-context.ts";
import { type Dispatch, dispatchesOf } from "../retrieval/plan-needs.ts";
import { type Deps, type Holding, type Node, type StopWith, stopAt } from "../state.ts";

/**
 * Node 3: only the passages, records, facts and memory that this decision needs, each with its provenance. Where a plan of retrieval is
 * declared it is made first, before anything is read. Where the sources hold nothing at or above the bar the decision stops here, before any
 * model is asked to decide. Of what says the same one stays, and the rest is held to the budget of the context.
 */
export const contextLoad: Node<"inputs" | "envelope", "loaded"> = async ({ inputs, envelope }, deps) => {
  const asked = { inputs, envelope };
  const dispatches = await planned(asked, deps);
  if ("kind" in dispatches) return dispatches;
  const sent = dispatches.flatMap((one) => (one.kind === "send" ? [one.need] : []));
  if (dispatches.length > 0 && sent.length === 0) {
    const stop = nonConforming("no sub-query of the plan could be sent", deps);
    return { ...stop, node: "context_load", left: { activity: activityOf({ dispatches, reads: [], deps }) } };
  }
  const needs = deps.capability.needs(asked);
  const reads = await Promise.all([...needs, ...sent].map((need) => readOne(need, envelope, deps)));
  const activity = activityOf({ dispatches, reads, deps });
  const stop = stopOf({ own: reads.slice(0, needs.length), sent: reads.slice(needs.length) });
  return stop === null ? fitted({ reads, activity, deps }) : { ...stop, left: { activity } };
};

async function planned(asked: Asked<unknown>, deps: Deps): Promise<readonly Dispatch[] | Stop> {
  const { retrieval } = deps.capability;
  if (retrieval === undefined) return [];
  const plan = await askRetrievalPlan({ retrieval, asked, deps });
  return "kind" in plan ? plan : dispatchesOf(plan, { retrieval, meter: deps.meter });
}

async function readOne(need: Need, envelope: Envelope, { context, capability: { remembers } }: Deps): Promise<Read> {
  return { need, read: await readNeed({ need, envelope, context, remembers }) };
}

function fitted({
  reads,
  activity,
  deps,
}: {
  reads: readonly Read[];
  activity: ContextActivity;
  deps: Deps;
}): Holding<"loaded"> | StopWith {
  const { budget } = activity.tokens;
  const { items, leftOut, estimated, isTooLarge } = fitContext(
    reads.map(({ read }) => (read.kind === "found" ? read.items : [])),
    {
      queries: reads.flatMap(({ need }) => (need.kind === "passages" ? [need.query] : [])),
      budget,
      findDuplicates: deps.findDuplicates,
    },
  );
  const done = { ...activity, leftOut, tokens: { estimated, budget } };
  if (isTooLarge)
    return {
      ...stopAt("context_load", "context_invalid", `what was read is beyond the context's ${budget} tokens`),
      left: { activity: done },
    };
  Object.freeze(items);
  return { loaded: Object.freeze({ items, digest: deps.digest.sha256(canonicalJson(items)), activity: done }) };
}

/** What the capability itself needs must be there; of the sub-queries one must have found something, and none may have failed. */
function stopOf({ own, sent }: { own: readonly Read[]; sent: readonly Read[] }): Stop | null {
  const mustHold = [...own, ...sent.filter(({ read }) => read.kind !== "nothing")];
  const [stop] = mustHold.flatMap(({ need, read }) => stopFor(need, read) ?? []);
  if (stop !== undefined) return stop;
  return sent.length > 0 && sent.every(({ read }) => read.kind === "nothing") ? notInSources() : null;
}

function stopFor(need: Need, read: NeedRead): Stop | null {
  switch (read.kind) {
    case "found":
      return null;
    case "nothing":
      return notInSources();
    case "too_old": {
      const age = need.kind === "records" ? ` than ${need.maxAgeMs} ms` : "";
      return stopAt("context_load", "record_unavailable", `\`${need.name}\` is older${age}`);
    }
    case "failed":
      return failed(need, read.fault);
  }
}

function notInSources(): Stop {
  return stopAt("context_load", "not_in_sources", "The sources do not say.");
}

function failed({ kind, name }: Need, fault: string): Stop {
  if (fault === "unserialisable")
    return stopAt("context_load", "context_invalid", `\`${name}\` holds a value that JSON cannot keep`);
  const reason = kind === "records" ? "record_unavailable" : "knowledge_unavailable";
  return stopAt("context_load", reason, `\`${name}\` could not be read: ${fault}`);
}
