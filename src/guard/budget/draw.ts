import { type Drawn, drawAllotment } from "./allotments.ts";
import { fewestRuns, freeOf, inTurn, isUsable, leaseShare, type PurseState } from "./purse-state.ts";

/** A draw is for so many runs that one comes about every five seconds, where the budget is large enough. */
const drawEveryMs = 5_000;
const mostRuns = 4_096;

/** Draws room for at least one run of this amount; there is never more than one draw under way. */
export function draw(state: PurseState, amount: number): Promise<Drawn> {
  const drawn = inTurn(state, async () => {
    const fresh = await drawNew(state, amount);
    return fresh.kind === "drawn" ? fresh : ((await grow(state, amount)) ?? fresh);
  }).finally(() => {
    state.drawing = null;
  });
  state.drawing = { least: amount, drawn };
  return drawn;
}

/** Draws before the last is used up, so that a run seldom waits for it. One that fails is told by the draw of whoever finds nothing left. */
export function drawAhead(state: PurseState, amount: number): void {
  const { isScarce, isClosed, drawing, runs } = state;
  const free = state.allotments.reduce((sum, one) => sum + (isUsable(state, one) ? freeOf(one) : 0), 0);
  if (!isScarce && !isClosed && drawing === null && free < amount * (runs / 2)) draw(state, amount).catch(() => {});
}

async function drawNew(state: PurseState, least: number): Promise<Drawn> {
  const { place, parts } = state;
  const { database, clock, ids, times } = parts;
  const [id, startedAt] = [ids.next(), clock.monotonic()];
  const sinceLast = startedAt - state.lastDraw;
  if (sinceLast < drawEveryMs) state.runs = Math.min(mostRuns, state.runs * 2);
  else if (sinceLast > 2 * drawEveryMs) state.runs = Math.max(fewestRuns, state.runs / 2);
  state.lastDraw = startedAt;
  const wanted = least * state.runs;
  const drawn = await drawAllotment(database, { place, id, isGrowth: false, least, wanted, leaseMs: times.leaseMs });
  state.isScarce = drawn.remaining < wanted;
  if (drawn.kind === "drawn") {
    const now = clock.monotonic();
    const fresh = { used: 0, held: 0, counted: 0, isLeft: false, lastTaken: now, countedAt: now };
    state.allotments.push({ id, amount: drawn.amount, validUntil: startedAt + times.leaseMs * leaseShare, ...fresh });
  }
  return drawn;
}

/** What is free here may be too little by itself, and enough with what is left of the budget. */
async function grow(state: PurseState, amount: number): Promise<Drawn | null> {
  const usable = state.allotments.filter((one) => isUsable(state, one));
  const fullest = usable.toSorted((one, other) => freeOf(other) - freeOf(one))[0];
  if (fullest === undefined || freeOf(fullest) <= 0) return null;
  const least = Math.max(1, amount - freeOf(fullest));
  const { database, times } = state.parts;
  const asked = { place: state.place, id: fullest.id, isGrowth: true, least, wanted: least, leaseMs: times.leaseMs };
  const drawn = await drawAllotment(database, asked);
  if (drawn.kind === "drawn") fullest.amount += drawn.amount;
  return drawn;
}
