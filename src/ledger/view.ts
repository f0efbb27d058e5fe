import { limits } from "../contract/limits.ts";
import type { DecisionState, DecisionView, EffectView, Obstacle, Sight } from "../contract/views.ts";
import type { Route, RoutingRule, StopReason } from "../contract/words.ts";
import { editorOf } from "./asker.ts";
import { type EffectStanding, isUnsigned, standingsAlone } from "./effect-standing.ts";
import { effectStates, effectViews } from "./effect-views.ts";
import { lapseOf, successorOf } from "./ends.ts";
import { numberAt, objectAt, textAt } from "./fields.ts";
import type { DecisionStory } from "./story.ts";

/** Makes the view of a decision for who may see that much of it; every state in it is derived from what was recorded. */
export function viewDecision(story: DecisionStory, sight: Sight): DecisionView {
  const { outcome } = story;
  const { body } = outcome;
  const standings = effectStates(story);
  const state = stateOf(story, standings);
  return {
    id: story.decisionId,
    entryId: outcome.id,
    tenant: story.tenant,
    capability: textAt(body, "capability") ?? "",
    capabilityVersion: textAt(body, "capabilityVersion") ?? "",
    requestedBy: story.requestedBy,
    request: textAt(objectAt(outcome.bodies, "inputs") ?? {}, "text"),
    follows: story.follows,
    at: outcome.ts,
    state,
    // These words were written from the closed lists by the journal.
    route: textAt(body, "route") as Route | null,
    rule: textAt(body, "rule") as RoutingRule | null,
    loweredBy: Array.isArray(body["loweredBy"]) ? (body["loweredBy"] as RoutingRule[]) : [],
    confidencePpm: numberAt(body, "confidencePpm"),
    thresholdPpm: numberAt(body, "thresholdPpm"),
    verified: typeof body["verified"] === "boolean" ? body["verified"] : null,
    label: textAt(body, "label"),
    model: textAt(body, "model") ?? "none",
    isScripted: body["scripted"] === true,
    stop: stopOf(story, sight),
    ...proposedTo(sight, { story, state, standings }),
    proposalDigest: textAt(body, "proposalDigest"),
    obstacle: state === "waiting" ? obstacleOf(story) : null,
    editedBy: editorOf(story),
    supersededBy: successorOf(story),
    // Who has taken it up is the desk's to know.
    taken: null,
    expiresAt: state === "waiting" || state === "needs_person" ? outcome.ts + limits.waitingMs : null,
  };
}

type Proposed = Pick<DecisionView, "summary" | "refusal" | "claims" | "droppedClaims" | "effects">;
const nothing: Proposed = { summary: null, refusal: null, claims: [], droppedClaims: [], effects: [] };

/**
 * What was proposed, as far as it may be told. Invariant: who asked reads nothing that did not pass the checks, and no answer that
 * nobody has released; a proposal with effects is theirs to see while it waits, since it is what they asked for.
 */
function proposedTo(
  sight: Sight,
  { story, state, standings }: { story: DecisionStory; state: DecisionState; standings: readonly EffectStanding[] },
): Proposed {
  const { proposal } = story;
  const isReleased =
    state === "answered" || state === "not_in_sources" || (state !== "rejected_by_checks" && standings.length > 0);
  if (proposal === null || (sight === "requester" && !isReleased)) return nothing;
  const { summary, refusal, claims, droppedClaims } = proposal;
  return { summary, refusal, claims, droppedClaims, effects: effectViews(story, standings) };
}

function obstacleOf({ outcome }: DecisionStory): Obstacle | null {
  if (outcome.isUnreadable) return "payload_unreadable";
  return outcome.isErased ? "payload_erased" : null;
}

function stopOf({ outcome }: DecisionStory, sight: Sight): DecisionView["stop"] {
  const stop = objectAt(outcome.body, "stop");
  if (stop === null) return null;
  // Written from the closed list by the journal or the sweeper.
  const reason = textAt(stop, "reason") as StopReason;
  const recorded = textAt(objectAt(outcome.bodies, "stop") ?? {}, "detail") ?? "";
  const detail = sight === "auditor" ? recorded : (instead[reason] ?? recorded);
  return { reason, node: textAt(stop, "node") ?? "", detail };
}

/** Told in place of a detail that may repeat what a model wrote, or say what a guard looks for. The others are code's own words. */
const instead: Partial<Record<StopReason, string>> = {
  blocked_by_guard: "a guard held the reply back, so it is not shown",
  non_conforming_output: "the reply did not have the form that is needed, so it was not used",
  model_unavailable: "the model did not answer within its limits",
  node_failed: "a step failed; the details are kept for who audits the decision",
};

function stateOf(story: DecisionStory, standings: readonly EffectStanding[]): DecisionState {
  const { outcome, following } = story;
  if (outcome.kind === "stopped") return stateOfStop(story);
  if (outcome.body["route"] === "reject") return "rejected_by_checks";
  if (following.some(({ kind }) => kind === "rejected")) return "rejected_by_person";
  if (successorOf(story) !== null) return "superseded";
  const isAuto = outcome.body["route"] === "auto";
  const acted = standings.length === 0 ? answerState(story, isAuto) : stateOfEffects(standings.map(({ state }) => state));
  const lapse = lapseOf(story);
  if (acted === null && lapse !== null) return lapse;
  // Of a signature that expired unused or was withdrawn the effects wait again, whoever signed.
  const isWell = acted === null || acted === "signed" || acted === "applying";
  if (isWell && lapse === null && waitsAgain(story)) return "waiting";
  return acted ?? (isAuto ? "waiting_for_policy" : "waiting");
}

/** People signed or policy did, and an effect has no signature that stands. */
function waitsAgain(story: DecisionStory): boolean {
  return story.following.some(({ kind }) => kind === "approved") && standingsAlone(story).some(isUnsigned);
}

/** A stop proposes nothing. Where it was left to a person it waits until one ends it. */
function stateOfStop(story: DecisionStory): DecisionState {
  const { body } = story.outcome;
  const { following } = story;
  if (textAt(objectAt(body, "stop") ?? {}, "reason") === "not_in_sources") return "not_in_sources";
  if (body["route"] !== "hitl_required" && body["route"] !== "hitl_recommended") return "stopped";
  if (following.some(({ kind }) => kind === "rejected")) return "rejected_by_person";
  return lapseOf(story) ?? "needs_person";
}

/** An answer is delivered at once, or when a person has let it through; `null` before that. */
function answerState({ proposal, following }: DecisionStory, isAuto: boolean): DecisionState | null {
  if (!isAuto && !following.some(({ kind }) => kind === "approved")) return null;
  return (proposal?.refusal ?? null) === null ? "answered" : "not_in_sources";
}

/** What went wrong comes before what went well; `null` where nobody has acted yet. */
const worstFirst = ["escalated", "unknown", "failed", "compensating", "incomplete", "compensated", "refused"] as const;

function stateOfEffects(states: readonly EffectView["state"][]): DecisionState | null {
  const worst = worstFirst.find((state) => states.includes(state));
  if (worst !== undefined) return worst;
  if (states.every((state) => state === "complete")) return "done";
  if (states.some((state) => state === "applying" || state === "applied" || state === "complete")) return "applying";
  return states.includes("signed") ? "signed" : null;
}
