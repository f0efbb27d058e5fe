/** The gold calls of every task as proposals, and a scripted person who signs exactly them. This is conformance, not skill. */

import type { House } from "./house.ts";
import type { DomainSet } from "./read-set.ts";
import { isAsExpected, openRuns, type Run, readThrough, type Step, waveOf, wavesOf } from "./runs.ts";
import { answer, inLanes, look, submit } from "./session.ts";
import { type Tally, tallyOf } from "./tally.ts";

/** What became of the gold calls. */
export interface Utility {
  /** Tasks that reach the expected state. */
  readonly tasks: Tally;
  /** Writes that end as they must: seen complete where the original accepts them, refused before anybody is asked where it does not. */
  readonly writes: Tally;
  /** Of the writes: refused by the contract before anybody was asked. */
  readonly refused: number;
  readonly approvalsAsked: number;
  readonly signed: number;
  /** Signed, and not seen complete. */
  readonly notComplete: number;
  readonly approvalsPerWrite: number | null;
  /** Reads that answer where the original answers, in the customer's own session. */
  readonly reads: Tally;
  readonly secondsPerWrite: number | null;
}

/** Replays every task of one business through proposal, approval and operation. */
export async function measureUtility(house: House, set: DomainSet): Promise<Utility> {
  const runs = await openRuns(house, set, "u");
  const startedAt = performance.now();
  const ended: Ended[] = [];
  const reads: Said[] = [];
  for (const wave of wavesOf(runs)) {
    const steps = waveOf(runs, wave);
    reads.push(...(await inLanes(steps, ({ run, step }) => readAll(house, { run, actions: step.reads, at: step.id }))).flat());
    ended.push(...(await carryOut(house, steps)));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  reads.push(...(await inLanes(runs, (run) => readAll(house, { run, actions: run.lastReads, at: run.task.id }))).flat());
  const reached = await inLanes(runs, async (run) => ({
    id: run.task.id,
    isRight: await isAsExpected(house, { original: set.original, run }),
  }));
  const signed = ended.filter(({ answered }) => answered === "signed");
  const asked = ended.filter(({ answered }) => answered !== "refused");
  return {
    tasks: tallyOf(reached, ({ id, isRight }) => [id, isRight]),
    writes: tallyOf(ended, ({ step, answered, isComplete }) => [
      step.id,
      step.isAccepted ? isComplete : answered === "refused" && !isComplete,
    ]),
    refused: ended.length - asked.length,
    approvalsAsked: asked.length,
    signed: signed.length,
    notComplete: signed.filter(({ isComplete }) => !isComplete).length,
    approvalsPerWrite: asked.length === 0 ? null : asked.length / ended.filter(({ step }) => step.isAccepted).length,
    reads: tallyOf(reads, ({ id, isRight }) => [id, isRight]),
    secondsPerWrite: ended.length === 0 ? null : seconds / ended.length,
  };
}

interface Said {
  readonly id: string;
  readonly isRight: boolean;
}

interface Ended {
  readonly step: Step;
  readonly answered: "signed" | "rejected" | "refused";
  readonly isComplete: boolean;
}

async function carryOut(house: House, steps: readonly { run: Run; step: Step }[]): Promise<Ended[]> {
  const answered = await inLanes(steps, async ({ run: { session }, step }) => {
    const view = await submit(house.decider, { session, asked: step.asked, key: step.id });
    if (view.state !== "waiting") return { session, step, decisionId: view.id, answered: "refused" as const };
    return {
      session,
      step,
      decisionId: view.id,
      answered: await answer(house, { session, decisionId: view.id, gold: step.asked }),
    };
  });
  await house.worker.runOnce();
  return inLanes(answered, async ({ session, decisionId, ...rest }) => ({
    ...rest,
    isComplete: (await look(house, session, decisionId)).state === "done",
  }));
}

async function readAll(
  house: House,
  { run: { session }, actions, at }: { run: Run; actions: Step["reads"]; at: string },
): Promise<Said[]> {
  return inLanes(actions, async (action) => {
    const result = await readThrough(house, { session, action });
    return { id: `${at}<${action.name}`, isRight: (result !== undefined) === (action.outcome === "ok") };
  });
}
