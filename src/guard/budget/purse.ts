/**
 * What this process has drawn from one budget, counted in memory: a run's reservation and its end touch no row. Fresh allotments are
 * drawn before the last one is used up, and what lies idle goes back.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Clock, Ids } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import { type BudgetPlace, countAllotment, type Drawn, drawAllotment, renewAllotments } from "./allotments.ts";

/** How purses work; times are in milliseconds. */
export interface PurseTimes {
  /** How long an allotment is this process's without a sign of life; longer than any pause of a living process that is to be borne. */
  readonly leaseMs: number;
  /** How long a run waits for what others may give back, once nothing is left to draw. */
  readonly patienceMs: number;
  /** After how long without use an allotment goes back. */
  readonly idleMs: number;
}

export const usualPurseTimes: PurseTimes = { leaseMs: 20_000, patienceMs: 1_000, idleMs: 5_000 };

/** Room taken for one run. */
export interface PurseHold {
  readonly allotment: string;
  readonly amount: number;
  readonly end: (how: { kind: "used"; used: number } | { kind: "left" }) => void;
}

/** One budget's purse in this process. */
export interface Purse {
  readonly place: BudgetPlace;
  /** Takes room, drawing where there is none; `null` where the budget does not hold it. */
  readonly hold: (amount: number) => Promise<PurseHold | null>;
  /** Renews leases, counts what was used, gives back what lies idle. */
  readonly tend: () => Promise<void>;
  /** Gives back what is free, such as when the cap was lowered. */
  readonly shed: () => Promise<void>;
  /** Gives everything back that is not held. What is held stays for the sweep. */
  readonly close: () => Promise<void>;
  readonly isEmpty: () => boolean;
}

interface Allotment {
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

/** Of the lease, what is kept as a margin between this process's clock and the store's. */
const margin = 0.75;
/** Runs that one draw is for, where the budget is large enough: so many that a draw comes about every five seconds. */
const runsInDraw = { first: 16, most: 4_096 } as const;
const drawEveryMs = 5_000;
/** How often what was used is counted where nothing else is written, in milliseconds: a list of budgets shows it so late. */
const countEveryMs = 10_000;
const pollMs = 40;

export function openPurse(
  place: BudgetPlace,
  { database, clock, ids, times }: { database: Database; clock: Clock; ids: Ids; times: PurseTimes },
): Purse {
  let allotments: Allotment[] = [];
  let drawing: { readonly least: number; readonly drawn: Promise<Drawn> } | null = null;
  let isScarce = false;
  let isClosed = false;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let runs: number = runsInDraw.first;
  let lastDraw = Number.NEGATIVE_INFINITY;

  const usable = (one: Allotment): boolean => !one.isLeft && clock.monotonic() < one.validUntil;
  const freeOf = ({ amount, used, held }: Allotment): number => amount - used - held;

  const take = (amount: number): PurseHold | null => {
    const found = allotments.find((one) => usable(one) && freeOf(one) >= amount);
    if (found === undefined) return null;
    found.held += amount;
    found.lastTaken = clock.monotonic();
    let isEnded = false;
    return {
      allotment: found.id,
      amount,
      end: (how) => {
        if (isEnded) return;
        isEnded = true;
        found.held -= amount;
        if (how.kind === "left") found.isLeft = true;
        else found.used += how.used;
      },
    };
  };

  // One after the other: what is given back and what is added must not pass each other on the way.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  };

  const drawNew = async (least: number): Promise<Drawn> => {
    const [id, startedAt] = [ids.next(), clock.monotonic()];
    const { leaseMs } = times;
    const sinceLast = startedAt - lastDraw;
    if (sinceLast < drawEveryMs) runs = Math.min(runsInDraw.most, runs * 2);
    else if (sinceLast > 2 * drawEveryMs) runs = Math.max(runsInDraw.first, runs / 2);
    lastDraw = startedAt;
    const drawn = await drawAllotment(database, { place, id, isGrowth: false, least, wanted: least * runs, leaseMs });
    isScarce = drawn.remaining < least * runs;
    if (drawn.kind === "drawn") {
      const fresh = { used: 0, held: 0, counted: 0, isLeft: false, lastTaken: clock.monotonic(), countedAt: clock.monotonic() };
      allotments.push({ id, amount: drawn.amount, validUntil: startedAt + leaseMs * margin, ...fresh });
    }
    return drawn;
  };

  // What is free here may be too little by itself, and enough with what is left of the budget.
  const grow = async (amount: number): Promise<Drawn | null> => {
    const fullest = allotments.filter(usable).toSorted((one, other) => freeOf(other) - freeOf(one))[0];
    if (fullest === undefined || freeOf(fullest) === 0) return null;
    const least = Math.max(1, amount - freeOf(fullest));
    const asked = { place, id: fullest.id, isGrowth: true, least, wanted: least, leaseMs: times.leaseMs };
    const drawn = await drawAllotment(database, asked);
    if (drawn.kind === "drawn") fullest.amount += drawn.amount;
    return drawn;
  };

  const draw = (amount: number): Promise<Drawn> => {
    const ended = inTurn(async () => {
      const drawn = await drawNew(amount);
      return drawn.kind === "drawn" ? drawn : ((await grow(amount)) ?? drawn);
    }).finally(() => {
      drawing = null;
    });
    drawing = { least: amount, drawn: ended };
    return ended;
  };

  // Before the last is used up, so that a run seldom waits for a draw.
  const drawAhead = (amount: number): void => {
    const free = allotments.reduce((sum, one) => sum + (usable(one) ? freeOf(one) : 0), 0);
    if (!isScarce && !isClosed && drawing === null && free < amount * (runs / 2)) draw(amount).catch(() => {});
  };

  const count = async (one: Allotment, { kept, isEnd }: { kept: number; isEnd: boolean }): Promise<void> => {
    const { used, held } = one;
    // What is given back is gone from here before it is gone there, so that it is never in both.
    one.amount = used + held + kept;
    const known = await countAllotment(database, { tenant: place.tenant, id: one.id, used, kept: held + kept, isEnd });
    if (known) Object.assign(one, { counted: used, countedAt: clock.monotonic() });
    else one.isLeft = true;
  };

  const tendOne = async (one: Allotment): Promise<void> => {
    if (!usable(one)) return;
    const isIdle = clock.monotonic() - one.lastTaken >= (isScarce ? pollMs * 2 : times.idleMs);
    const isEnd = one.held === 0 && (isIdle || freeOf(one) === 0);
    if (isEnd) {
      // Nothing may be taken from it while it is given back.
      allotments = allotments.filter((other) => other !== one);
      await count(one, { kept: 0, isEnd: true });
    } else if (isIdle && freeOf(one) > 0) await count(one, { kept: 0, isEnd: false });
    else if (one.used > one.counted && clock.monotonic() - one.countedAt >= countEveryMs)
      await count(one, { kept: Math.max(0, freeOf(one)), isEnd: false });
  };

  // Once nothing is left to draw, others may still give something back.
  const patiently = async (amount: number): Promise<PurseHold | null> => {
    const startedAt = clock.monotonic();
    for (;;) {
      const taken = take(amount);
      if (taken !== null) {
        drawAhead(amount);
        return taken;
      }
      // One draw at a time. What it is refused says nothing of a smaller amount.
      const under = drawing;
      const drawn = await (under?.drawn ?? draw(amount));
      if (drawn.kind === "drawn" || (under !== null && under.least > amount)) continue;
      if (drawn.elsewhere === 0 || isClosed || clock.monotonic() - startedAt >= times.patienceMs) return take(amount);
      await delay(pollMs);
    }
  };

  const renew = async (): Promise<void> => {
    const due = allotments.filter((one) => usable(one) && one.validUntil - clock.monotonic() < times.leaseMs / 2);
    if (due.length === 0) return;
    const startedAt = clock.monotonic();
    const alive = await renewAllotments(database, { tenant: place.tenant, ids: due.map(({ id }) => id), leaseMs: times.leaseMs });
    for (const one of due) {
      if (alive.has(one.id)) one.validUntil = startedAt + times.leaseMs * margin;
      else one.isLeft = true;
    }
  };

  return {
    place,
    hold: async (amount) => {
      waiting += 1;
      try {
        return await patiently(amount);
      } finally {
        waiting -= 1;
      }
    },
    tend: async () => {
      await renew();
      for (const one of [...allotments]) await inTurn(() => tendOne(one));
      allotments = allotments.filter((one) => usable(one) || one.held > 0);
    },
    shed: () =>
      inTurn(async () => {
        for (const one of allotments.filter((each) => usable(each) && freeOf(each) > 0))
          await count(one, { kept: 0, isEnd: false });
      }),
    close: async () => {
      isClosed = true;
      await drawing?.drawn.catch(() => {});
      await turn;
      const mine = allotments.filter(usable);
      allotments = [];
      for (const one of mine) await count(one, { kept: 0, isEnd: one.held === 0 });
    },
    isEmpty: () => allotments.length === 0 && drawing === null && waiting === 0,
  };
}
