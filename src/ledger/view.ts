import type { DecisionState, DecisionView, EffectView } from "../contract/views.ts";
import type { Route, RoutingRule, StopReason } from "../contract/words.ts";
import { type EffectStanding, effectStates, effectViews } from "./effectViews.ts";
import { numberAt, objectAt, textAt } from "./fields.ts";
import type { DecisionStory } from "./story.ts";

/** Makes the view of a decision from its story; every state in it is derived from what was recorded. */
export function viewDecision(story: DecisionStory): DecisionView {
  const { outcome, proposal } = story;
  const { body } = outcome;
  const standings = effectStates(story);
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
    state: stateOf(story, standings),
    // These words were written from the closed lists by the journal.
    route: textAt(body, "route") as Route | null,
    rule: textAt(body, "rule") as RoutingRule | null,
    loweredBy: Array.isArray(body["loweredBy"]) ? (body["loweredBy"] as RoutingRule[]) : [],
    confidencePpm: numberAt(body, "confidencePpm"),
    thresholdPpm: numberAt(body, "thresholdPpm"),
    verified: typeof body["verified"] === "boolean" ? body["verified"] : null,
    label: textAt(body, "label"),
    model: textAt(body, "model") ?? "none",
    isScripted: (textAt(body, "model") ?? "").startsWith("scripted/"),
    stop: stopOf(story),
    summary: proposal?.summary ?? null,
    refusal: proposal?.refusal ?? null,
    claims: proposal?.claims ?? [],
    droppedClaims: proposal?.droppedClaims ?? [],
    effects: effectViews(story, standings),
    proposalDigest: textAt(body, "proposalDigest"),
  };
}

function stopOf({ outcome }: DecisionStory): DecisionView["stop"] {
  const stop = objectAt(outcome.body, "stop");
  if (stop === null) return null;
  const detail = objectAt(outcome.bodies, "stop");
  // Written from the closed list by the journal or the sweeper.
  const reason = textAt(stop, "reason") as StopReason;
  return { reason, node: textAt(stop, "node") ?? "", detail: detail === null ? "" : (textAt(detail, "detail") ?? "") };
}

function stateOf(story: DecisionStory, standings: readonly EffectStanding[]): DecisionState {
  const { outcome, following } = story;
  if (outcome.kind === "stopped") return stopOf(story)?.reason === "not_in_sources" ? "not_in_sources" : "stopped";
  if (outcome.body["route"] === "reject") return "rejected_by_checks";
  if (following.some(({ kind }) => kind === "rejected")) return "rejected_by_person";
  const isAuto = outcome.body["route"] === "auto";
  const acted = standings.length === 0 ? answerState(story, isAuto) : stateOfEffects(standings.map(({ state }) => state));
  if (acted !== null) return acted;
  if (following.some(({ kind }) => kind === "expired")) return "expired";
  return isAuto ? "waiting_for_policy" : "waiting";
}

/** An answer is delivered at once, or when a person has let it through; `null` before that. */
function answerState({ proposal, following }: DecisionStory, isAuto: boolean): DecisionState | null {
  if (!isAuto && !following.some(({ kind }) => kind === "approved")) return null;
  return (proposal?.refusal ?? null) === null ? "answered" : "not_in_sources";
}

/** What went wrong comes before what went well; `null` where nobody has acted yet. */
const worstFirst = ["escalated", "unknown", "failed", "incomplete", "refused"] as const;

function stateOfEffects(states: readonly EffectView["state"][]): DecisionState | null {
  const worst = worstFirst.find((state) => states.includes(state));
  if (worst !== undefined) return worst;
  if (states.every((state) => state === "complete")) return "done";
  if (states.some((state) => state === "applying" || state === "applied" || state === "complete")) return "applying";
  return states.includes("signed") ? "signed" : null;
}
