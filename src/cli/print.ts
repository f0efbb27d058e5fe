import type { DecisionView, EffectView } from "../contract/views.ts";

/** Says a decision in plain sentences, one a line. "Done" stands only where an independent read has matched. */
export function decisionLines(view: DecisionView): string[] {
  const scripted = view.isScripted ? ["(scripted replies, no model)"] : [];
  return [
    ...claimLines(view),
    ...view.effects.map((effect) => effectLine(effect)),
    ...(view.stop === null ? [] : [`${sentenceOfStop(view)} (stopped: ${view.stop.reason})`]),
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

function effectLine({ index, sentence, state, verdict, approvedBy }: EffectView): string {
  const end =
    verdict === "complete" ? "done: seen by an independent read" : verdict === "unknown" ? "it may have happened" : state;
  return `${index + 1}. ${sentence}: ${end}${approvedBy === null ? "" : ` (signed by ${approvedBy})`}`;
}

function sentenceOfStop({ stop }: DecisionView): string {
  return stop?.detail ?? "";
}

/** Prints one JSON object, or the lines for people. */
export function print({ json, value, lines }: { json: true | undefined; value: unknown; lines: readonly string[] }): void {
  console.log(json === true ? JSON.stringify(value) : lines.join("\n"));
}
