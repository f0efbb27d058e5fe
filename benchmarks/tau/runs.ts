import { type Copy, hashOf, type Original } from "./book.ts";
import { type Domain, toolsOf } from "./domains.ts";
import type { House } from "./house.ts";
import type { Action, DomainSet, Task } from "./read-set.ts";
import { changesOf } from "./sandbox.ts";
import type { Asked } from "./scope.ts";
import { customerOf, type Session } from "./session.ts";

/** One write of a task with the reads that come before it. */
export interface Step {
  readonly id: string;
  readonly reads: readonly Action[];
  readonly asked: Asked;
  /** The original accepts it. */
  readonly isAccepted: boolean;
}

/** One task in a session of its own. */
export interface Run {
  readonly task: Task;
  readonly session: Session;
  readonly steps: readonly Step[];
  /** The reads after the last write. */
  readonly lastReads: readonly Action[];
}

/** Gives every task a session, in tenants that begin with `domain.mark`. */
export async function openRuns(house: House, { domain, tasks }: DomainSet, mark: string): Promise<readonly Run[]> {
  const runs = tasks.map((task, place) => runOf(task, { tenant: `${domain}.${mark}${place}`, domain, customer: task.user_id }));
  await house.addTenants(runs.map(({ session }) => session));
  return runs;
}

/** The n-th writes of all runs that have one. */
export function waveOf(runs: readonly Run[], wave: number): readonly { readonly run: Run; readonly step: Step }[] {
  return runs.flatMap((run) => {
    const step = run.steps[wave];
    return step === undefined ? [] : [{ run, step }];
  });
}

/** How many waves there are. */
export function wavesOf(runs: readonly Run[]): readonly number[] {
  return Array.from({ length: Math.max(0, ...runs.map(({ steps }) => steps.length)) }, (_, wave) => wave);
}

/** Whether the sandbox stands as the task expects it, without the original's fault. */
export async function isAsExpected(house: House, { original, run }: { original: Original; run: Run }): Promise<boolean> {
  const copy = await worldOf(house, { original, tenant: run.session.tenant });
  const { expected, expected_if_upstream_bug_fixed } = run.task;
  return copy.hash() === (expected_if_upstream_bug_fixed ?? expected).final_state_hash;
}

/** The whole state of a world. */
export async function worldOf(house: House, { original, tenant }: { original: Original; tenant: string }): Promise<Copy> {
  const copy = original.copy();
  copy.make(await changesOf(house.admin, tenant));
  return copy;
}

/** Reads the result that a record query gives; `undefined` where it gives none. */
export async function readThrough(
  house: House,
  { session, action }: { session: Session; action: Pick<Action, "name" | "arguments"> },
): Promise<string | undefined> {
  const principal = customerOf(session);
  const query = `${session.domain}.${action.name}`;
  const need = { kind: "records", name: "tool", query, params: action.arguments, maxAgeMs: 60_000 } as const;
  const rows = await house.records.readRecords(need, { principal, scopes: [], environment: "demo", at: Date.now() });
  const result = rows[0]?.row["result"];
  return result === undefined ? undefined : hashOf(result);
}

/** Whether a tool reads records; those that only calculate or hand over do not. */
function readsRecords(domain: Domain, name: string): boolean {
  const tool = toolsOf(domain, { repeatsFault: false }).get(name);
  return tool !== undefined && !tool.writes && name !== "calculate" && name !== "transfer_to_human_agents";
}

function runOf(task: Task, session: Session): Run {
  const steps: Step[] = [];
  let reads: Action[] = [];
  for (const [place, action] of task.actions.entries()) {
    if (action.class !== "write") {
      if (readsRecords(task.domain, action.name)) reads.push(action);
      continue;
    }
    const asked = { tool: action.name, args: action.arguments };
    steps.push({ id: `${task.id}#${place}`, reads, asked, isAccepted: action.outcome === "ok" });
    reads = [];
  }
  return { task, session, steps, lastReads: reads };
}
