import type { DecisionView, EffectView } from "../../../contract/views.ts";
import { isHalfSigned, type Line, resolvedWords } from "./words.ts";

/** Says how a person or a policy is called on a page. */
export type NameOf = (id: string) => string;

/** What comes after the decision: who signs, applied, seen. "Done" is said for the verdict `complete` alone. */
export function stepLines(view: DecisionView, nameOf: NameOf): readonly Line[] {
  return [signStep(view, nameOf), applyStep(view), seenStep(view)];
}

/** Where one effect stands. */
export function effectLine(effect: EffectView): Line {
  switch (effect.state) {
    case "proposed":
      return { mark: "pen", tone: "person", words: "Proposed, not done", detail: "" };
    case "half_signed":
      return { mark: "pen", tone: "person", words: "One of two has signed", detail: "a second person signs before it starts" };
    case "signed":
      return { mark: "signed", tone: "person", words: "Signed", detail: "applying not begun" };
    case "not_started":
      return { mark: "dash", tone: "quiet", words: "Not started", detail: "waits for the one before" };
    case "applying":
      return { mark: "applying", tone: "person", words: "Applying", detail: "not seen yet" };
    case "applied":
      return { mark: "applying", tone: "person", words: "Applied", detail: "not seen yet" };
    case "complete":
      return { mark: "complete", tone: "done", words: "Done", detail: seenBy(effect) };
    case "incomplete":
      return { mark: "incomplete", tone: "wait", words: "Not complete yet", detail: "part of it was seen; looked at again" };
    case "failed":
      return { mark: "failed", tone: "stop", words: "Not done", detail: "the separate read did not find the change" };
    case "unknown":
      return {
        mark: "unknown",
        tone: "unknown",
        words: "It may have happened.",
        detail: "looked at before anything is sent again",
      };
    case "compensating":
      return { mark: "back", tone: "wait", words: "Being undone", detail: "what undoes it is proposed by itself" };
    case "compensated":
      return { mark: "back", tone: "quiet", words: "Undone", detail: "seen by a separate read" };
    case "escalated":
      return escalatedLine(effect);
    case "refused":
      return { mark: "dash", tone: "quiet", words: "Refused", detail: refusalOf(effect) };
  }
}

/** Where people ended it there was no read that could say so. */
function seenBy({ resolution }: EffectView): string {
  return resolution?.outcome === "happened" ? "a person found that it happened" : "seen by a separate read";
}

function escalatedLine({ resolution }: EffectView): Line {
  if (resolution === null || resolution.isDone)
    return { mark: "warning", tone: "stop", words: "A person has to look", detail: "the owner of the effect was called" };
  const detail = `they said: ${resolvedWords[resolution.outcome].told}; not carried out yet`;
  return { mark: "warning", tone: "wait", words: "A person has looked", detail };
}

function refusalOf({ refusedCode }: EffectView): string {
  return `nothing was sent${refusedCode === null ? "" : `: ${refusedCode}`}`;
}

function signStep(view: DecisionView, nameOf: NameOf): Line {
  const { state, effects } = view;
  if (state === "waiting" && isHalfSigned(view))
    return { mark: "pen", tone: "person", words: "One of two has signed", detail: signersOf(view, nameOf) };
  if (state === "waiting")
    return { mark: "pen", tone: "person", words: "Waits for a person", detail: "nothing is applied before" };
  if (state === "waiting_for_policy")
    return { mark: "pen", tone: "person", words: "Waits for policy", detail: "nothing is applied before" };
  if (state === "rejected_by_person") return { mark: "cross", tone: "quiet", words: "Rejected", detail: "by a person" };
  if (state === "superseded")
    return { mark: "dash", tone: "quiet", words: "Edited", detail: "another proposal stands in its place" };
  if (state === "expired") return { mark: "dash", tone: "quiet", words: "Expired", detail: "nobody signed in time" };
  if (state === "void") return { mark: "dash", tone: "quiet", words: "Void", detail: "its capability has another version" };
  const isByPolicy = effects.find((effect) => effect.approvedBy !== null)?.approverKind === "policy";
  return { mark: "signed", tone: "person", words: "Signed", detail: isByPolicy ? "by policy" : signersOf(view, nameOf) };
}

function signersOf({ effects }: DecisionView, nameOf: NameOf): string {
  const names = [...new Set(effects.flatMap(({ signedBy }) => signedBy))].map(nameOf);
  return names.length === 0 ? "" : `by ${names.join(" and ")}`;
}

const before = ["waiting", "waiting_for_policy", "signed"];
const never = ["rejected_by_person", "superseded", "expired", "void", "refused"];

function applyStep({ state }: DecisionView): Line {
  if (before.includes(state)) return { mark: "dash", tone: "quiet", words: "Applied", detail: "then" };
  if (never.includes(state)) return { mark: "dash", tone: "quiet", words: "Not applied", detail: "nothing was sent" };
  if (state === "applying") return { mark: "applying", tone: "person", words: "Applying", detail: "not done yet" };
  if (state === "unknown")
    return { mark: "unknown", tone: "unknown", words: "It may have happened.", detail: "the target did not say" };
  return { mark: "applying", tone: "person", words: "Applied", detail: "" };
}

function seenStep({ state }: DecisionView): Line {
  if (state === "done") return { mark: "complete", tone: "done", words: "Done", detail: "seen by a separate read" };
  if (state === "incomplete")
    return { mark: "incomplete", tone: "wait", words: "Part of it was seen", detail: "looked at again" };
  if (state === "failed") return { mark: "failed", tone: "stop", words: "Not seen", detail: "the change is not there" };
  if (state === "compensating") return { mark: "back", tone: "wait", words: "Being undone", detail: "it went wrong" };
  if (state === "compensated") return { mark: "back", tone: "quiet", words: "Undone", detail: "seen by a separate read" };
  if (state === "escalated") return { mark: "warning", tone: "stop", words: "A person has to look", detail: "" };
  if (never.includes(state)) return { mark: "dash", tone: "quiet", words: "Nothing to see", detail: "nothing was changed" };
  return { mark: "dash", tone: "quiet", words: "Seen", detail: state === "unknown" ? "is looked at" : "then" };
}
