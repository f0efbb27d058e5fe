import type { EvalRunDetail, EvalRunView } from "../contract/eval-view.ts";
import type { CheckpointView, InclusionProof, LedgerEntryView, LedgerLine, LedgerState } from "../contract/ledger-view.ts";
import type { ModelsView } from "../contract/model-view.ts";
import type { OperationLine, OperationSummary, OperationView } from "../contract/operation-view.ts";
import type { Page } from "../contract/page.ts";
import type { PoliciesView, PolicyAnswer, PolicyQuestion } from "../contract/policy-view.ts";
import type { ReviewHealth } from "../contract/review-health.ts";
import type { RoutingView } from "../contract/routing-view.ts";
import type { SourceView } from "../contract/source-view.ts";
import type { EntryKind, OperationState } from "../contract/words.ts";
import { inPath } from "./in-path.ts";
import type { Send } from "./send.ts";

/** Which page of a list: 50 items where none is said, at most 200; `cursor` is the `next` of the page before. */
interface PageOf {
  readonly limit?: number;
  readonly cursor?: string;
}

/** What a console shows beside decisions and cases: what is being done, the ledger, and how all of it goes. Nothing here changes anything. */
export interface BoardsClient {
  /** Operations that the caller may see, newest first. A page may hold fewer than were asked for: go on while there is a `next`. */
  readonly operations: (
    of?: PageOf & { state?: readonly OperationState[]; effect?: string; capability?: string },
  ) => Promise<Page<OperationLine>>;
  readonly operationSummary: () => Promise<OperationSummary>;
  readonly operation: (id: string) => Promise<OperationView>;
  /** Whether the ledger holds, as far as was checked. */
  readonly ledger: () => Promise<LedgerState>;
  /** Sealed entries, newest first, or with `sealed: false` those that wait for their seal. Times in milliseconds, of sealing. */
  readonly ledgerEntries: (
    of?: PageOf & {
      kind?: EntryKind;
      decision?: string;
      writer?: LedgerLine["writer"];
      from?: number;
      before?: number;
      sealed?: boolean;
    },
  ) => Promise<Page<LedgerLine>>;
  readonly ledgerEntry: (id: string) => Promise<LedgerEntryView>;
  /** The newest signed checkpoint; `not_found` where none was signed. */
  readonly checkpoint: () => Promise<CheckpointView>;
  /** A proof that an entry stands in the newest checkpoint; `not_found` where it was sealed after it. */
  readonly proof: (entryId: string) => Promise<InclusionProof>;
  /** Runs of eval sets, newest first. */
  readonly evalRuns: (of?: PageOf & { capability?: string }) => Promise<Page<EvalRunView>>;
  readonly evalRun: (id: string) => Promise<EvalRunDetail>;
  readonly models: () => Promise<ModelsView>;
  readonly policies: () => Promise<PoliciesView>;
  /** What the policies in force say to a question, and which of them. */
  readonly explainPolicy: (question: PolicyQuestion) => Promise<PolicyAnswer>;
  /** How reviewing goes: the caller's own answers, and for who may see it the load. */
  readonly reviewHealth: (of?: { days?: number }) => Promise<ReviewHealth>;
  readonly sources: () => Promise<Page<SourceView>>;
  /** How decisions were routed; days in UTC, 28 up to today where none are said. */
  readonly routing: (of?: { from?: string; before?: string; capability?: string }) => Promise<RoutingView>;
}

/** Makes these methods over one way of sending. */
export function boardsClient(send: Send): BoardsClient {
  const get = <T>(path: string, asking: object = {}) => send<T>({ method: "GET", path: `${path}${queryOf(asking)}` });
  return {
    operations: ({ state, ...of } = {}) => get("/v1/operations", { ...of, state: state?.join(",") }),
    operationSummary: () => get("/v1/operations/summary"),
    operation: async (id) => get(`/v1/operations/${inPath(id)}`),
    ledger: () => get("/v1/ledger"),
    ledgerEntries: (of = {}) => get("/v1/ledger/entries", of),
    ledgerEntry: async (id) => get(`/v1/ledger/entries/${inPath(id)}`),
    checkpoint: () => get("/v1/ledger/checkpoint"),
    proof: (entry) => get("/v1/ledger/proof", { entry }),
    evalRuns: (of = {}) => get("/v1/evals", of),
    evalRun: async (id) => get(`/v1/evals/${inPath(id)}`),
    models: () => get("/v1/models"),
    policies: () => get("/v1/policies"),
    explainPolicy: (body) => send({ method: "POST", path: "/v1/policies/explain", body }),
    reviewHealth: (of = {}) => get("/v1/reviews/health", of),
    sources: () => get("/v1/knowledge/sources"),
    routing: (of = {}) => get("/v1/routing", of),
  };
}

function queryOf(asking: object): string {
  const said = Object.entries(asking).filter(([, value]) => value !== undefined);
  return said.length === 0
    ? ""
    : `?${new URLSearchParams(Object.fromEntries(said.map(([name, value]) => [name, String(value)])))}`;
}
