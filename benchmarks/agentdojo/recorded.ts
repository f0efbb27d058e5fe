import type { Json, JsonObject } from "../../src/contract/json.ts";
import type { ProposedCall } from "../../src/contract/plan.ts";
import type { Difference } from "./differences.ts";
import { changesBetween, environmentOf } from "./environment.ts";
import type { InjectionTask, RecordedCall, UserTask } from "./read-set.ts";
import type { Suite } from "./suite.ts";

/** A call as the set has it, with the id of what it made there; in another state the same call makes another id. */
export interface TaskCall extends ProposedCall {
  readonly task: string;
  readonly made: string | null;
  /** Changes something, or leaves the house. */
  readonly isEffect: boolean;
  readonly isWrite: boolean;
  readonly readsStrangers: boolean;
}

/** The calls of a task in their order. */
export function callsOf(suite: Suite, task: UserTask | InjectionTask): readonly TaskCall[] {
  let environment = environmentOf(suite, "environment_changes_before_task" in task ? task.environment_changes_before_task : []);
  return task.ground_truth.map((call) => {
    const before = environment;
    const outcome = suite.tools.get(call.function)?.call(before, call.args);
    if (outcome?.kind === "ok") environment = outcome.environment;
    const id = outcome?.kind === "ok" ? idIn(outcome.result) : null;
    const made = id !== null && isNew(id, changesBetween(before, environment)) ? id : null;
    return { task: task.id, tool: call.function, args: call.args, made, ...kindOf(call) };
  });
}

function kindOf(call: RecordedCall): Pick<TaskCall, "isEffect" | "isWrite" | "readsStrangers"> {
  return {
    isEffect: call.class === "write" || call.egress,
    isWrite: call.class === "write",
    readsStrangers: call.returns_untrusted_text_from.length > 0,
  };
}

/** Whether something with the id came to be, and was not only changed. */
function isNew(id: string, changes: readonly Difference[]): boolean {
  return changes.some(({ op, path, after }) => op === "add" && (path.endsWith(`/${id}`) || idIn(after ?? null) === id));
}

/** The id of what a call made, as its result says it. */
export function idIn(result: Json): string | null {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return null;
  const { id_, id } = result as JsonObject; // neither `null` nor a list
  const found = id_ ?? id;
  return typeof found === "string" || typeof found === "number" ? String(found) : null;
}

/** Arguments with the ids that the things have here, where a call of the same task made them there. */
export function withIds(args: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const here = /(?:^|_)id$/.test(name) ? ids.get(String(value)) : undefined;
      return [name, here === undefined ? value : typeof value === "number" ? Number(here) : here];
    }),
  );
}
