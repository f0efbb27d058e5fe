import type { DecisionView, EffectView } from "../../../src/contract/views.ts";
import type { HaltScope } from "../../../src/contract/words.ts";
import { isHalfSigned, type Line } from "./states.ts";

/** Says how a person or a policy is called on a page. */
export type NameOf = (id: string) => string;

/** What comes after the decision: who signs, applied, seen. "Done" is said for the verdict `complete` alone. */
export function stepLines(view: DecisionView, nameOf: NameOf): readonly Line[] {
  return [signStep(view, nameOf), applyStep(view), seenStep(view)];
}

/** Beside what is stopped: which emergency stop holds it; `null` where none does. */
export function stoppedWords(effects: readonly Pick<EffectView, "stopped">[]): string | null {
  const scope = effects.find(({ stopped }) => stopped !== null)?.stopped ?? null;
  return scope === null ? null : `Emergency stop: ${halts[scope]}, so nothing of this is sent.`;
}

const halts: Readonly<Record<HaltScope, string>> = {
  effect: "this kind of change is stopped",
  capability: "this kind of request is stopped",
  tenant: "everything is stopped",
};

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
