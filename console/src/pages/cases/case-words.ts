import type { CaseMoveView, CaseView, CaseWaits } from "../../../../src/contract/case-view.ts";
import { plainName } from "../../words/plain.ts";
import type { Line } from "../../words/states.ts";
import { timeWords } from "../../words/times.ts";

/** Where a case stands: running, left to its owner, or ended. */
export function caseStanding({
  state,
  outcome,
  isFailure,
  code,
  owner,
  step,
}: Pick<CaseView, "state" | "outcome" | "isFailure" | "code" | "owner" | "step">): Line {
  if (state === "escalated")
    return {
      ...{ mark: "warning", tone: "stop", words: "Left to its owner" },
      detail: `${owner} was called${code === null ? "" : `: ${code.replaceAll("_", " ")}`}.`,
    };
  if (state === "running") return { mark: "dash", tone: "wait", words: "Runs", detail: `At “${plainName(step)}”.` };
  const word = outcome === null ? "Ended" : plainName(outcome);
  return isFailure
    ? { mark: "cross", tone: "quiet", words: word, detail: "It has ended, and not as it was meant to." }
    : { mark: "tick", tone: "quiet", words: word, detail: "It has ended." };
}

/** What a case waits for, as a sentence. */
export function waitsWords(waits: CaseWaits, now: number): string {
  switch (waits.kind) {
    case "decision":
      return "Waits for a decision.";
    case "event": {
      const until = waits.until === null ? "" : ` until ${timeWords(waits.until, now, false)} UTC`;
      return waits.events.length === 0 ? `Waits${until}.` : `Waits for “${waits.events.map(plainName).join("” or “")}”${until}.`;
    }
    case "cases":
      return "Waits for the cases that are its parts.";
    case "person":
      return "Waits for a person: nobody else moves it.";
    case "worker":
      return "Goes on within a moment.";
  }
}

/** One move of a case, as a sentence. */
export function moveWords({ kind, from, outcome, code }: CaseMoveView): string {
  const left = outcome === null ? "" : `: ${outcomeWords(outcome)}`;
  switch (kind) {
    case "entered":
      return from === null ? "The case began here." : `After “${plainName(from)}”${left}.`;
    case "escalated":
      return `Left to its owner${code === null ? "" : `: ${code.replaceAll("_", " ")}`}.`;
    case "migrated":
      return "Goes on under another version of its definition.";
    case "resumed":
      return "A person had it go on.";
  }
}

function outcomeWords(outcome: string): string {
  if (outcome.startsWith("event:")) return `“${plainName(outcome.slice(6))}” was told`;
  return outcome === "time" ? "its time came first" : outcome.replaceAll("_", " ");
}
