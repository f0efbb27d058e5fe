import type { ReviewEvidence } from "../../../../src/contract/review-evidence.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import type { RoutingRule } from "../../../../src/contract/words.ts";
import { counted, plainName } from "../../words/plain.ts";
import { confidenceWords, isDoubt, ruleWords } from "../../words/states.ts";

/** One thing that is unsure, as a sentence, with the numbers of the evidence to look at. */
export interface Doubt {
  readonly title: string;
  readonly detail: string;
  readonly evidence: readonly number[];
}

/** What the checks, the rules and the sources leave unsure about a proposal; empty where that is nothing. */
export function doubtsOf(view: DecisionView, evidence: ReviewEvidence | undefined): readonly Doubt[] {
  return [
    ...(view.stop === null ? [] : [doubt("No proposal came of it.", sentence(view.stop.detail))]),
    ...conflictsOf(evidence),
    ...(evidence?.checks ?? [])
      .filter(({ passed }) => !passed)
      .map((check) => doubt(`${plainName(check.name)} did not pass.`, sentence(check.evidence))),
    ...rulesOf(view, evidence).map((rule) => doubt(ruleWords(rule, view.thresholdPpm))),
    ...view.droppedClaims.map(({ text, reason }) => doubt("A statement was left out.", `“${text}”: ${sentence(reason)}`)),
    ...outsideTextOf(view),
    ...outdatedOf(evidence),
  ];
}

/** What was fine, in one line, with the one confidence number last. */
export function restOf(view: DecisionView, evidence: ReviewEvidence | undefined, doubts: number): string {
  const checks = evidence?.checks ?? [];
  const passed = checks.filter((check) => check.passed).length;
  const { rule, loweredBy, thresholdPpm } = view;
  const ways = [...(rule === null ? [] : [rule]), ...loweredBy].filter((one) => !isDoubt(one, thresholdPpm));
  const sourced = view.claims.length;
  return [
    doubts === 0 ? "Nothing is unsure by our checks." : "Nothing else.",
    ...(checks.length === 0 ? [] : [`${passed} of ${counted(checks.length, "check")} passed.`]),
    ...(sourced === 0
      ? []
      : [`${sourced} of ${counted(sourced + view.droppedClaims.length, "claim")} ${sourced === 1 ? "has" : "have"} a source.`]),
    ...ways.map((one) => ruleWords(one, thresholdPpm)),
    confidenceWords(view),
  ].join(" ");
}

/** The rules that lowered the route and are doubts; what stands above in its own sentence is not said twice. */
function rulesOf({ rule, loweredBy, thresholdPpm, droppedClaims }: DecisionView, evidence: ReviewEvidence | undefined) {
  const isSaid = (one: RoutingRule) =>
    (one === "claims_dropped" && droppedClaims.length > 0) || (one === "sources_conflict" && conflictsOf(evidence).length > 0);
  const all = [...(rule === null ? [] : [rule]), ...loweredBy];
  return [...new Set(all)].filter((one) => isDoubt(one, thresholdPpm) && !isSaid(one));
}

function conflictsOf(evidence: ReviewEvidence | undefined): readonly Doubt[] {
  const facts = (evidence?.items ?? []).filter((item) => item.kind === "fact" && item.isInConflict);
  if (facts.length === 0) return [];
  const numbers = facts.map(({ number }) => number);
  return [{ title: "Sources disagree.", detail: "Nobody has said which of them is right.", evidence: numbers }];
}

function outdatedOf(evidence: ReviewEvidence | undefined): readonly Doubt[] {
  const old = (evidence?.items ?? []).filter((item) => item.kind === "passage" && !item.isCurrent && item.claims.length > 0);
  if (old.length === 0) return [];
  const detail = "It was a draft, replaced or not in force when it was read.";
  return [{ title: "A source is not in force.", detail, evidence: old.map(({ number }) => number) }];
}

function outsideTextOf({ effects }: DecisionView): readonly Doubt[] {
  const chosen = effects.flatMap(({ sources }) =>
    Object.entries(sources)
      .filter(([, source]) => source.untrustedInContext && (source.kind === "model" || source.chosenBy === "model"))
      .map(([pointer]) => plainName(pointer.slice(1)).toLowerCase()),
  );
  if (chosen.length === 0) return [];
  return [doubt("The model chose after reading outside text.", `It chose: ${[...new Set(chosen)].join(", ")}.`)];
}

function doubt(title: string, detail = ""): Doubt {
  return { title, detail, evidence: [] };
}

function sentence(text: string): string {
  if (text === "") return "";
  return `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
