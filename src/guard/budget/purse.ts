/**
 * What this process has drawn from one budget, counted in memory: a run's reservation and its end touch no row. Fresh allotments are
 * drawn before the last one is used up, and what lies idle goes back.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { BudgetPlace } from "./allotments.ts";
import { draw, drawAhead } from "./draw.ts";
import { giveBack, renew, tendOne } from "./give-back.ts";
import { freeOf, inTurn, isUsable, type PurseParts, type PurseState, stateOf } from "./purse-state.ts";

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

/** How often it is asked whether others gave something back, in milliseconds. */
const pollMs = 40;

/** Opens the purse of a budget in one period, for one subject. */
export function openPurse(place: BudgetPlace, parts: PurseParts): Purse {
  const state = stateOf(place, parts);
  return {
    place,
    hold: async (amount) => {
      state.waiting += 1;
      try {
        return await holdPatiently(state, amount);
      } finally {
        state.waiting -= 1;
      }
    },
    tend: async () => {
      await renew(state);
      for (const one of [...state.allotments]) await inTurn(state, () => tendOne(state, one));
      state.allotments = state.allotments.filter((one) => isUsable(state, one) || one.held > 0);
    },
    shed: () =>
      inTurn(state, async () => {
        for (const one of state.allotments.filter((each) => isUsable(state, each) && freeOf(each) > 0))
          await giveBack(state, one, { kept: 0, isEnd: false });
      }),
    close: async () => {
      state.isClosed = true;
      await state.drawing?.drawn.catch(() => {});
      await state.turn;
      const mine = state.allotments.filter((one) => isUsable(state, one));
      state.allotments = [];
      for (const one of mine) await giveBack(state, one, { kept: 0, isEnd: one.held === 0 });
    },
    isEmpty: () => state.allotments.length === 0 && state.drawing === null && state.waiting === 0,
  };
}

/** Once nothing is left to draw, others may still give something back. */
async function holdPatiently(state: PurseState, amount: number): Promise<PurseHold | null> {
  const { clock, times } = state.parts;
  const startedAt = clock.monotonic();
  for (;;) {
    const taken = take(state, amount);
    if (taken !== null) {
      drawAhead(state, amount);
      return taken;
    }
    // One draw at a time. What it is refused says nothing of a smaller amount.
    const under = state.drawing;
    const drawn = await (under?.drawn ?? draw(state, amount));
    if (drawn.kind === "drawn" || (under !== null && under.least > amount)) continue;
    if (drawn.elsewhere === 0 || state.isClosed || clock.monotonic() - startedAt >= times.patienceMs) return take(state, amount);
    await delay(pollMs);
  }
}

function take(state: PurseState, amount: number): PurseHold | null {
  const found = state.allotments.find((one) => isUsable(state, one) && freeOf(one) >= amount);
  if (found === undefined) return null;
  found.held += amount;
  found.lastTaken = state.parts.clock.monotonic();
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
}
