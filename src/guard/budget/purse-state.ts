import type { Clock, Ids } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import type { BudgetPlace, Drawn } from "./allotments.ts";

/** How purses work; times are in milliseconds. */
export interface PurseTimes {
  /** How long an allotment is this process's without a sign of life; longer than any pause of a living process that is to be borne. */
  readonly leaseMs: number;
  /** How long a run waits for what others may give back, once nothing is left to draw. */
  readonly patienceMs: number;
  /** After how long without use an allotment goes back. */
  readonly idleMs: number;
}

/** What a deciding process goes by. */
export const usualPurseTimes: PurseTimes = { leaseMs: 20_000, patienceMs: 1_000, idleMs: 5_000 };

/** What a purse is opened with. */
export interface PurseParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly times: PurseTimes;
}

/** What this process has drawn in one go. */
export interface Allotment {
  readonly id: string;
  amount: number;
  used: number;
  held: number;
  /** Used, as the database knows it, and since when. */
  counted: number;
  countedAt: number;
  /** By the clock that never goes back; nothing is taken from it afterwards. */
  validUntil: number;
  lastTaken: number;
  /** Whose end the ledger alone can tell: never renewed and never counted from here again. */
  isLeft: boolean;
}

/** A purse between two calls; it is changed in place, by this folder's functions alone. */
export interface PurseState {
  readonly place: BudgetPlace;
  readonly parts: PurseParts;
  allotments: Allotment[];
  /** The draw that is under way, and what it was for. */
  drawing: { readonly least: number; readonly drawn: Promise<Drawn> } | null;
  /** Ends when everything that was asked of the database has been answered. */
  turn: Promise<unknown>;
  /** Runs that are being served. */
  waiting: number;
  /** Runs that the next draw is for. */
  runs: number;
  lastDraw: number;
  /** Less is left of the budget than a draw would like. */
  isScarce: boolean;
  isClosed: boolean;
}

/** Of a lease, what is believed: the rest is a margin between this process's clock and the store's. */
export const leaseShare = 0.75;
/** Runs that the first draw is for. */
export const fewestRuns = 16;

/** A purse with nothing in it. */
export function stateOf(place: BudgetPlace, parts: PurseParts): PurseState {
  return {
    ...{ place, parts, allotments: [], drawing: null, turn: Promise.resolve(), waiting: 0 },
    ...{ runs: fewestRuns, lastDraw: Number.NEGATIVE_INFINITY, isScarce: false, isClosed: false },
  };
}

/** Whether anything may be taken from it. */
export function isUsable({ parts }: PurseState, one: Allotment): boolean {
  return !one.isLeft && parts.clock.monotonic() < one.validUntil;
}

/** What is left of an allotment. */
export function freeOf({ amount, used, held }: Allotment): number {
  return amount - used - held;
}

/** One after the other: what is given back and what is added must not pass each other on the way. */
export function inTurn<T>(state: PurseState, work: () => Promise<T>): Promise<T> {
  const done = state.turn.then(work);
  state.turn = done.catch(() => {});
  return done;
}
