import { z } from "zod";
import { pageQuery } from "../paging.ts";
import { approveBody, askBody, decideBody, decisionsQuery, editBody, emptyBody, rejectBody, reviewsQuery } from "../requests.ts";
import { askReply, decisionReply, entryReply } from "./decision-replies.ts";
import { explanationReply } from "./explanation-reply.ts";
import type { Operation } from "./operation.ts";
import { evidenceReply, reviewCountReply } from "./review-replies.ts";
import { changeReply, sessionReply } from "./session-replies.ts";

const get = { method: "GET" } as const;
const post = { method: "POST" } as const;
const reviewed = { ...post, group: "Reviews", reply: decisionReply } as const;
const begins = {
  ...post,
  group: "Decisions",
  status: 201,
  headers: ["Idempotency-Key", "Prefer", "Countersign-Session", "Countersign-Reference-Time"],
} as const;

/** The routes of sessions, decisions and reviews. */
export const decisionOperations: readonly Operation[] = [
  {
    ...get,
    group: "Session",
    path: "/v1/session",
    summary: "Who the caller is and what is open to them; in a browser, the token that goes with whatever changes something",
    reply: sessionReply,
  },
  {
    ...post,
    group: "Session",
    path: "/v1/session/end",
    summary: "Sign out: end the session that the request came with",
    body: emptyBody,
    reply: z.strictObject({ ended: z.boolean().describe("False where the caller came with a credential") }),
  },
  {
    ...get,
    group: "Session",
    path: "/v1/events",
    summary: "Hear that something changed which the caller may see, as server-sent events `changed`, and never what",
    headers: ["Last-Event-ID"],
    reply: changeReply,
    type: "text/event-stream",
  },
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
    summary: "Decisions, newest first: the caller's own, or with `of=all` those of the tenant that the caller may see",
    query: pageQuery.extend(decisionsQuery.shape),
    reply: decisionReply,
    isPage: true,
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
    summary: "What waits for a person, as far as the caller may see it: the oldest first, whose time ends first",
    query: pageQuery.extend(reviewsQuery.shape),
    reply: decisionReply,
    isPage: true,
  },
  {
    ...get,
    group: "Reviews",
    path: "/v1/reviews/count",
    summary: "How many of them there are",
    reply: reviewCountReply,
  },
  {
    ...get,
    group: "Reviews",
    path: "/v1/reviews/:id/evidence",
    summary: "What a proposal rests on, by number: passages, records, facts, checks",
    reply: evidenceReply,
  },
  { ...reviewed, path: "/v1/reviews/:id/approve", summary: "Sign what is proposed, as it was shown", body: approveBody },
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
];
