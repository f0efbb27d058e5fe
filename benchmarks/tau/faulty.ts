/** Does the separate read notice that the system of record did something else? Signed writes over a sandbox with the original's fault. */
import { toolsOf } from "./domains.ts";
import type { House } from "./house.ts";
import type { DomainSet } from "./read-set.ts";
import { openRuns, type Run, type Step, worldOf } from "./runs.ts";
import { answer, inLanes, look, submit } from "./session.ts";
import { type Tally, tallyOf } from "./tally.ts";

/** What was said of writes that the sandbox carried out wrongly. */
export interface FaultyWrites {
  /** Carried out wrongly and not called done. */
  readonly noticed: Tally;
  /** The sandbox did what it should for all of the fault, and it was called done. */
  readonly unharmed: number;
}

/** Signs the first write of several items of each task that the set says the fault touches; `null` where there is none. */
export async function measureFaulty(house: House, set: DomainSet): Promise<FaultyWrites | null> {
  const touched = set.tasks.filter((task) => task.expected_if_upstream_bug_fixed !== undefined);
  const runs = await openRuns(house, { ...set, tasks: touched }, "f");
  const steps = runs.flatMap((run) => {
    const step = run.steps.find((one) => one.isAccepted && one.asked.tool === "modify_pending_order_items");
    return step === undefined ? [] : [{ run, step }];
  });
  if (steps.length === 0) return null;
  const worker = house.faultyWorker();
  try {
    const signed = await inLanes(steps, async ({ run, step }) => {
      const { session } = run;
      const view = await submit(house.decider, { session, asked: step.asked });
      if (view.state === "waiting") await answer(house, { session, decisionId: view.id, gold: step.asked });
      return { run, step, decisionId: view.id };
    });
    await worker.runOnce();
    const ended = await inLanes(signed, async ({ run, step, decisionId }) => ({
      id: step.id,
      isWrong: await isWrong(house, { set, run, step }),
      isDone: (await look(house, run.session, decisionId)).state === "done",
    }));
    return {
      noticed: tallyOf(
        ended.filter((one) => one.isWrong),
        ({ id, isDone }) => [id, !isDone],
      ),
      unharmed: ended.filter((one) => !one.isWrong && one.isDone).length,
    };
  } finally {
    await worker.stop();
  }
}

/** Whether the world stands otherwise than the contract says. */
async function isWrong(house: House, { set, run, step }: { set: DomainSet; run: Run; step: Step }): Promise<boolean> {
  const copy = set.original.copy();
  const outcome = toolsOf(set.domain, { repeatsFault: false }).get(step.asked.tool)?.call(step.asked.args, copy);
  if (outcome?.kind === "ok") copy.make(outcome.changes);
  const world = await worldOf(house, { original: set.original, tenant: run.session.tenant });
  return world.hash() !== copy.hash();
}
