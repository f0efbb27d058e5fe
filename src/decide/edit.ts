import type { Capability } from "../contract/capability.ts";
import {
  type Context,
  type ContextItem,
  factsOf,
  type LoadedContext,
  memoryOf,
  type Need,
  passagesOf,
  rowsOf,
} from "../contract/context.ts";
import type { DecisionOutcome } from "../contract/decision.ts";
import { CountersignError, isCountersignError } from "../contract/errors.ts";
import { givenAgain } from "../contract/found-passages.ts";
import type { Journal } from "../contract/ports.ts";
import { fitToSchema } from "../contract/schema.ts";
import { foundBy } from "../contract/tool.ts";
import type { DecisionView } from "../contract/views.ts";
import { neverAutoPpm } from "../contract/words.ts";
import { ownWordsOnly } from "./own-words.ts";
import { beforeNeed } from "./recording.ts";
import { type Booked, type Kept, keptOf } from "./replay/kept.ts";
import type { Deps } from "./state.ts";

/** A person's decision in a model's place, over the context that the first one was made on. */
export interface Edit {
  readonly decision: unknown;
  /** The person, by id. */
  readonly editor: string;
  /** What was loaded then: the person decides on what was shown. */
  readonly context: readonly ContextItem[];
}

/** What a decision was made on, as a person's is made on it again. */
export interface EditedFrom {
  readonly kept: Kept;
  readonly capability: Capability;
}

/** Reads that from the book. Throws `input_invalid` where too little was kept, `unknown_capability` for one that the project does not have. */
export function editedFrom(booked: Booked, capabilities: readonly Capability[]): EditedFrom {
  const kept = keptOf(booked);
  if ("missing" in kept) throw new CountersignError("input_invalid", `it cannot be edited: ${kept.missing}`);
  const capability = capabilities.find(({ name }) => name === kept.request.capability);
  if (capability === undefined) throw new CountersignError("unknown_capability", "its capability is not part of this project");
  return { kept, capability: kept.given === undefined ? capability : ownWordsOnly(capability, kept.given) };
}

/** Refuses with `input_invalid` a person's decision that does not fit the capability's schema, before anything is recorded. */
export async function checkEdit({ decision }: Edit, capability: Capability): Promise<void> {
  const fit = await fitToSchema(capability.decision, decision);
  if (fit.kind === "fits") return;
  throw new CountersignError("input_invalid", `the decision does not fit: ${fit.issues.slice(0, 5).join("; ")}`);
}

/**
 * The dependencies of a walk in which a person decides: node 3 gives what was loaded then, node 4 the person's decision, and all that
 * follows is done anew, with the state before as it is now. It is never let through alone: no threshold was set for people's decisions.
 */
export function editedDeps(deps: Deps, { decision, context }: Edit): Deps {
  // The plan of its retrieval was made then.
  const { retrieval, ...capability } = deps.capability;
  const loaded: LoadedContext = { items: context, digest: "" };
  return {
    ...deps,
    capability: {
      ...capability,
      // What the person saw is as old as it is, and its age is shown.
      needs: (asked) => [
        ...capability
          .needs(asked)
          .map((need) => (need.kind === "records" ? { ...need, maxAgeMs: Number.MAX_SAFE_INTEGER } : need)),
        ...plannedNeeds(retrieval, context),
      ],
      deciding: { kind: "rule", version: "edit", rule: () => decision },
    },
    context: recorded(loaded, deps.context),
    slices: { thresholdPpm: async () => neverAutoPpm },
  };
}

/** A journal that keeps who decided in the place where the model's name stands. */
export function editedJournal(journal: Journal, { editor }: Edit): Journal {
  return { open: journal.open, close: (record) => journal.close({ ...record, model: `person:${editor}`, prompt: "edit" }) };
}

/** An edit that no person could sign leaves what it was made of as it was. Throws `input_invalid`. */
function refuseUnpassed({ decisionId, entryId, record: { route, stop, rule } }: DecisionOutcome): void {
  if (route === "hitl_recommended" || route === "hitl_required") return;
  const why = stop?.detail ?? (rule === "not_verified" ? "a check that must pass did not pass" : "it proposes nothing to sign");
  throw new CountersignError("input_invalid", `the edited decision was not accepted: ${why}`, { facts: { decisionId, entryId } });
}

/**
 * What an edit led to, where it is accepted. `outcome` is `null` for one that was sent before. Throws `input_invalid` where it is not, or was
 * not then: what came of that is open to auditors alone.
 */
export async function acceptedEdit(
  outcome: DecisionOutcome | null,
  tell: () => Promise<{ readonly view: DecisionView }>,
): Promise<DecisionView> {
  if (outcome !== null) refuseUnpassed(outcome);
  try {
    const { view } = await tell();
    if (outcome !== null || view.route === "hitl_recommended" || view.route === "hitl_required") return view;
  } catch (thrown) {
    if (outcome !== null || !isCountersignError(thrown, "not_found")) throw thrown;
  }
  throw new CountersignError("input_invalid", "the edited decision was not accepted when it was sent before; change it");
}

/** What a plan brought then is given again without the plan. */
function plannedNeeds(retrieval: Capability["retrieval"], context: readonly ContextItem[]): readonly Need[] {
  const isPlanned = (need: string): boolean =>
    Object.keys(retrieval?.intents ?? {}).some((intent) =>
      foundBy({ items: context }, intent).some((item) => item.need === need),
    );
  const names = [...new Set(context.map(({ need }) => need))].filter(isPlanned);
  return names.map((name) => ({ kind: "passages", name, query: "", limit: 100, minimumScore: 0 }));
}

function recorded(loaded: LoadedContext, live: Context): Context {
  return {
    findPassages: async ({ name }, { at }) => givenAgain(passagesOf(loaded, name), at),
    readFacts: async ({ name }) => factsOf(loaded, name),
    recall: async ({ name }) => memoryOf(loaded, name),
    readRecords: async (need, envelope) =>
      need.name === beforeNeed ? live.readRecords(need, envelope) : rowsOf(loaded, need.name),
  };
}
