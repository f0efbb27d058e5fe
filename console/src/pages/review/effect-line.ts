import type { EffectView } from "../../../../src/contract/views.ts";
import { type Line, resolvedWords } from "../../words/states.ts";

/** Where one effect stands. "Done" is said for the verdict `complete` alone. */
export function effectLine(effect: EffectView): Line {
  const known = lines[effect.state];
  if (effect.state === "refused") return refused(effect);
  if (effect.state === "escalated") return escalated(effect);
  // Where people ended it there was no read that could say so.
  if (effect.state === "complete" && effect.resolution?.outcome === "happened")
    return { ...known, detail: "a person found that it happened" };
  return known;
}

const lines: Readonly<Record<EffectView["state"], Line>> = {
  proposed: { mark: "pen", tone: "person", words: "Proposed, not done", detail: "" },
  half_signed: { mark: "pen", tone: "person", words: "One of two has signed", detail: "a second person signs before it starts" },
  signed: { mark: "signed", tone: "person", words: "Signed", detail: "applying not begun" },
  not_started: { mark: "dash", tone: "quiet", words: "Not started", detail: "waits for the one before" },
  applying: { mark: "applying", tone: "person", words: "Applying", detail: "not seen yet" },
  applied: { mark: "applying", tone: "person", words: "Applied", detail: "not seen yet" },
  complete: { mark: "complete", tone: "done", words: "Done", detail: "seen by a separate read" },
  incomplete: { mark: "incomplete", tone: "wait", words: "Not complete yet", detail: "part of it was seen; looked at again" },
  failed: { mark: "failed", tone: "stop", words: "Not done", detail: "the separate read did not find the change" },
  unknown: {
    mark: "unknown",
    tone: "unknown",
    words: "It may have happened.",
    detail: "looked at before anything is sent again",
  },
  compensating: { mark: "back", tone: "wait", words: "Being undone", detail: "what undoes it is proposed by itself" },
  compensated: { mark: "back", tone: "quiet", words: "Undone", detail: "seen by a separate read" },
  escalated: { mark: "warning", tone: "stop", words: "A person has to look", detail: "the owner of the effect was called" },
  refused: { mark: "dash", tone: "quiet", words: "Refused", detail: "nothing was sent" },
};

function refused({ refusedCode }: EffectView): Line {
  return refusedCode === null ? lines.refused : { ...lines.refused, detail: `nothing was sent: ${refusedCode}` };
}

function escalated({ resolution }: EffectView): Line {
  if (resolution === null || resolution.isDone) return lines.escalated;
  const detail = `they said: ${resolvedWords[resolution.outcome].told}; not carried out yet`;
  return { mark: "warning", tone: "wait", words: "A person has looked", detail };
}
