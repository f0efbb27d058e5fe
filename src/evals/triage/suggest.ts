import type { RoutingRule, StopReason } from "../../contract/words.ts";
import type { TriageLabel } from "./labels.ts";

/** What a trace tells of a failure, as far as a label is suggested by it. */
export interface FailureTrace {
  readonly stop: StopReason | null;
  readonly rule: RoutingRule | null;
  readonly refused: boolean;
  /** Items of context that the decision was made on, and passages that were found and left out of it. */
  readonly loaded: number;
  readonly leftOut: number;
  /** Attempts at a reply that did not fit. */
  readonly misfits: number;
  readonly droppedClaims: number;
  /** Names of checks that did not pass. */
  readonly failedChecks: readonly string[];
  /** Of a failing eval case: the metrics that failed. */
  readonly metrics: readonly string[];
}

/** What is known of a failure of which nothing is. */
export const noTrace: FailureTrace = {
  ...{ stop: null, rule: null, refused: false, loaded: 0, leftOut: 0, misfits: 0, droppedClaims: 0 },
  ...{ failedChecks: [], metrics: [] },
};

/** A label that code suggests, with the sign that it goes by; a person sets what holds. */
export interface Suggestion {
  readonly label: TriageLabel;
  readonly why: string;
}

interface Sign {
  readonly label: TriageLabel;
  readonly why: string;
  readonly holds: (trace: FailureTrace) => boolean;
}

const has = (words: readonly string[], word: string | null): boolean => word !== null && words.includes(word);
const metric = ({ metrics }: FailureTrace, pattern: RegExp): boolean => metrics.some((name) => pattern.test(name));

/** Tried in this order: what is surest comes first. */
const signs: readonly Sign[] = [
  { label: "not_in_corpus", why: "the sources held nothing at the bar", holds: ({ stop }) => stop === "not_in_sources" },
  {
    label: "form",
    why: "no reply fitted the schema",
    holds: ({ stop, rule }) => stop === "non_conforming_output" || rule === "non_conforming_output",
  },
  {
    label: "multi_hop",
    why: "a loop ended without enough",
    holds: ({ stop, rule }) => stop === "loop_unfinished" || has(["loop_cap_hit", "loop_no_progress", "loop_not_enough"], rule),
  },
  { label: "multi_hop", why: "a loop of the eval case failed", holds: (trace) => metric(trace, /^loops[.]/) },
  {
    label: "missing",
    why: "required evidence did not reach it",
    holds: (trace) => metric(trace, /^retrieval[.]/) || has(["record_unavailable", "knowledge_unavailable"], trace.stop),
  },
  {
    label: "missing",
    why: "found passages were left out of the context",
    holds: ({ leftOut, droppedClaims }) => leftOut > 0 && droppedClaims > 0,
  },
  {
    label: "not_in_corpus",
    why: "it declined, and nothing was loaded that it could have gone by",
    holds: ({ refused, loaded }) => refused && loaded === 0,
  },
  {
    label: "missing",
    why: "claims did not trace to what was loaded",
    holds: ({ droppedClaims, rule }) => droppedClaims > 0 || rule === "claims_dropped",
  },
  { label: "form", why: "replies did not fit at first", holds: ({ misfits }) => misfits > 0 },
  {
    label: "form",
    why: "the schema's checks failed",
    holds: ({ failedChecks }) => failedChecks.some((name) => name === "schema_ok" || name === "in_enum"),
  },
];

/** Suggests a label by the trace; where no sign is found, the failure is one that nobody has specified. */
export function suggestLabel(trace: FailureTrace): Suggestion {
  const sign = signs.find(({ holds }) => holds(trace));
  if (sign !== undefined) return { label: sign.label, why: sign.why };
  return { label: "unspecified", why: "it had what it asked for and its form was right" };
}
