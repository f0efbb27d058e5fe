import type { DecisionState, DecisionView, Obstacle } from "../../../src/contract/views.ts";
import {
  type Dedupe,
  neverAutoPpm,
  type ResolvedOutcome,
  type Route,
  type RoutingRule,
  type StopReason,
  type Verdict,
} from "../../../src/contract/words.ts";
import type { Mark, Tone } from "../parts/mark.tsx";
import { plainName, plainShare } from "./plain.ts";

/** One line that says where something stands: a mark, its colour, the word, and what it means. */
export interface Line {
  readonly mark: Mark;
  readonly tone: Tone;
  readonly words: string;
  readonly detail: string;
}

const waits = "Nothing changes until it is signed.";

const states: Readonly<Record<DecisionState, Line>> = {
  answered: line("tick", "quiet", "Answered", "Nothing was changed."),
  not_in_sources: line("dash", "quiet", "The sources do not say.", "Nothing was guessed and nothing was changed."),
  stopped: line("dash", "quiet", "Stopped", "Nothing was proposed and nothing was changed."),
  rejected_by_checks: line(
    "reject",
    "quiet",
    "No acceptable proposal",
    "What was prepared did not pass the checks, so nothing was changed. Your wish is not denied: say it in other words, or turn to a person.",
  ),
  waiting: line("pen", "person", "Proposed, not done.", `It waits for a person. ${waits}`),
  needs_person: line("pen", "person", "A person has to decide.", "Nothing was proposed and nothing was changed."),
  superseded: line(
    "dash",
    "quiet",
    "Edited by a person",
    "Another proposal stands in its place. Nothing of this one is applied.",
  ),
  rejected_by_person: line("cross", "quiet", "Rejected", "A person has declined the proposal. Nothing was changed."),
  waiting_for_policy: line("pen", "person", "Proposed, not done.", `Policy reads it now. ${waits}`),
  signed: line("signed", "person", "Signed", "Applying has not begun."),
  applying: line("applying", "person", "Applying", "Not done yet: “Done” is said only when every effect was seen as complete."),
  done: line("complete", "done", "Done", "Every effect was seen as complete by a separate read."),
  incomplete: line(
    "incomplete",
    "wait",
    "Not complete yet",
    "Applied, but the separate read did not find all of it. It is looked at again.",
  ),
  failed: line("failed", "stop", "Not done", "The separate read did not find the change."),
  unknown: line(
    "unknown",
    "unknown",
    "It may have happened.",
    "The target did not say. It is looked at before anything is sent again.",
  ),
  compensating: line(
    "back",
    "wait",
    "It is being undone",
    "It went wrong. What undoes it is proposed by itself and signed like everything else.",
  ),
  compensated: line("back", "quiet", "Undone", "It went wrong, and a separate read saw that it was undone."),
  escalated: line("warning", "stop", "A person has to look", "It could not be settled here. The owner of the effect was called."),
  refused: line("dash", "quiet", "Refused before applying", "The approval was not accepted, so nothing was sent."),
  expired: line("dash", "quiet", "Expired", "Nobody signed in time. Nothing was applied."),
  void: line("dash", "quiet", "Void", "Its capability got another version while it waited. Nothing was applied; ask anew."),
};

/** Where a decision stands, in the words of the pages. */
export function stateLine(view: DecisionView): Line {
  const known = states[view.state];
  if (view.obstacle !== null) return obstacles[view.obstacle];
  if (view.state === "escalated" && isBeingEnded(view)) return beingEnded;
  if (view.state === "waiting") return waitingLine(view);
  if (view.stop !== null && view.state === "rejected_by_person") return endedByPerson;
  if (view.stop !== null && (view.state === "stopped" || view.state === "needs_person"))
    return { ...known, detail: stops[view.stop.reason] };
  if (view.state === "not_in_sources" && view.refusal !== null && view.refusal !== known.words)
    return { ...known, words: "Declined", detail: view.refusal };
  if (view.label === "none" && isIntake(view))
    return line("question", "wait", "Nothing that can be done here fits", "Say it in other words. Nothing was changed.");
  if (view.label === "several" && isIntake(view))
    return line("question", "wait", "More than one wish", "Send your wishes one at a time. Nothing was changed.");
  return known;
}

/** Says whether people have said of all that was left to them what became of it, and that is not carried out yet. */
function isBeingEnded({ effects }: DecisionView): boolean {
  const left = effects.filter(({ state }) => state === "escalated");
  return left.length > 0 && left.every(({ resolution }) => resolution?.isDone === false);
}

const beingEnded = line("warning", "wait", "A person has looked", "What they found is on record and is carried out now.");

function waitingLine(view: DecisionView): Line {
  if (isHalfSigned(view)) return halfSigned;
  return view.effects.length === 0 && view.summary === null ? unreleased : states.waiting;
}

/** Says whether one of two has signed an effect, and the second is waited for. */
export function isHalfSigned({ effects }: DecisionView): boolean {
  return effects.some(({ state }) => state === "half_signed");
}

const halfSigned = line("pen", "person", "One of two has signed.", "It waits for a second person. Nothing changes until then.");

/** Why nobody can approve a proposal that waits. */
const obstacles: Readonly<Record<Obstacle, Line>> = {
  payload_unreadable: line("warning", "wait", "It cannot be read", "What was proposed does not decrypt, so nobody can sign it."),
  payload_erased: line("dash", "quiet", "It was erased", "What was proposed is gone, so nobody can sign it."),
  capability_changed: line("dash", "quiet", "It is void", "Its capability has another version by now. Ask anew."),
};

const endedByPerson = line(
  "cross",
  "quiet",
  "Ended by a person",
  "Nothing was proposed and nothing was changed. The reason is in its story.",
);

/** What a decision is called where people review: what it proposes; where nothing was proposed, what was asked. */
export function titleOf(view: DecisionView): string {
  const asked = view.state === "needs_person" ? view.request : null;
  return view.summary ?? asked ?? plainName(view.capability);
}

const unreleased = line("pen", "person", "Waits for a person", "Somebody reads the answer before you are told it.");

/** Says whether this is the decision that only picks what a request is for. */
export function isIntake(view: DecisionView): boolean {
  return view.capability === "intake";
}

const stops: Readonly<Record<StopReason, string>> = {
  input_invalid: "The request does not have the form that is needed. Nothing was changed.",
  reference_unresolved: "It is not clear which thing is meant. Name it exactly. Nothing was changed.",
  not_in_sources: "The sources that you may read do not say. No model was asked.",
  record_unavailable: "A record could not be read just now. Nothing was changed; try again.",
  knowledge_unavailable: "The documents could not be read just now. Nothing was changed; try again.",
  context_invalid: "What was found does not have the form that is needed. Nothing was changed.",
  non_conforming_output: "The reply did not have the form that is needed, so it was not used. Nothing was changed.",
  loop_unfinished: "What was looked up did not lead to an answer, so somebody takes it from here. Nothing was changed.",
  tool_off_list: "It asked for something that it may not use, so it was ended. Nothing was changed.",
  model_unavailable: "The model did not answer in time. Nothing was changed; try again.",
  not_permitted: "Policy does not let the requester have this done. Nothing was changed.",
  budget_spent: "What it may cost is used up, so it was not gone on with. Nothing was changed.",
  blocked_by_guard: "A guard held the reply back, so it is not shown. Nothing was changed.",
  cancelled: "The request was cancelled. Nothing was changed.",
  abandoned: "It was ended before it was decided. Nothing was changed; try again.",
  node_failed: "A step failed, so nothing was decided and nothing was changed.",
};

/** How a decision was routed: mark, colour and the word that is stored. */
export const routeTones: Readonly<Record<Route, Tone>> = {
  auto: "done",
  hitl_recommended: "person",
  hitl_required: "wait",
  reject: "quiet",
};

/** What an independent read found: the colour of its square. */
export const verdictTones: Readonly<Record<Verdict, Tone>> = {
  complete: "done",
  incomplete: "wait",
  failed: "stop",
  unknown: "unknown",
};

/** What a route means for the person who reads it. */
export const routeWords: Readonly<Record<Route, string>> = {
  auto: "Goes on without a person.",
  hitl_recommended: "Filled in; a person decides.",
  hitl_required: "Needs a person’s own judgement.",
  reject: "Goes no further.",
};

/** Why a route is what it is, as a sentence. */
export function ruleWords(rule: RoutingRule, thresholdPpm: number | null): string {
  if (thresholdPpm === neverAutoPpm && (rule === "below_margin" || rule === "within_margin")) {
    return "Nobody has opened this kind of case for passing without a person.";
  }
  return rules[rule];
}

const rules: Readonly<Record<RoutingRule, string>> = {
  no_effects: "It changes nothing, so nobody has to sign.",
  at_or_above_threshold: "Its confidence reaches the threshold that a person has set for this kind of case.",
  within_margin: "Its confidence is close to the threshold of this kind of case, and below it.",
  below_margin: "Its confidence is well below the threshold of this kind of case.",
  not_verified: "A check that must pass did not pass.",
  judge_failed: "The second reader did not agree.",
  non_conforming_output: "The reply did not have the form that is needed.",
  loop_cap_hit: "Steps, time or cost were used up before there was an answer.",
  loop_no_progress: "It asked for the same thing twice.",
  loop_not_enough: "Too little was looked at for the answer that was given.",
  tool_off_list: "It asked for something that is not on its list.",
  risk_high: "The risk of an effect is high.",
  risk_not_low: "The risk of an effect is not low.",
  source_not_trusted: "A value comes from a source that is not good enough for what it does.",
  not_in_plan: "It is not what was planned before anything was looked up.",
  claims_dropped: "A statement was left out because no source backs it.",
  sources_conflict: "Sources contradict each other, and nobody has said which is right.",
  audit_sample: "It was drawn for a person to look at, as a share of what would pass without one is.",
  budget_spent: "What it may cost was used up before there was an answer.",
};

/** Says whether a rule is a doubt about this proposal, not only the way of such cases. */
export function isDoubt(rule: RoutingRule, thresholdPpm: number | null): boolean {
  const isBelow = rule === "within_margin" || rule === "below_margin";
  return isBelow ? thresholdPpm !== neverAutoPpm : doubts.includes(rule);
}

const doubts: readonly RoutingRule[] = [
  ...(["not_verified", "judge_failed", "non_conforming_output", "source_not_trusted", "not_in_plan", "claims_dropped"] as const),
  "sources_conflict",
  ...(["loop_cap_hit", "loop_no_progress", "loop_not_enough", "tool_off_list", "budget_spent"] as const),
];

/** The confidence, once, with the threshold that it is compared to. */
export function confidenceWords({ confidencePpm, thresholdPpm }: DecisionView): string {
  if (confidencePpm === null) return "No confidence was composed.";
  const said = `Confidence ${plainShare(confidencePpm)}`;
  if (thresholdPpm === null) return `${said}.`;
  if (thresholdPpm === neverAutoPpm) return `${said}; no threshold is set for this kind of case.`;
  return `${said}, ${confidencePpm >= thresholdPpm ? "at or above" : "below"} ${plainShare(thresholdPpm)} for this kind of case.`;
}

/** What may be promised about doubles, by what the target offers. */
export function promiseWords(dedupe: Dedupe | null): string {
  if (dedupe === null) return "";
  return dedupe === "none" ? "At most once: if unknown, never sent again." : "Exactly once.";
}

/** What a person says became of what was left to people: as a choice in a form, and as told afterwards. */
export const resolvedWords: Readonly<Record<ResolvedOutcome, { readonly choice: string; readonly told: string }>> = {
  happened: { choice: "It happened as proposed", told: "it happened" },
  not_happened: { choice: "It did not happen", told: "it did not happen" },
  compensate: { choice: "It happened and is to be undone, by a change that is signed for itself", told: "it is to be undone" },
};

function line(mark: Mark, tone: Tone, words: string, detail: string): Line {
  return { mark, tone, words, detail };
}
