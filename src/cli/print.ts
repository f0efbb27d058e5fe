import type { DecisionView, EffectView } from "../contract/views.ts";

/** Says a decision in plain sentences, one a line. "Done" stands only where an independent read has matched. */
export function decisionLines(view: DecisionView): string[] {
  const scripted = view.isScripted ? ["(scripted replies, no model)"] : [];
  return [
    ...claimLines(view),
    ...view.effects.map((effect) => effectLine(effect)),
    ...(view.stop === null ? [] : [`${sentenceOfStop(view)} (stopped: ${view.stop.reason})`]),
    ...withheldLines(view),
    `${view.capability} ${view.capabilityVersion}, ${view.route ?? "no route"}${view.rule === null ? "" : ` by ${view.rule}`}, state ${view.state}`,
    `decision ${view.id}, entry ${view.entryId}`,
    ...scripted,
  ];
}

function claimLines({ claims, refusal, droppedClaims, summary, effects, stop }: DecisionView): string[] {
  if (stop !== null) return [];
  const lines = claims.map((claim, place) => `${claim.text} [${place + 1}]`);
  const sources = claims.map((claim, place) => `  [${place + 1}] ${claim.citation}`);
  const dropped = droppedClaims.map((claim) => `left out: ${claim.reason}`);
  const head = refusal ?? (claims.length === 0 && effects.length === 0 ? summary : null);
  return [...(head === null ? [] : [head]), ...lines, ...sources, ...dropped];
}

/** Said in place of what is not told, or cannot be approved. */
function withheldLines({ state, summary, obstacle }: DecisionView): string[] {
  if (obstacle === "capability_changed") return ["it is void: its capability has another version by now; reject it and ask anew"];
  if (obstacle !== null)
    return [`it ${obstacle === "payload_erased" ? "was erased" : "cannot be read"}, so nobody can approve it`];
  if (state === "void") return ["it is void: its capability got another version while it waited; ask anew"];
  if (state === "superseded") return ["a person edited it; another decision stands in its place"];
  if (state === "needs_person") return ["nothing was proposed: a person decides it elsewhere, and ends it here with a reason"];
  if (summary !== null) return [];
  if (state === "rejected_by_checks") return ["what was prepared did not pass the checks, so it is not shown"];
  return state === "waiting" ? ["a person reads the answer before it is told"] : [];
}

function effectLine(effect: EffectView): string {
  const { index, sentence, state, verdict, signedBy, approverKind } = effect;
  const stands = state === "half_signed" ? "one of two signed" : state;
  const end =
    verdict === "complete" ? "done: seen by an independent read" : verdict === "unknown" ? "it may have happened" : stands;
  const signers =
    signedBy.length === 0 ? "" : ` (signed by ${approverKind === "policy" ? "policy " : ""}${signedBy.join(" and ")})`;
  return `${index + 1}. ${sentence}: ${end}${signers}${resolutionWords(effect)}${stopWords(effect)}`;
}

function resolutionWords({ resolution }: EffectView): string {
  if (resolution === null) return "";
  const { outcome, by, isDone } = resolution;
  return `; ${by} said: ${outcome}${isDone ? "" : ", not carried out yet"}`;
}

function stopWords({ stopped }: EffectView): string {
  if (stopped === null) return "";
  return `; emergency stop of the ${stopped}, so nothing is sent`;
}

function sentenceOfStop({ stop }: DecisionView): string {
  return stop?.detail ?? "";
}

/** Prints one JSON object, or the lines for people. */
export function print({ json, value, lines }: { json: true | undefined; value: unknown; lines: readonly string[] }): void {
  console.log(json === true ? JSON.stringify(value) : lines.join("\n"));
}
