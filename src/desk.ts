/**
 * Builds the front door's signing side: what waits, what became of a decision, and the answers of people.
 * No model, no connector, no acting code; its database role records what people do and nothing else.
 */

import {
  type Answered,
  type Answering,
  type Attempt,
  answerOnRecord,
  checkText,
  type Finding,
  grantApprovals,
  grantSlice,
  openShown,
  rejectProposal,
  release,
  resolveOperation,
  type Signing,
  setHalt,
  supersede,
  takeUp,
  withdrawApprovals,
} from "./approve/grant.ts";
import { CountersignError } from "./contract/errors.ts";
import type { Explanation } from "./contract/explanation.ts";
import { isKeepableText } from "./contract/json.ts";
import { limits } from "./contract/limits.ts";
import type { Clock, Ids, Spans } from "./contract/ports.ts";
import type { Principal } from "./contract/principal.ts";
import type { BudgetView, SpendGroup, SpendView } from "./contract/spend.ts";
import type { DecisionView, EntryView, HaltView, Taken } from "./contract/views.ts";
import { type HaltScope, neverAutoPpm } from "./contract/words.ts";
import type { Project } from "./define/project.ts";
import { type AutonomyBoard, autonomyBoard } from "./evals/autonomy/board.ts";
import { openAutonomy, type ShownProposal } from "./evals/autonomy/open-autonomy.ts";
import { readBudgetUse } from "./guard/budget/manage-budgets.ts";
import { spendView } from "./guard/budget/spend-report.ts";
import type { Policy } from "./guard/policy/policy.ts";
import { type Cases, openCases } from "./ledger/cases/open-cases.ts";
import { stoppedScopes } from "./ledger/halts.ts";
import { payloadKeys } from "./ledger/payload.ts";
import { pooledRandom } from "./ledger/random.ts";
import { openReading, type Reading, type ToldDecision } from "./ledger/reading.ts";
import type { Database, Tx } from "./store/database.ts";
import { isId } from "./store/ids.ts";
import { readSigningKey } from "./store/signature.ts";
import { databaseTime, type StoreTime } from "./store/time.ts";

/** What a desk is built from. */
export interface DeskParts {
  readonly project: Project;
  /** Under the role `desk`; the caller closes it. */
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly environment: string;
  readonly policy: Policy;
  /** The private key of this desk (PKCS8, DER, base64). */
  readonly deskKey: string;
  /** 32 bytes. */
  readonly payloadKey: Buffer;
  /** The store's clock; another one only in tests. */
  readonly storeTime?: StoreTime;
  /** Who watches; nobody unless told. */
  readonly spans?: Spans | null;
}

/** What people do at the desk. Every method refuses what the principal may not see or sign, with a typed error. */
export interface Desk extends AutonomyBoard {
  /** The proposals that wait for a person, oldest first, as far as this principal may see them; with its obstacle where one has any. */
  readonly reviews: (asking: { principal: Principal }) => Promise<readonly DecisionView[]>;
  /** How many proposals wait for a person; `null` where reviewing is not open to this principal. */
  readonly countWaiting: (asking: { principal: Principal }) => Promise<number | null>;
  /** One decision with its entries, read once; `not_found` as for `decision`. */
  readonly told: (asking: { principal: Principal; decisionId: string }) => Promise<ToldDecision>;
  /** One decision; `not_found` where it does not exist or this principal may not see it. */
  readonly decision: (asking: { principal: Principal; decisionId: string }) => Promise<DecisionView>;
  /** What this principal asked for, newest first; what is still being decided is not in it. */
  readonly mine: (asking: { principal: Principal; limit: number }) => Promise<readonly DecisionView[]>;
  /** The entries of one decision in their order; `not_found` as for `decision`. */
  readonly story: (asking: { principal: Principal; decisionId: string }) => Promise<readonly EntryView[]>;
  /** The causal chain of one decision; `not_found` as for `decision`. */
  readonly explanation: (asking: { principal: Principal; decisionId: string }) => Promise<Explanation>;
  /** Signs every effect of a waiting proposal that lacks this person's signature; `nothing_to_sign` where nothing was proposed. */
  readonly approve: (answer: { principal: Principal; decisionId: string }) => Promise<Answered>;
  /** Rejects a waiting proposal as a whole, or ends what was left to a person. */
  readonly reject: (answer: { principal: Principal; decisionId: string; reason: string }) => Promise<Answered>;
  /** Takes back what this person signed of a decision and nothing was begun under. */
  readonly withdraw: (answer: { principal: Principal; decisionId: string }) => Promise<Answered>;
  /** Takes a waiting decision up for a while, or for a while more; the answers of others are refused with `taken` until then. */
  readonly take: (answer: { principal: Principal; decisionId: string }) => Promise<Taken>;
  /** Puts the decision that this person's edit led to in the place of a waiting one, of which nothing is signed any more. */
  readonly supersede: (answer: { principal: Principal; decisionId: string; successor: string }) => Promise<Answered>;
  /**
   * Says what became of an effect that was left to people, as `effectIndex` counts from 0; the acting half carries it out. `not_waiting`
   * where it was not left to people, `approval_used` where somebody said so before, `precondition_failed` where nothing undoes it.
   */
  readonly resolve: (answer: { principal: Principal; decisionId: string } & Finding) => Promise<Answered>;
  /**
   * Stops an effect, a capability or, without a name, all of the principal's tenant; `isStopped: false` lifts that. Takes effect before
   * the next send. Returns what is stopped then; `not_stopped` where there is nothing to lift.
   */
  readonly setHalt: (halting: {
    principal: Principal;
    scope: HaltScope;
    name: string | null;
    isStopped: boolean;
    reason: string;
  }) => Promise<readonly HaltView[]>;
  /** What is stopped now, by whom and why; `forbidden` for whoever neither signs, audits nor owns. */
  readonly halts: (asking: { principal: Principal }) => Promise<readonly HaltView[]>;
  /** What the tenant spent, from one day to before another, with a forecast of the month; `forbidden` for whom that board is not open. */
  readonly spend: (asking: {
    principal: Principal;
    by: SpendGroup;
    from: string | null;
    before: string | null;
  }) => Promise<SpendView>;
  /** The tenant's budgets, and what is used of each now. */
  readonly budgets: (asking: { principal: Principal }) => Promise<readonly BudgetView[]>;
  /** That something is stopped, for everybody's eyes: all of it, or a part; `halts` is empty where they are not open to this principal. */
  readonly stopped: (asking: { principal: Principal }) => Promise<StoppedNotice | null>;
  /** What people do with cases: start them, tell them what happened, look how far they are. */
  readonly cases: Cases;
  /** Lets others answer what this person has taken up. */
  readonly release: (answer: { principal: Principal; decisionId: string }) => Promise<void>;
  /**
   * Signs the threshold of a slice, in parts per million. With a proposal its evidence is computed anew and signed too, and `evidence_changed`
   * where it bears out another threshold; without one it is a person's word alone, which outside the demo only closes slices.
   */
  readonly openSlice: (opening: {
    principal: Principal;
    capability: string;
    slice: string;
    thresholdPpm: number;
    proposal?: ShownProposal | undefined;
  }) => Promise<Omit<Answered, "decisionId">>;
}

/** That something is stopped for a tenant. */
export interface StoppedNotice {
  readonly isEverything: boolean;
  readonly halts: readonly HaltView[];
}

type Of = { readonly principal: Principal; readonly decisionId: string };
type Work<T> = (answering: Answering, signing: Signing) => Promise<T>;

const reviewLimit = 200;
const reasonLength = 2_000;
const evidenceLength = 4_000;

/** Builds the desk. Throws `configuration_invalid` for an unusable key. */
export function createDesk(parts: DeskParts): Desk {
  const { project, database, ids, environment, policy, storeTime = databaseTime, spans = null } = parts;
  const keys = payloadKeys(parts.payloadKey, pooledRandom(), database);
  const signing: Signing = { project, environment, key: readSigningKey(parts.deskKey), policy, payloadKeys: keys, ids };
  const reading = openReading({ database, keys, sightOf: policy.sightOf });
  const autonomy = openAutonomy({ database, project, environment, storeTime });
  const shown = openShown({ project, policy, database, storeTime });
  const answered = ({ principal, decisionId }: Of, answer: Attempt["answer"], work: Work<Answered>) => {
    checkId(decisionId);
    const record = () => answerOnRecord({ attempt: { principal, decisionId, answer }, database, storeTime, signing }, work);
    return spans === null
      ? record()
      : spans.within({ name: `answer ${answer}`, attributes: { "countersign.answer": answer } }, record);
  };
  const inFront = <T>({ principal, decisionId }: Of, work: Work<T>) => {
    checkId(decisionId);
    return database.inTenant(principal.tenant, async (tx) =>
      work({ tx, principal, decisionId, now: await storeTime(tx) }, signing),
    );
  };
  const stoppedNow = ({ tenant }: Principal) => database.inTenant(tenant, (tx) => stoppedScopes(tx, tenant));
  return {
    cases: openCases({ database, keys, cases: project.cases, rules: policy.cases, ids, storeTime }),
    ...telling({ reading, shown, policy }),
    approve: async (of) => answered(of, "approve", grantApprovals),
    reject: async ({ reason, ...of }) => {
      checkText({ name: "reason", text: reason, most: reasonLength, why: "whoever asked is told it" });
      return answered(of, "reject", (answering) => rejectProposal({ ...answering, reason }, signing));
    },
    withdraw: async (of) => answered(of, "withdraw", withdrawApprovals),
    supersede: async ({ successor, ...of }) => {
      checkId(successor);
      return answered(of, "edit", (answering) => supersede({ ...answering, successor }, signing));
    },
    resolve: async ({ effectIndex, outcome, reason, evidence, ...of }) => {
      checkText({ name: "reason", text: reason, most: reasonLength, why: "it stands on record" });
      checkText({ name: "evidence", text: evidence, most: evidenceLength, why: "say what was seen, and where" });
      const finding = { effectIndex, outcome, reason, evidence };
      return answered(of, "resolve", (answering) => resolveOperation({ ...answering, ...finding }, signing));
    },
    setHalt: async ({ principal, reason, ...halting }) => {
      checkText({ name: "reason", text: reason, most: reasonLength, why: "it stands on record for ever" });
      return database.inTenant(principal.tenant, (tx) => setHalt({ tx, principal, reason, ...halting }, signing));
    },
    halts: async ({ principal }) => {
      const ruling = policy.maySeeStops(principal);
      if (ruling.kind === "refused") throw new CountersignError("forbidden", ruling.reason, { facts: { rule: ruling.rule } });
      return (await stoppedNow(principal)).halts;
    },
    stopped: async ({ principal }) => {
      const { halts } = await stoppedNow(principal);
      if (halts.length === 0) return null;
      const isOpen = policy.maySeeStops(principal).kind === "permitted";
      return { isEverything: halts.some(({ scope }) => scope === "tenant"), halts: isOpen ? halts : [] };
    },
    ...openBoards(parts),
    ...autonomyBoard(autonomy, (principal) => policy.maySeeBoard(principal, "autonomy")),
    take: async (of) => inFront(of, takeUp),
    release: async (of) => inFront(of, release),
    openSlice: ({ principal, ...opening }) =>
      database.inTenant(principal.tenant, async (tx) => {
        checkSlice(opening);
        const now = await storeTime(tx);
        const evidence = await autonomy.earned(tx, { ...opening, tenant: principal.tenant, now });
        return grantSlice({ tx, principal, ...opening, evidence, now }, signing);
      }),
  };
}

/** Figures over the whole tenant. */
function openBoards({ database, policy, storeTime = databaseTime }: DeskParts): Pick<Desk, "spend" | "budgets"> {
  const onBoard = <T>(principal: Principal, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const ruling = policy.maySeeBoard(principal, "spend");
    if (ruling.kind === "refused") throw new CountersignError("forbidden", ruling.reason, { facts: { rule: ruling.rule } });
    return database.inTenant(principal.tenant, work);
  };
  return {
    spend: async ({ principal, by, from, before }) =>
      onBoard(principal, async (tx) => spendView({ tx, tenant: principal.tenant, by, from, before, now: await storeTime(tx) })),
    budgets: async ({ principal }) => onBoard(principal, (tx) => readBudgetUse(tx, principal.tenant)),
  };
}

type Telling = Pick<Desk, "reviews" | "countWaiting" | "mine" | "told" | "decision" | "story" | "explanation">;

/** What people read of decisions, each as far as they may, with what the desk alone knows of it. */
function telling({ reading, shown, policy }: { reading: Reading; shown: ReturnType<typeof openShown>; policy: Policy }): Telling {
  const shownOne = async ({ principal }: Of, view: DecisionView) => (await shown(principal, [view]))[0] ?? view;
  const told = async (asking: Of) => {
    const { view, entries } = await reading.decision(asking);
    return { view: await shownOne(asking, view), entries };
  };
  return {
    reviews: async ({ principal }) => shown(principal, await reading.waiting({ principal, limit: reviewLimit })),
    countWaiting: async ({ principal }) =>
      policy.mayReview(principal).kind === "permitted" ? reading.countWaiting({ principal, limit: reviewLimit }) : null,
    mine: async (asking) => shown(asking.principal, await reading.asked(asking)),
    told,
    decision: async (asking) => (await told(asking)).view,
    story: async (asking) => (await told(asking)).entries,
    explanation: async (asking) => {
      const { decision, ...chain } = await reading.explanation(asking);
      return { ...chain, decision: await shownOne(asking, decision) };
    },
  };
}

function checkId(decisionId: string): void {
  if (!isId(decisionId)) throw notFound(decisionId);
}

function checkSlice({ slice, thresholdPpm }: { slice: string; thresholdPpm: number }): void {
  if (!Number.isInteger(thresholdPpm) || thresholdPpm < 0 || thresholdPpm > neverAutoPpm) {
    throw new CountersignError("bad_request", `a threshold is a whole number of parts per million, from 0 to ${neverAutoPpm}`);
  }
  if (slice === "" || slice.length > limits.idempotencyKeyLength || !isKeepableText(slice)) {
    throw new CountersignError("bad_request", `a slice has a name of 1 to ${limits.idempotencyKeyLength} characters`);
  }
}

function notFound(decisionId: string): CountersignError {
  return new CountersignError("not_found", "no decision of that id is open to you", {
    facts: isId(decisionId) ? { decisionId } : {},
  });
}
