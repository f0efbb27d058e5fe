import {
  evalsQuery,
  explainBody,
  healthQuery,
  ledgerQuery,
  operationsQuery,
  proofQuery,
  routingQuery,
} from "../board-requests.ts";
import { pageQuery } from "../paging.ts";
import { evalRunDetailReply, evalRunReply, modelsReply, policiesReply, policyAnswerReply } from "./board-replies.ts";
import { reviewHealthReply, routingReply, sourceReply } from "./health-replies.ts";
import { checkpointReply, ledgerEntryReply, ledgerLineReply, ledgerReply, proofReply } from "./ledger-replies.ts";
import type { Operation } from "./operation.ts";
import { operationLineReply, operationReply, operationSummaryReply } from "./operation-replies.ts";

const get = { method: "GET" } as const;
const page = { isPage: true } as const;

/** The routes of what a console shows beside decisions and cases. */
export const boardOperations: readonly Operation[] = [
  {
    ...{ ...get, group: "Operations", path: "/v1/operations", ...page },
    summary: "Operations that the caller may see, newest first; a page may hold fewer than were asked for",
    query: pageQuery.extend(operationsQuery.shape),
    reply: operationLineReply,
  },
  {
    ...{ ...get, group: "Operations", path: "/v1/operations/summary" },
    summary: "How many operations are open and how many of the last 24 hours ended, by state",
    reply: operationSummaryReply,
  },
  {
    ...{ ...get, group: "Operations", path: "/v1/operations/:id" },
    summary: "One operation with its signatures, sends, looks and ends",
    reply: operationReply,
  },
  {
    ...{ ...get, group: "Ledger", path: "/v1/ledger" },
    summary: "Whether the ledger holds: how far it was checked, what was found, and the newest checkpoint",
    reply: ledgerReply,
  },
  {
    ...{ ...get, group: "Ledger", path: "/v1/ledger/entries", ...page },
    summary:
      "Sealed entries that the caller may see, newest first, or those that wait for their seal; a page may hold fewer than were asked for",
    query: pageQuery.extend(ledgerQuery.shape),
    reply: ledgerLineReply,
  },
  {
    ...{ ...get, group: "Ledger", path: "/v1/ledger/entries/:id" },
    summary: "One entry with its bytes, its seal and what of its payload the caller may see",
    reply: ledgerEntryReply,
  },
  {
    ...{ ...get, group: "Ledger", path: "/v1/ledger/checkpoint" },
    summary: "The newest signed checkpoint",
    reply: checkpointReply,
  },
  {
    ...{ ...get, group: "Ledger", path: "/v1/ledger/proof" },
    summary: "A proof that an entry stands in the newest checkpoint, to be checked offline",
    query: proofQuery,
    reply: proofReply,
  },
  {
    ...{ ...get, group: "Boards", path: "/v1/evals", ...page },
    summary: "Runs of the project's eval sets, newest first, with their figures",
    query: pageQuery.extend(evalsQuery.shape),
    reply: evalRunReply,
  },
  {
    ...{ ...get, group: "Boards", path: "/v1/evals/:id" },
    summary: "One run with the cases that failed and what the gate did not let pass",
    reply: evalRunDetailReply,
  },
  {
    ...{ ...get, group: "Boards", path: "/v1/models" },
    summary: "The models that the project names, how they stand, and the tenant's migrations",
    reply: modelsReply,
  },
  {
    ...{ ...get, group: "Boards", path: "/v1/policies" },
    summary: "The policies in force, with the files that they stand in",
    reply: policiesReply,
  },
  {
    ...{ method: "POST", group: "Boards", path: "/v1/policies/explain" },
    summary: "What the policies say to a question, and which of them",
    body: explainBody,
    reply: policyAnswerReply,
  },
  {
    ...{ ...get, group: "Reviews", path: "/v1/reviews/health" },
    summary: "How the caller's own answers went; for whom it is open, capabilities and today's load",
    query: healthQuery,
    reply: reviewHealthReply,
  },
  {
    ...{ ...get, group: "Knowledge", path: "/v1/knowledge/sources", ...page },
    summary: "The document sources that the caller's labels open, and how far their index is",
    reply: sourceReply,
  },
  {
    ...{ ...get, group: "Boards", path: "/v1/routing" },
    summary: "How decisions were routed, by day and capability, and how far confidence told the truth",
    query: routingQuery,
    reply: routingReply,
  },
];
