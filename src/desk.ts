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
  type Hearing,
  openHearing,
  openShown,
  openTelling,
  rejectProposal,
  release,
  resolveOperation,
  type Signing,
  setHalt,
  supersede,
  type Telling,
  takeUp,
  timed,
  withdrawApprovals,
} from "./approve/grant.ts";
import { CountersignError } from "./contract/errors.ts";
import { isKeepableText } from "./contract/json.ts";
import { limits } from "./contract/limits.ts";
import { doorOf } from "./contract/permitted.ts";
import type { Clock, Ids, Spans } from "./contract/ports.ts";
import type { Principal } from "./contract/principal.ts";
import type { MayView, SessionView } from "./contract/session.ts";
import type { HaltView, Taken } from "./contract/views.ts";
import { type HaltScope, neverAutoPpm } from "./contract/words.ts";
import { modelUses } from "./define/models-of.ts";
import type { Project } from "./define/project.ts";
import { type AutonomyBoard, autonomyBoard } from "./evals/autonomy/board.ts";
import { type Autonomy, openAutonomy, type ShownProposal } from "./evals/autonomy/open-autonomy.ts";
import { type RoutingBoard, routingBoard } from "./evals/autonomy/routing-board.ts";
import { type EvalBoard, evalBoard } from "./evals/read.ts";
import { type SpendBoard, spendBoard } from "./guard/budget/spend-board.ts";
import { mayOf } from "./guard/policy/may.ts";
import type { Policy } from "./guard/policy/policy.ts";
import { type PolicyBoard, policyBoard } from "./guard/policy/policy-board.ts";
import { type SourceBoard, sourceBoard } from "./know/sources/read.ts";
import { type HealthBoard, healthBoard } from "./ledger/boards/health-board.ts";
import { type LedgerBoard, ledgerBoard } from "./ledger/boards/ledger-board.ts";
import { type ModelBoard, modelBoard } from "./ledger/boards/model-board.ts";
import { type OperationBoard, type OperationBoardParts, operationBoard } from "./ledger/boards/operation-board.ts";
import { type Cases, openCases } from "./ledger/cases/open-cases.ts";
import { stoppedScopes } from "./ledger/halts.ts";
import { type PayloadKeys, payloadKeys } from "./ledger/payload.ts";
import { pooledRandom } from "./ledger/random.ts";
import { openReading } from "./ledger/reading.ts";
import type { Database } from "./store/database.ts";
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
export interface Desk extends Boards, Hearing, Telling {
  /** Where its effects may happen, and whether a capability asks the scripted provider of the test kit. */
  readonly about: { readonly environment: string; readonly isScripted: boolean };
  /** What of the console is open to this principal. */
  readonly may: (asking: { principal: Principal }) => Omit<MayView, "ask">;
  /** Signs every effect of a waiting proposal that lacks this person's signature; `nothing_to_sign` where nothing was proposed. */
  readonly approve: (answer: Of & Viewed) => Promise<Answered>;
  /** Rejects a waiting proposal as a whole, or ends what was left to a person. */
  readonly reject: (answer: Of & Viewed & { reason: string }) => Promise<Answered>;
  /** Takes back what this person signed of a decision and nothing was begun under. */
  readonly withdraw: (answer: { principal: Principal; decisionId: string }) => Promise<Answered>;
  /** Takes a waiting decision up for a while, or for a while more; the answers of others are refused with `taken` until then. */
  readonly take: (answer: { principal: Principal; decisionId: string }) => Promise<Taken>;
  /** Puts the decision that this person's edit led to in the place of a waiting one, of which nothing is signed any more. */
  readonly supersede: (answer: Of & Viewed & { successor: string }) => Promise<Answered>;
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
  /** That something is stopped, for everybody's eyes: all of the tenant, or a part of it. */
  readonly stopped: (asking: { principal: Principal }) => Promise<SessionView["stopped"]>;
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

type Of = { readonly principal: Principal; readonly decisionId: string };
/** How long it was visible and focused, in milliseconds, as the console told; shown to that person alone. */
type Viewed = { readonly viewedMs?: number | null | undefined };
type Work<T> = (answering: Answering, signing: Signing) => Promise<T>;

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
  const cases = openCases({ database, keys, cases: project.cases, rules: policy.cases, ids, storeTime });
  return {
    cases,
    ...openHearing({ database, policy, cases }),
    ...openTelling({ reading, shown, policy }),
    about: { environment, isScripted: project.capabilities.some(asksScript) },
    may: ({ principal }) => mayOf(policy, principal),
    approve: async ({ viewedMs = null, ...of }) =>
      answered(of, "approve", timed({ answer: "approved", viewedMs }, grantApprovals)),
    reject: async ({ reason, viewedMs = null, ...of }) => {
      checkText({ name: "reason", text: reason, most: reasonLength, why: "whoever asked is told it" });
      const work: Work<Answered> = (answering) => rejectProposal({ ...answering, reason }, signing);
      return answered(of, "reject", timed({ answer: "rejected", viewedMs }, work));
    },
    withdraw: async (of) => answered(of, "withdraw", withdrawApprovals),
    supersede: async ({ successor, viewedMs = null, ...of }) => {
      checkId(successor);
      const work: Work<Answered> = (answering) => supersede({ ...answering, successor }, signing);
      return answered(of, "edit", timed({ answer: "edited", viewedMs }, work));
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
    ...openStops(parts),
    ...openBoards(parts, { keys, shown, autonomy }),
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

/** What is stopped: with its reasons for whom policy says, and that something is for everybody. */
function openStops({ database, policy }: DeskParts): Pick<Desk, "halts" | "stopped"> {
  const stoppedNow = ({ tenant }: Principal) => database.inTenant(tenant, (tx) => stoppedScopes(tx, tenant));
  const door = doorOf(policy.maySeeStops);
  return {
    halts: async ({ principal }) => {
      door(principal);
      return (await stoppedNow(principal)).halts;
    },
    stopped: async ({ principal }) => {
      const { halts } = await stoppedNow(principal);
      if (halts.length === 0) return null;
      return halts.some(({ scope }) => scope === "tenant") ? "everything" : "some";
    },
  };
}

/** What the console shows beside decisions and cases: lists and figures of the whole tenant, each behind a door of policy's. */
interface Boards
  extends AutonomyBoard,
    EvalBoard,
    HealthBoard,
    LedgerBoard,
    ModelBoard,
    OperationBoard,
    PolicyBoard,
    RoutingBoard,
    SourceBoard,
    SpendBoard {}

function openBoards(
  { project, database, policy, storeTime = databaseTime }: DeskParts,
  { keys, shown, autonomy }: { keys: PayloadKeys; shown: OperationBoardParts["shown"]; autonomy: Autonomy },
): Boards {
  const on = (board: string) => ({ database, storeTime, door: doorOf((who) => policy.maySeeBoard(who, board)) });
  const { sightOf, scopes: scopesOf } = policy;
  const audits = (principal: Principal) => mayOf(policy, principal).audit;
  const seesLoad = (principal: Principal) => policy.maySeeBoard(principal, "load").kind === "permitted";
  return {
    ...autonomyBoard(autonomy, (principal) => policy.maySeeBoard(principal, "autonomy")),
    ...evalBoard({ ...on("evals"), project: project.name }),
    ...healthBoard({ ...on("health"), seesLoad }),
    ...ledgerBoard({ ...on("ledger"), keys, sightOf, audits }),
    ...modelBoard({ ...on("models"), uses: modelUses(project) }),
    ...operationBoard({ ...on("operations"), keys, sightOf, shown }),
    ...policyBoard({ ...on("policies"), policy }),
    ...routingBoard(on("routing")),
    ...sourceBoard({ ...on("sources"), scopesOf }),
    ...spendBoard(on("spend")),
  };
}

function asksScript({ deciding }: Project["capabilities"][number]): boolean {
  return deciding.kind !== "rule" && deciding.model.provider === "scripted";
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
