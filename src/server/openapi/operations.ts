import { z } from "zod";
import {
  askBody,
  calibrationQuery,
  caseEventBody,
  caseStartBody,
  decideBody,
  editBody,
  emptyBody,
  factsBody,
  haltBody,
  redundancyBody,
  rejectBody,
  resolveBody,
  searchBody,
  simulationQuery,
  sliceBody,
  spendQuery,
} from "../requests.ts";
import type { Place } from "../routes.ts";
import { autonomyReply, calibrationReply, simulationReply } from "./autonomy-replies.ts";
import { caseLineReply, caseReply } from "./case-replies.ts";
import { askReply, decisionReply, entryReply, haltReply } from "./decision-replies.ts";
import { explanationReply } from "./explanation-reply.ts";
import { factReply, foundReply, redundancyReply } from "./knowledge-replies.ts";
import { budgetReply, spendReply } from "./spend-replies.ts";

/** The headers that mean something to a route, beside the credential. */
export type OwnHeader = "Idempotency-Key" | "Prefer" | "Countersign-Session" | "Countersign-Reference-Time";

/** One route of the API as it is described: what it does, what it takes and what it answers with. */
export interface Operation extends Place {
  readonly group: "Decisions" | "Reviews" | "Operations" | "Cases" | "Knowledge" | "Spend" | "Autonomy";
  readonly summary: string;
  readonly headers?: readonly OwnHeader[];
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly reply: z.ZodType;
  /** The reply is a list of these, as `{ items }`. */
  readonly isList?: true;
  /** 200 where it is left out. */
  readonly status?: 200 | 201;
}

const listed = z.strictObject({ limit: z.int().min(1).max(9_999).default(20).describe("More than 100 are taken for 100") });
const get = { method: "GET" } as const;
const post = { method: "POST" } as const;
const reviewed = { ...post, group: "Reviews", reply: decisionReply } as const;
const begins = {
  ...post,
  group: "Decisions",
  status: 201,
  headers: ["Idempotency-Key", "Prefer", "Countersign-Session", "Countersign-Reference-Time"],
} as const;

/** Every route of the API under `/v1`; a test holds it against the table of routes. */
export const operations: readonly Operation[] = [
  {
    ...begins,
    path: "/v1/decisions",
    summary: "Decide: walk the graph of a capability over these inputs, and answer once it is decided",
    body: decideBody,
    reply: decisionReply,
  },
  {
    ...begins,
    path: "/v1/ask",
    summary: "Ask in free text: intake picks the capability, or asks back",
    body: askBody,
    reply: askReply,
  },
  {
    ...get,
    group: "Decisions",
    path: "/v1/decisions",
    summary: "The caller's own decisions, newest first",
    query: listed,
    reply: decisionReply,
    isList: true,
  },
  {
    ...get,
    group: "Decisions",
    path: "/v1/decisions/:id",
    summary: "One decision, as far as the caller may see it",
    reply: decisionReply,
  },
  {
    ...get,
    group: "Decisions",
    path: "/v1/decisions/:id/story",
    summary: "Its entries, in the order of what was committed",
    reply: entryReply,
    isList: true,
  },
  {
    ...get,
    group: "Decisions",
    path: "/v1/decisions/:id/explanation",
    summary: "The causal chain: who asked, what decided, who allowed it, what was sent and seen",
    reply: explanationReply,
  },
  {
    ...get,
    group: "Reviews",
    path: "/v1/reviews",
    summary: "What waits for a person, as far as the caller may see it",
    reply: decisionReply,
    isList: true,
  },
  { ...reviewed, path: "/v1/reviews/:id/approve", summary: "Sign what is proposed, as it was shown", body: emptyBody },
  { ...reviewed, path: "/v1/reviews/:id/reject", summary: "Reject it, with a reason", body: rejectBody },
  {
    ...reviewed,
    path: "/v1/reviews/:id/withdraw",
    summary: "Take back what the caller signed, until it is being applied",
    body: emptyBody,
  },
  {
    ...reviewed,
    path: "/v1/reviews/:id/edit",
    summary: "Decide in the model's place; a new decision stands in the place of the old one",
    body: editBody,
    status: 201,
  },
  {
    ...reviewed,
    path: "/v1/reviews/:id/take",
    summary: "Take it up: the answers of others are refused meanwhile",
    body: emptyBody,
  },
  { ...reviewed, path: "/v1/reviews/:id/release", summary: "Let go of what the caller has taken up", body: emptyBody },
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
    query: listed.extend({ case: z.string().optional() }),
    reply: caseLineReply,
    isList: true,
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
