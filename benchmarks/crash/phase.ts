/** One stretch of a run: clients ask and sign under a storm, everything drains, and it is judged. */
import { setTimeout as wait } from "node:timers/promises";
import { countOpen, readBook, readProgress } from "./book.ts";
import { type Clients, type Notes, runClients } from "./flows.ts";
import type { House } from "./house.ts";
import { type Judged, judge } from "./judge.ts";
import { type Phase, pace, times } from "./plan.ts";
import { type Blows, type Storm, startStorm, sumOf } from "./storm.ts";

/** What became of one stretch. */
export interface PhaseReport extends Judged {
  readonly kills: Readonly<Blows>;
  readonly pauses: Readonly<Blows>;
  /** Kills of workers with a call at the target, by where the call was. */
  readonly kills_at: Readonly<Record<string, number>>;
  /** What the clients were answered, by code. */
  readonly answers: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Runs one stretch to its end, which its drain is part of. */
export async function runPhase(
  house: House,
  { phase, notice }: { phase: Phase; notice: (line: string) => void },
): Promise<PhaseReport> {
  const startedAt = performance.now();
  const seen = { operations: 0, open: 0 };
  const storm = startStorm(house, { pauses: phase.name === "stops", operations: () => seen.operations });
  const killed = (): number => sumOf(storm.kills);
  const isOver = (): boolean =>
    performance.now() - startedAt > phase.mostMs || (seen.operations >= phase.operations && killed() >= phase.kills);
  const clients: Clients = {
    phase: phase.name,
    doors: house.doors,
    people: house.people,
    passing: storm.passing,
    isOver,
    mayAsk: () => seen.open < pace.mostOpen && seen.operations < (killed() + 10) * pace.operationsPerKill,
  };
  const watching = watch({ house, prefix: `${phase.name}-`, seen, isOver, say: () => notice(lineOf(phase, storm, seen)) });
  const notes = await runClients(clients);
  await watching;
  await storm.end();
  await drain(house);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const { kills, pauses, marked } = storm;
  const judged = await judgeStretch(house, { prefix: `${phase.name}-`, notes });
  return { ...judged, kills, pauses, kills_at: marked, answers: notes.answers, seconds };
}

/** Compares the three accounts of a stretch: the clients', the ledger's, the target's. */
async function judgeStretch(house: House, { prefix, notes }: { prefix: string; notes: Notes }): Promise<Judged> {
  const applied = (await house.target.applied()).filter(({ thing }) => thing.startsWith(prefix));
  const book = await readBook(house.owner, prefix);
  return judge({ ...book, acknowledged: notes.acknowledged, applied, slackMs: times.slackMs });
}

/**
 * Waits until nothing is open any more. Gives up where nothing has ended for as long as an operation may take with all its slack, and
 * leaves what is open to the judge.
 */
async function drain({ owner }: House): Promise<void> {
  const patienceMs = times.deadlineMs + times.slackMs + 5_000;
  let least = Number.POSITIVE_INFINITY;
  for (let end = performance.now() + patienceMs; performance.now() < end; await wait(200)) {
    const open = await countOpen(owner);
    if (open === 0) return;
    if (open < least) end = performance.now() + patienceMs;
    least = Math.min(least, open);
  }
}

async function watch({
  house,
  prefix,
  seen,
  isOver,
  say,
}: {
  house: House;
  prefix: string;
  seen: { operations: number; open: number };
  isOver: () => boolean;
  say: () => void;
}): Promise<void> {
  const sayEveryMs = 30_000;
  let saidAt = performance.now();
  while (!isOver()) {
    Object.assign(seen, await readProgress(house.owner, prefix));
    if (performance.now() - saidAt > sayEveryMs) {
      saidAt = performance.now();
      say();
    }
    await wait(400);
  }
}

function lineOf({ name }: Phase, { kills, pauses }: Storm, { operations, open }: { operations: number; open: number }): string {
  return `${name}: ${operations} operations, ${sumOf(kills)} kills, ${sumOf(pauses)} pauses, ${open} open`;
}
