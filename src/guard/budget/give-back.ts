import { countAllotment, renewAllotments } from "./allotments.ts";
import { type Allotment, freeOf, isUsable, leaseShare, type PurseState } from "./purse-state.ts";

/** How often what was used is counted where nothing else is written, in milliseconds: a list of budgets shows it so late. */
const countEveryMs = 10_000;
/** How long an allotment may lie where little is left of the budget, in milliseconds. */
const scarceIdleMs = 80;

/** Tells the database what was used of an allotment, and gives back what is free but for `kept`. */
export async function giveBack(
  { place, parts }: PurseState,
  one: Allotment,
  { kept, isEnd }: { kept: number; isEnd: boolean },
): Promise<void> {
  const { used, held } = one;
  // What is given back is gone from here before it is gone there, so that it is never in both.
  one.amount = used + held + kept;
  const asked = { tenant: place.tenant, id: one.id, used, kept: held + kept, isEnd };
  if (await countAllotment(parts.database, asked)) Object.assign(one, { counted: used, countedAt: parts.clock.monotonic() });
  else one.isLeft = true;
}

/** Closes an allotment that is used up or lies idle, gives back what is free of one that is held by runs alone, and counts now and then. */
export async function tendOne(state: PurseState, one: Allotment): Promise<void> {
  if (!isUsable(state, one)) return;
  const { clock, times } = state.parts;
  const isIdle = clock.monotonic() - one.lastTaken >= (state.isScarce ? scarceIdleMs : times.idleMs);
  if (one.held === 0 && (isIdle || freeOf(one) === 0)) {
    // Nothing may be taken from it while it is given back.
    state.allotments = state.allotments.filter((other) => other !== one);
    await giveBack(state, one, { kept: 0, isEnd: true });
  } else if (isIdle && freeOf(one) > 0) await giveBack(state, one, { kept: 0, isEnd: false });
  else if (one.used > one.counted && clock.monotonic() - one.countedAt >= countEveryMs)
    await giveBack(state, one, { kept: Math.max(0, freeOf(one)), isEnd: false });
}

/** Keeps the allotments of this process before half of their lease is over. */
export async function renew(state: PurseState): Promise<void> {
  const { place, parts } = state;
  const { database, clock, times } = parts;
  const due = state.allotments.filter((one) => isUsable(state, one) && one.validUntil - clock.monotonic() < times.leaseMs / 2);
  if (due.length === 0) return;
  const startedAt = clock.monotonic();
  const alive = await renewAllotments(database, { tenant: place.tenant, ids: due.map(({ id }) => id), leaseMs: times.leaseMs });
  for (const one of due) {
    if (alive.has(one.id)) one.validUntil = startedAt + times.leaseMs * leaseShare;
    else one.isLeft = true;
  }
}
