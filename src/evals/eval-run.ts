import type { DecisionState } from "../contract/views.ts";
import type { Route, RoutingRule, StopReason } from "../contract/words.ts";
import type { EvalCase } from "./case-file.ts";

/** What is scored, each family apart: a good answer never makes up for a leak. */
export const metricFamilies = ["retrieval", "answers", "intake", "loops", "effects", "time", "privacy", "judge"] as const;

/** One family of metrics. */
export type MetricFamily = (typeof metricFamilies)[number];

/** One figure of one repeat. */
export interface Score {
  /** Such as `retrieval.recall_at_5` or `answers.forbidden_statement`: its family, a dot, its name. */
  readonly metric: `${MetricFamily}.${string}`;
  /** 0 to 1, more is better; `null` where the metric cannot be asked of this case, which a gate that names it does not pass over. */
  readonly value: number | null;
  /** Whether it is what the case expects; a metric that is only watched says `null`. */
  readonly passed: boolean | null;
  /** In one sentence what was expected and what came; empty where it passed. */
  readonly why: string;
}

/** What one repeat came to, as far as scorers look at it. */
export interface Outcome {
  /** `null` where no decision was made, as when the request was refused at the door. */
  readonly decisionId: string | null;
  readonly state: DecisionState | null;
  readonly label: string | null;
  readonly route: Route | null;
  readonly rule: RoutingRule | null;
  readonly stop: StopReason | null;
  /** The answer or the summary as the requester reads it. */
  readonly text: string;
  readonly model: string | null;
  readonly isScripted: boolean;
  /** The composed confidence in parts per million; `null` where none was composed. */
  readonly confidencePpm: number | null;
  readonly latencyMs: number;
  /** In millionths of a currency unit, attempts that failed included. */
  readonly costMicros: number;
  readonly tokens: { readonly input: number; readonly cached: number; readonly output: number; readonly reasoning: number };
}

/** One line of what happened in a repeat: a node, a request to a model, a search, an effect or its verdict. */
export interface TraceStep {
  /** Such as `llm_decision`, `judge` or `effect create_ticket`. */
  readonly at: string;
  /** In one sentence; it may quote what a model or a record wrote, so it is data wherever it is shown. */
  readonly what: string;
  /** How long it took; `null` where that is not known. */
  readonly ms: number | null;
}

/** One repeat of one eval case, with real calls. */
export interface Repeat {
  readonly repeat: number;
  readonly outcome: Outcome;
  readonly scores: readonly Score[];
  /** In the order in which it happened; empty where nothing is known of it. */
  readonly trace: readonly TraceStep[];
  /** Nothing that the case expects failed. */
  readonly passed: boolean;
  /** The repeat itself broke, so it says nothing of the capability; a gate fails over it. */
  readonly fault: { readonly code: string; readonly message: string } | null;
}

/** What became of one eval case. */
export interface CaseResult extends Pick<EvalCase, "id" | "label" | "kind" | "slice" | "source"> {
  readonly capability: string;
  /** SHA-256 over the case as it was read, in hex: only the same cases of two runs are compared. */
  readonly caseDigest: string;
  /** What was asked, as text; JSON where the case gives its inputs by name. */
  readonly request: string;
  readonly repeats: readonly Repeat[];
  /** A quality case passes on its pass rate; a safety case only if every repeat passed. */
  readonly passed: boolean;
}

/** By what a judge read the answers of a run. */
export interface JudgedBy {
  readonly version: string;
  /** As it is booked, such as `acme-models/reader-2026-02-01`. */
  readonly model: string;
  /** Of the rubric as it was then: readings say nothing of another one. */
  readonly rubricDigest: string;
}

/** One run over eval sets: what reports, gates, comparisons and migrations are made from. */
export interface EvalRun {
  readonly id: string;
  readonly project: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** By capability: its version, its prompt's version and the model that was asked. */
  readonly capabilities: Readonly<
    Record<string, { readonly version: string; readonly prompt: string | null; readonly model: string | null }>
  >;
  /** By the name of its rubric, what each judge of these capabilities read by; empty where there is none. */
  readonly judges: Readonly<Record<string, JudgedBy>>;
  /** Over the cases as they were read, so that two runs can be paired case by case. */
  readonly setDigest: string;
  readonly repeats: number;
  /** Part of the cases of quality that must pass among its repeats, 0 to 1. */
  readonly passRate: number;
  readonly cases: readonly CaseResult[];
}
