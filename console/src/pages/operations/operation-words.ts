import type { OperationLine } from "../../../../src/contract/operation-view.ts";
import type { OperationState } from "../../../../src/contract/words.ts";
import type { Line } from "../../words/states.ts";

/** The views of the list, by what stands in the address. */
const shows = ["needs", "moving", "complete", "all"] as const;
export type Show = (typeof shows)[number];

/** Left to people, or not known: these stay on top until a person or a read has ended them. */
export const needsStates: readonly OperationState[] = ["unknown", "failed", "escalated"];
/** Goes on by itself. */
export const movingStates: readonly OperationState[] = ["applying", "applied", "incomplete", "retrying", "compensating"];
/** What stands below the first ones where all are shown. */
const restStates: readonly OperationState[] = [...movingStates, "complete", "compensated", "refused"];

/** Which states a view asks for. */
export const statesOf: Readonly<Record<Show, readonly OperationState[]>> = {
  needs: needsStates,
  moving: movingStates,
  complete: ["complete"],
  all: restStates,
};

/** The view that an address names; `all` where it names none. */
export function showOf(text: string | undefined): Show {
  return shows.find((show) => show === text) ?? "all";
}

/** Where an operation stands: a square only where a separate read has spoken. */
export const operationLines: Readonly<Record<OperationState, Line>> = {
  applying: line("applying", "person", "applying", "It is being sent. What came of it is not known yet."),
  applied: line("applying", "person", "applied", "The target says that it was made. Nobody has seen it yet."),
  complete: line("complete", "done", "complete", "A separate read saw all of it."),
  incomplete: line("incomplete", "wait", "incomplete", "The separate read did not find all of it. It is looked at again."),
  failed: line("failed", "stop", "failed", "The separate read found something else than was expected."),
  unknown: line("unknown", "unknown", "unknown", "It may have happened."),
  retrying: line("applying", "person", "retrying", "It was seen not to be there, so it is sent again under the same key."),
  compensating: line("back", "wait", "compensating", "It went wrong. What undoes it is a change that is signed for itself."),
  compensated: line("back", "quiet", "compensated", "It went wrong, and a separate read saw that it was undone."),
  escalated: line("warning", "stop", "escalated", "It could not be settled here. A person says what became of it."),
  refused: line("dash", "quiet", "refused", "Nothing was changed by it, nothing more is sent, and its key is free again."),
};

/** Why it was left to people, undone or refused, as a sentence; the stored word where it has none. */
export function endReason(reason: string | null): string {
  if (reason === null) return "No reason was recorded.";
  return reasons[reason] ?? `Recorded as “${reason}”.`;
}

const reasons: Readonly<Record<string, string>> = {
  forbidden_change: "Something changed that must not.",
  partial_state: "Only a part of the change was seen.",
  not_readable_by_deadline: "The separate read could not be made in time.",
  not_complete_by_deadline: "Not all of it was seen in time.",
  not_applied_by_deadline: "It was not made in time.",
  never_retried: "The target takes no key, so it is never sent twice.",
  sends_spent: "It was sent as often as it may be.",
  definition_gone: "The effect is not declared any more.",
  compensation_late: "What undoes it came too late.",
  compensation_undecided: "What undoes it could not be decided.",
  compensation_mismatch: "What was proposed to undo it does not undo this.",
  resolution_contradicted: "What a person found is not what the separate read saw.",
  person: "A person said so.",
  stale: "The state was not the approved one any more.",
};

/** Why nothing could be seen, as words inside a sentence. */
export function faultWords(fault: string): string {
  return fault.replaceAll("_", " ");
}

/** What an operation is called in a list: what it changes; where that is not open to the reader, the effect. */
export function operationTitle({ sentence, effect }: Pick<OperationLine, "sentence" | "effect">): string {
  return sentence ?? effect;
}

function line(mark: Line["mark"], tone: Line["tone"], words: string, detail: string): Line {
  return { mark, tone, words, detail };
}
