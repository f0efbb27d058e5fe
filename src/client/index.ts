// The typed HTTP client of desk, CLI and console: over `fetch`, with the contract's views and errors. It holds one caller's key,
// sends it to the one address it was given, and never lets it into an error. It talks to the desk: the decider knows no key of a person.

import type { AutonomyView, Simulation } from "../contract/autonomy.ts";
import type { Calibration } from "../contract/calibration.ts";
import type { CaseLine, CaseView } from "../contract/case-view.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Explanation } from "../contract/explanation.ts";
import type { Fact } from "../contract/fact.ts";
import type { FoundPassages } from "../contract/found-passages.ts";
import type { FactQuestion, PassageSearch } from "../contract/look-up.ts";
import type { Page } from "../contract/page.ts";
import type { RedundancyView } from "../contract/redundancy.ts";
import type { ReviewCount } from "../contract/review-count.ts";
import type { ReviewEvidence } from "../contract/review-evidence.ts";
import type { SessionView } from "../contract/session.ts";
import type { BudgetView, SpendGroup, SpendView } from "../contract/spend.ts";
import type { AskView, DecisionState, DecisionView, EntryView, HaltView } from "../contract/views.ts";
import type { HaltScope, ResolvedOutcome } from "../contract/words.ts";
import { type BoardsClient, boardsClient } from "./boards.ts";
import { type ChangeEvent, type Listen, listenTo } from "./events.ts";
import { inPath } from "./in-path.ts";
import { type BeginOptions, type Call, type ClientOptions, createSend, type Send } from "./send.ts";

export type { ChangeEvent, Listen } from "./events.ts";
export type { BeginOptions, ClientOptions } from "./send.ts";

/** A list, whole or a page of it. */
interface Listed<T> {
  readonly items: readonly T[];
}

/** Which page of a list: 50 items where none is said, at most 200; `cursor` is the `next` of the page before. */
interface PageOf {
  readonly limit?: number;
  readonly cursor?: string;
}

/** What `GET /healthz` says. */
export interface HealthView {
  readonly status: "ok";
}

/** What goes with an answer to a proposal, where whoever sends it knows it. */
interface Answering {
  /** For how long the item was visible and in focus, in milliseconds; shown to this person alone. */
  readonly viewedMs?: number;
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
export interface Client extends BoardsClient {
  readonly decide: (request: { capability: string; inputs: unknown } & BeginOptions) => Promise<DecisionView>;
  readonly ask: (request: { text: string } & BeginOptions) => Promise<AskView>;
  readonly decision: (id: string) => Promise<DecisionView>;
  /**
   * Decisions, newest first: the caller's own, or with `of: "all"` those of the tenant that the caller may see. A page may hold fewer than
   * were asked for: go on while there is a `next`. Times are when they were asked for, in milliseconds since the epoch.
   */
  readonly decisions: (
    of?: PageOf & {
      of?: "mine" | "all";
      state?: DecisionState;
      capability?: string;
      person?: string;
      from?: number;
      before?: number;
    },
  ) => Promise<Page<DecisionView>>;
  /** The entries of a decision in the order of what was committed. */
  readonly story: (id: string) => Promise<readonly EntryView[]>;
  /** The causal chain of a decision: who asked, what decided, who allowed it, what was sent and seen. */
  readonly explanation: (id: string) => Promise<Explanation>;
  /** The decisions that wait for a person, as far as this caller may see them: the oldest first, whose time ends first. */
  readonly reviews: (of?: PageOf & { capability?: string; state?: "waiting" | "needs_person" }) => Promise<Page<DecisionView>>;
  /** How many of them there are, counted up to 10,000. */
  readonly countReviews: () => Promise<ReviewCount>;
  /** What a proposal rests on, by number, as far as this caller may see it. */
  readonly evidence: (decisionId: string) => Promise<ReviewEvidence>;
  readonly approve: (decisionId: string, answering?: Answering) => Promise<DecisionView>;
  readonly reject: (decisionId: string, reason: string, answering?: Answering) => Promise<DecisionView>;
  /** Decides in the model's place what waits; the decision that comes of it stands in the place of the old one. */
  readonly edit: (decisionId: string, decision: unknown, answering?: Answering) => Promise<DecisionView>;
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
  /** The cases that this caller may see, newest first. A page may hold fewer than were asked for: go on while there is a `next`. */
  readonly cases: (of?: PageOf & { case?: string; state?: CaseLine["state"] }) => Promise<Page<CaseLine>>;
  /** Finds passages that the caller may see: best first, with where each stands and what the search did. */
  readonly search: (search: PassageSearch) => Promise<FoundPassages>;
  /** What was true of a subject at a time, as far as the caller may see it. */
  readonly facts: (question: FactQuestion) => Promise<readonly Fact[]>;
  /** What these texts say more than once, and what leaving that out would save. */
  readonly redundancy: (texts: readonly { readonly id: string; readonly text: string }[]) => Promise<RedundancyView>;
  /** Signs a threshold for a slice; the acting half checks the signature and writes it. Needs the role `owner`. */
  readonly openSlice: (slice: {
    capability: string;
    slice: string;
    thresholdPpm: number;
    /** What was proposed: its evidence is computed anew and signed with the threshold. Outside the demo nothing is opened without one. */
    proposal?: { readonly digest: string; readonly until: number };
  }) => Promise<{ readonly approvalId: string }>;
  /** What the tenant's slices have earned, what could be signed, and what was taken back. */
  readonly autonomy: () => Promise<AutonomyView>;
  /** What a threshold would have let through over a slice's own history. */
  readonly simulation: (of: { capability: string; slice: string; thresholdPpm: number }) => Promise<Simulation>;
  /** A calibration of a capability, fitted from what people decided. */
  readonly calibration: (of: { capability: string }) => Promise<Calibration>;
  /** Who the caller is here, what is open to them, and in a browser the session's token. */
  readonly session: () => Promise<SessionView>;
  /** Ends the caller's session; `ended` is false where they came with a key. */
  readonly endSession: () => Promise<{ readonly ended: boolean }>;
  /** Hears that something changed which the caller may see, until the signal ends it; comes again by itself, and misses nothing meanwhile. */
  readonly events: (listen?: Listen) => AsyncIterable<ChangeEvent>;
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
    ...boardsClient(send),
    decide: ({ capability, inputs, ...begin }) =>
      send({ method: "POST", path: "/v1/decisions", body: { capability, inputs }, ...begin }),
    ask: ({ text, ...begin }) => send({ method: "POST", path: "/v1/ask", body: { text }, ...begin }),
    decision: async (id) => send({ method: "GET", path: `/v1/decisions/${inPath(id)}` }),
    decisions: (of) => pageOf(send, "/v1/decisions", of),
    story: async (id) => itemsOf(send, { method: "GET", path: `/v1/decisions/${inPath(id)}/story` }),
    explanation: async (id) => send({ method: "GET", path: `/v1/decisions/${inPath(id)}/explanation` }),
    reviews: (of) => pageOf(send, "/v1/reviews", of),
    countReviews: () => send({ method: "GET", path: "/v1/reviews/count" }),
    evidence: async (id) => send({ method: "GET", path: `/v1/reviews/${inPath(id)}/evidence` }),
    approve: async (id, answering = {}) => send({ method: "POST", path: `/v1/reviews/${inPath(id)}/approve`, body: answering }),
    reject: async (id, reason, answering) =>
      send({ method: "POST", path: `/v1/reviews/${inPath(id)}/reject`, body: { reason, ...answering } }),
    edit: async (id, decision, answering) =>
      send({ method: "POST", path: `/v1/reviews/${inPath(id)}/edit`, body: { decision, ...answering } }),
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
    cases: (of) => pageOf(send, "/v1/cases", of),
    search: (body) => send({ method: "POST", path: "/v1/knowledge", body }),
    facts: (body) => itemsOf(send, { method: "POST", path: "/v1/facts", body }),
    redundancy: (texts) => send({ method: "POST", path: "/v1/redundancy", body: { texts } }),
    openSlice: (slice) => send({ method: "POST", path: "/v1/slices", body: slice }),
    autonomy: () => send({ method: "GET", path: "/v1/autonomy" }),
    simulation: ({ thresholdPpm, ...of }) => {
      const query = new URLSearchParams({ ...of, thresholdPpm: String(thresholdPpm) });
      return send({ method: "GET", path: `/v1/autonomy/simulation?${query}` });
    },
    calibration: (of) => send({ method: "GET", path: `/v1/autonomy/calibration?${new URLSearchParams(of)}` }),
    session: () => send({ method: "GET", path: "/v1/session" }),
    endSession: () => send({ method: "POST", path: "/v1/session/end", body: {} }),
    events: (listen = {}) => listenTo(options, listen),
    health: () => send({ method: "GET", path: "/healthz" }),
  };
}

/** One page of a list; what is asked for is left out where it is not said. */
async function pageOf<T>(send: Send, path: string, of: object = {}): Promise<Page<T>> {
  const said = Object.entries(of).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const query = said.length === 0 ? "" : `?${new URLSearchParams(said)}`;
  return listOf(await send<Page<T>>({ method: "GET", path: `${path}${query}` }));
}

async function itemsOf<T>(send: Send, call: Call): Promise<readonly T[]> {
  return listOf(await send<Listed<T>>(call)).items;
}

function listOf<L extends Listed<unknown>>(page: L): L {
  if (Array.isArray(page.items)) return page;
  throw new CountersignError(
    "service_unavailable",
    "the answer is no list; see that the address is Countersign's and the versions agree",
  );
}
