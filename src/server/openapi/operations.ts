import { z } from "zod";
import { pageQuery } from "../paging.ts";
import {
  calibrationQuery,
  caseEventBody,
  caseStartBody,
  casesQuery,
  factsBody,
  haltBody,
  redundancyBody,
  resolveBody,
  searchBody,
  simulationQuery,
  sliceBody,
  spendQuery,
} from "../requests.ts";
import { autonomyReply, calibrationReply, simulationReply } from "./autonomy-replies.ts";
import { boardOperations } from "./board-operations.ts";
import { caseLineReply, caseReply } from "./case-replies.ts";
import { decisionOperations } from "./decision-operations.ts";
import { decisionReply, haltReply } from "./decision-replies.ts";
import { factReply, foundReply, redundancyReply } from "./knowledge-replies.ts";
import type { Operation } from "./operation.ts";
import { budgetReply, spendReply } from "./spend-replies.ts";

const get = { method: "GET" } as const;
const post = { method: "POST" } as const;
/** Every route of the API under `/v1`; a test holds it against the table of routes. */
export const operations: readonly Operation[] = [
  ...decisionOperations,
  ...boardOperations,
  {
    ...post,
    group: "Operations",
    path: "/v1/decisions/:id/resolve",
    summary: "Say what became of an effect that was left to people",
    body: resolveBody,
    reply: decisionReply,
  },
  {
    ...get,
    group: "Operations",
    path: "/v1/halts",
    summary: "What is stopped now, by whom, since when and why",
    reply: haltReply,
    isList: true,
  },
  {
    ...post,
    group: "Operations",
    path: "/v1/halts",
    summary: "Stop an effect, a capability or the tenant before its next send, or lift that",
    body: haltBody,
    reply: haltReply,
    isList: true,
  },
  {
    ...get,
    group: "Spend",
    path: "/v1/spend",
    summary: "What the tenant spent, the dearest group first, with a forecast of the month",
    query: spendQuery,
    reply: spendReply,
  },
  {
    ...get,
    group: "Spend",
    path: "/v1/budgets",
    summary: "The tenant's budgets and what is used of each",
    reply: budgetReply,
    isList: true,
  },
  {
    ...post,
    group: "Cases",
    path: "/v1/cases",
    summary: "Start a case; under the same key with the same input it is the same case, and the answer 200",
    body: caseStartBody,
    reply: caseReply,
    status: 201,
  },
  {
    ...get,
    group: "Cases",
    path: "/v1/cases",
    summary: "The cases that the caller may see, newest first",
    query: pageQuery.extend(casesQuery.shape),
    reply: caseLineReply,
    isPage: true,
  },
  {
    ...get,
    group: "Cases",
    path: "/v1/cases/:id",
    summary: "How far a case is, how it came there and what it waits for",
    reply: caseReply,
  },
  {
    ...post,
    group: "Cases",
    path: "/v1/cases/:id/events",
    summary: "Tell a case what happened; what was told before is answered with 200",
    headers: ["Idempotency-Key"],
    body: caseEventBody,
    reply: caseReply,
    status: 201,
  },
  {
    ...post,
    group: "Knowledge",
    path: "/v1/knowledge",
    summary: "Search passages that the caller may see and that are in force at the reference time",
    body: searchBody,
    reply: foundReply,
  },
  {
    ...post,
    group: "Knowledge",
    path: "/v1/facts",
    summary: "What was true of a subject at a time, as far as the caller may see it",
    body: factsBody,
    reply: factReply,
    isList: true,
  },
  {
    ...post,
    group: "Knowledge",
    path: "/v1/redundancy",
    summary: "What texts say more than once, and what leaving that out would save",
    body: redundancyBody,
    reply: redundancyReply,
  },
  {
    ...get,
    group: "Autonomy",
    path: "/v1/autonomy",
    summary: "What slices have earned, what could be signed of them, and what was taken back",
    reply: autonomyReply,
  },
  {
    ...get,
    group: "Autonomy",
    path: "/v1/autonomy/simulation",
    summary: "What a threshold would have let through over a slice's own history",
    query: simulationQuery,
    reply: simulationReply,
  },
  {
    ...get,
    group: "Autonomy",
    path: "/v1/autonomy/calibration",
    summary: "Fit a calibration of a capability from what people decided",
    query: calibrationQuery,
    reply: calibrationReply,
  },
  {
    ...post,
    group: "Autonomy",
    path: "/v1/slices",
    summary: "Sign a threshold for a slice, with the evidence of a proposal; the acting half checks the signature and writes it",
    body: sliceBody,
    reply: z.strictObject({ approvalId: z.string(), entryId: z.string() }),
    status: 201,
  },
];
