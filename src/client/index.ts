// The typed HTTP client of desk, CLI and console: over `fetch`, with the contract's views and errors. It holds one caller's key,
// sends it to the one address it was given, and never lets it into an error. It talks to the desk: the decider knows no key of a person.

import type { CaseLine, CaseView } from "../contract/case-view.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Explanation } from "../contract/explanation.ts";
import type { BudgetView, SpendGroup, SpendView } from "../contract/spend.ts";
import type { AskView, DecisionView, EntryView, HaltView } from "../contract/views.ts";
import type { HaltScope, ResolvedOutcome } from "../contract/words.ts";
import { type BeginOptions, type Call, type ClientOptions, createSend, type Send } from "./send.ts";

export type { BeginOptions, ClientOptions } from "./send.ts";

/** One page of a list. */
interface Page<T> {
  readonly items: readonly T[];
}

/** What `GET /healthz` says. */
export interface HealthView {
  readonly status: "ok";
}

/** What a person found of an effect that was left to people. */
export interface Finding {
  /** Counted from 0. */
  readonly effectIndex: number;
  readonly outcome: ResolvedOutcome;
  readonly reason: string;
  /** What was seen, and where. */
  readonly evidence: string;
}

/** What is to be stopped, or to go on. */
export interface Halting {
  readonly scope: HaltScope;
  /** The effect or the capability; left out for the caller's tenant. */
  readonly name?: string;
  readonly reason: string;
}

/** The service over HTTP. Every method throws `CountersignError`: the service's own, or `service_unavailable` where none answers. */
export interface Client {
  readonly decide: (request: { capability: string; inputs: unknown } & BeginOptions) => Promise<DecisionView>;
  readonly ask: (request: { text: string } & BeginOptions) => Promise<AskView>;
  readonly decision: (id: string) => Promise<DecisionView>;
  /** The entries of a decision in the order of what was committed. */
  readonly story: (id: string) => Promise<readonly EntryView[]>;
  /** The causal chain of a decision: who asked, what decided, who allowed it, what was sent and seen. */
  readonly explanation: (id: string) => Promise<Explanation>;
  /** The decisions that wait for a person, as far as this caller may see them. */
  readonly reviews: () => Promise<readonly DecisionView[]>;
  readonly approve: (decisionId: string) => Promise<DecisionView>;
  readonly reject: (decisionId: string, reason: string) => Promise<DecisionView>;
  /** Decides in the model's place what waits; the decision that comes of it stands in the place of the old one. */
  readonly edit: (decisionId: string, decision: unknown) => Promise<DecisionView>;
  /** Takes back what this caller signed of a decision, until it is being applied. */
  readonly withdraw: (decisionId: string) => Promise<DecisionView>;
  /** Takes a waiting decision up, or extends that; the answers of others are refused with `taken` meanwhile. */
  readonly take: (decisionId: string) => Promise<DecisionView>;
  readonly release: (decisionId: string) => Promise<DecisionView>;
  /** Says what became of an effect that was left to people; the acting half carries it out. */
  readonly resolve: (decisionId: string, finding: Finding) => Promise<DecisionView>;
  /** Stops an effect, a capability or the tenant before its next send, and returns what is stopped then. Needs the role `owner`. */
  readonly halt: (halting: Halting) => Promise<readonly HaltView[]>;
  /** Lifts such a stop, and returns what is still stopped. Needs the role `owner`. */
  readonly resume: (halting: Halting) => Promise<readonly HaltView[]>;
  /** What is stopped now, by whom, since when and why. */
  readonly halts: () => Promise<readonly HaltView[]>;
  /** What the caller's tenant spent, the dearest group first, with a forecast of the month; days in UTC. */
  readonly spend: (asking?: { by?: SpendGroup; from?: string; before?: string }) => Promise<SpendView>;
  /** The tenant's budgets and what is used of each. */
  readonly budgets: () => Promise<readonly BudgetView[]>;
  /** Starts a case; under the same key with the same input it is the same case. */
  readonly startCase: (starting: { case: string; input: unknown; key?: string }) => Promise<CaseView>;
  /** Tells a case what happened; with the same idempotency key it is told once. */
  readonly tellCase: (
    id: string,
    telling: { event: string; body?: unknown } & Pick<BeginOptions, "idempotencyKey">,
  ) => Promise<CaseView>;
  /** How far a case is, how it came there and what it waits for. */
  readonly case: (id: string) => Promise<CaseView>;
  /** The cases that this caller may see, newest first. */
  readonly cases: (of?: { case?: string; limit?: number }) => Promise<readonly CaseLine[]>;
  /** Signs a threshold for a slice; the acting half checks the signature and writes it. Needs the role `owner`. */
  readonly openSlice: (slice: {
    capability: string;
    slice: string;
    thresholdPpm: number;
  }) => Promise<{ readonly approvalId: string }>;
  readonly health: () => Promise<HealthView>;
}

/**
 * Makes a client for one desk and one caller. Throws `configuration_invalid` for an address or a key that cannot be sent.
 * @example
 * const client = createClient({ baseUrl: "http://127.0.0.1:4600", apiKey });
 * const asked = await client.ask({ text: "My laptop is worn out", idempotencyKey: "a-1", waitSeconds: 10 });
 * const state = asked.kind === "decided" ? asked.decision.state : asked.question;
 */
export function createClient(options: ClientOptions): Client {
  const send = createSend(options);
  return {
    decide: ({ capability, inputs, ...begin }) =>
      send({ method: "POST", path: "/v1/decisions", body: { capability, inputs }, ...begin }),
    ask: ({ text, ...begin }) => send({ method: "POST", path: "/v1/ask", body: { text }, ...begin }),
    decision: async (id) => send({ method: "GET", path: `/v1/decisions/${inPath(id)}` }),
    story: async (id) => itemsOf(send, { method: "GET", path: `/v1/decisions/${inPath(id)}/story` }),
    explanation: async (id) => send({ method: "GET", path: `/v1/decisions/${inPath(id)}/explanation` }),
    reviews: () => itemsOf(send, { method: "GET", path: "/v1/reviews" }),
    approve: async (id) => send({ method: "POST", path: `/v1/reviews/${inPath(id)}/approve`, body: {} }),
    reject: async (id, reason) => send({ method: "POST", path: `/v1/reviews/${inPath(id)}/reject`, body: { reason } }),
    edit: async (id, decision) => send({ method: "POST", path: `/v1/reviews/${inPath(id)}/edit`, body: { decision } }),
    withdraw: async (id) => send({ method: "POST", path: `/v1/reviews/${inPath(id)}/withdraw`, body: {} }),
    take: async (id) => send({ method: "POST", path: `/v1/reviews/${inPath(id)}/take`, body: {} }),
    release: async (id) => send({ method: "POST", path: `/v1/reviews/${inPath(id)}/release`, body: {} }),
    resolve: async (id, finding) => send({ method: "POST", path: `/v1/decisions/${inPath(id)}/resolve`, body: finding }),
    halt: (halting) => itemsOf(send, { method: "POST", path: "/v1/halts", body: { ...halting, stop: true } }),
    resume: (halting) => itemsOf(send, { method: "POST", path: "/v1/halts", body: { ...halting, stop: false } }),
    halts: () => itemsOf(send, { method: "GET", path: "/v1/halts" }),
    spend: (asking = {}) => send({ method: "GET", path: `/v1/spend?${new URLSearchParams(asking)}` }),
    budgets: () => itemsOf(send, { method: "GET", path: "/v1/budgets" }),
    startCase: (body) => send({ method: "POST", path: "/v1/cases", body }),
    tellCase: async (id, { idempotencyKey, ...body }) => {
      const once = idempotencyKey === undefined ? {} : { idempotencyKey };
      return send({ method: "POST", path: `/v1/cases/${inPath(id)}/events`, body, ...once });
    },
    case: async (id) => send({ method: "GET", path: `/v1/cases/${inPath(id)}` }),
    cases: ({ case: name, limit } = {}) => {
      const query = new URLSearchParams({
        ...(name === undefined ? {} : { case: name }),
        ...(limit === undefined ? {} : { limit: String(limit) }),
      });
      return itemsOf(send, { method: "GET", path: `/v1/cases?${query}` });
    },
    openSlice: (slice) => send({ method: "POST", path: "/v1/slices", body: slice }),
    health: () => send({ method: "GET", path: "/healthz" }),
  };
}

async function itemsOf<T>(send: Send, call: Call): Promise<readonly T[]> {
  const page = await send<Page<T>>(call);
  if (Array.isArray(page.items)) return page.items;
  throw new CountersignError(
    "service_unavailable",
    "the answer is no list; see that the address is Countersign's and the versions agree",
  );
}

/** An id as it may stand in a path; one that could lead elsewhere (`..`, `/`) is the id of nothing. */
function inPath(id: string): string {
  if (/^[0-9A-Za-z_-]{1,64}$/.test(id)) return id;
  throw new CountersignError("not_found", "nothing of that id is open to you; ids are those that the service gave out");
}
