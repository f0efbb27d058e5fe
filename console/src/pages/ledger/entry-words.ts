import type { LedgerLine } from "../../../../src/contract/ledger-view.ts";
import { type EntryKind, type ResolvedOutcome, resolvedOutcomes, routes, verdicts } from "../../../../src/contract/words.ts";
import type { Mark, Tone } from "../../parts/mark.tsx";
import { plainName } from "../../words/plain.ts";
import { resolvedWords, routeTones, verdictTones } from "../../words/states.ts";

interface Told {
  readonly mark: Mark;
  readonly tone: Tone;
  readonly words: string;
}

const plain: Readonly<Record<EntryKind, Omit<Told, "words">>> = {
  decided: { mark: "dash", tone: "quiet" },
  stopped: { mark: "dash", tone: "quiet" },
  approved: { mark: "signed", tone: "person" },
  rejected: { mark: "cross", tone: "quiet" },
  refused: { mark: "dash", tone: "quiet" },
  withdrawn: { mark: "back", tone: "quiet" },
  expired: { mark: "dash", tone: "quiet" },
  resolved: { mark: "signed", tone: "person" },
  applying: { mark: "applying", tone: "person" },
  applied: { mark: "applying", tone: "person" },
  observed: { mark: "dash", tone: "quiet" },
  compensated: { mark: "back", tone: "quiet" },
  escalated: { mark: "warning", tone: "stop" },
  corrected: { mark: "pen", tone: "person" },
  erased: { mark: "dash", tone: "quiet" },
  restored: { mark: "dash", tone: "quiet" },
};

/** An entry's kind with its word: a circle for a route, a square for a verdict that was read, and nothing else with either. */
export function kindLine({ kind, word }: Pick<LedgerLine, "kind" | "word">): Told {
  const route = kind === "decided" ? routes.find((one) => one === word) : undefined;
  if (route !== undefined) return { mark: route, tone: routeTones[route], words: `decided: ${route}` };
  const verdict = kind === "observed" ? verdicts.find((one) => one === word) : undefined;
  if (verdict !== undefined) return { mark: verdict, tone: verdictTones[verdict], words: `observed: ${verdict}` };
  return { ...plain[kind], words: word === null ? kind : `${kind}: ${wordOf(word)}` };
}

function wordOf(word: string): string {
  const outcome: ResolvedOutcome | undefined = resolvedOutcomes.find((one) => one === word);
  return outcome === undefined ? word.replaceAll("_", " ") : resolvedWords[outcome].told;
}

/** What an entry is about; where that is not open to the reader, the capability. */
export function whatOf({ what, capability, decisionId }: LedgerLine): string {
  if (what !== null) return what;
  if (capability !== null) return plainName(capability);
  return decisionId === null ? "Concerns the tenant, no one decision" : "A decision";
}

/** A hash as a list shows it. */
export function shortHash(hash: string): string {
  return `${hash.slice(0, 4)}…${hash.slice(-2)}`;
}

/** What was found to be wrong with a ledger, as the check and the verifiers name it. */
export function faultSentence(fault: string): string {
  return faults[fault] ?? `it was recorded as “${fault}”`;
}

const faults: Readonly<Record<string, string>> = {
  seal_missing: "a seal is missing",
  seal_altered: "the seal does not give its own hash",
  chain_broken: "the seal does not continue the one before it",
  entry_missing: "the entry of a seal is gone",
  entry_altered: "its bytes do not give the hash that was sealed",
  entry_replaced: "the bytes are those of another entry",
  column_altered: "what stands beside the bytes is not what they say",
  payload_missing: "its payload is gone and was not erased",
  payload_altered: "its payload is not the one that it commits to",
  entry_not_sealed: "an entry was never sealed",
  tail_cut: "entries at the end are gone",
  head_differs: "the last seal is not the head that was kept",
  head_missing: "the head that was kept outside is gone",
  checkpoint_differs: "the chain fits itself and not what was signed: it was rewritten",
  checkpoint_invalid: "a kept checkpoint cannot be read",
  list_differs: "the list and the entry say different things",
};
