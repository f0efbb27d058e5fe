import { existsSync } from "node:fs";
import { z } from "zod";
import type { Json } from "../../src/contract/json.ts";
import { readLines, setFile } from "../schema/read-lines.ts";
import { readSuite, type Suite, type SuiteName, suiteFile, suites } from "./suite.ts";

const set = "agentdojo";
const json = z.custom<Json>();
const differences = z.array(
  z.strictObject({
    op: z.enum(["add", "remove", "replace"]),
    path: z.string(),
    before: json.exactOptional(),
    after: json.exactOptional(),
  }),
);
const call = z.object({
  function: z.string(),
  args: z.record(z.string(), json),
  class: z.enum(["read", "write"]),
  egress: z.boolean(),
  outcome: z.string(),
  state_change: differences,
  returns_untrusted_text_from: z.array(z.string()).default([]),
});
const common = {
  id: z.string(),
  suite: z.enum(suites),
  ground_truth: z.array(call),
  expected_state_change: differences,
};
const userTask = z.object({ ...common, prompt: z.string(), environment_changes_before_task: differences });
const injectionTask = z.object({ ...common, goal: z.string() });
const pair = z.object({
  id: z.string(),
  user_task: z.string(),
  injection_task: z.string(),
  injected_calls_identical_to_a_user_call: z.array(json),
});

export type RecordedCall = z.infer<typeof call>;
export type UserTask = z.infer<typeof userTask>;
export type InjectionTask = z.infer<typeof injectionTask>;
export type Pair = z.infer<typeof pair>;

/** The set: suites, the tasks of a split, and which attack meets which task. */
export interface DojoSet {
  readonly suites: Readonly<Record<SuiteName, Suite>>;
  readonly userTasks: readonly UserTask[];
  readonly injectionTasks: readonly InjectionTask[];
  readonly pairs: readonly Pair[];
}

/** Reads the set from the folder of all sets; or names the file that is not there. */
export async function readSet(data: string, split: "open" | "held"): Promise<DojoSet | { readonly missing: string }> {
  const lines = async <T>(name: string, form: z.ZodType<T>): Promise<readonly T[]> =>
    (await readLines(setFile(data, { set, split, file: `${name}.jsonl` }), form)) ?? [];
  const files = ["user_tasks", "injection_tasks", "pairs"].map((name) => setFile(data, { set, split, file: `${name}.jsonl` }));
  const missing = [...suites.map((name) => suiteFile(data, name)), ...files].find((file) => !existsSync(file));
  if (missing !== undefined) return { missing };
  const read = await Promise.all(suites.map(async (name) => [name, await readSuite(data, name)] as const));
  return {
    suites: Object.fromEntries(read) as Record<SuiteName, Suite>, // every file is there
    userTasks: await lines("user_tasks", userTask),
    injectionTasks: await lines("injection_tasks", injectionTask),
    pairs: await lines("pairs", pair),
  };
}
