import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Json, JsonObject } from "../../src/contract/json.ts";
import { readLines, setFile } from "../schema/read-lines.ts";
import { type Original, openOriginal } from "./book.ts";
import { type Domain, domains } from "./domains.ts";

const set = "tau-retail-airline";
const args = z.record(z.string(), z.custom<Json>());
const outcome = z.enum(["ok", "error"]);
const difference = z.object({ op: z.enum(["add", "remove", "replace"]), path: z.string(), after: z.custom<Json>().optional() });

const action = z.object({
  name: z.string(),
  arguments: args,
  class: z.enum(["read", "write", "generic"]),
  outcome,
  state_hash_after: z.string().optional(),
  result_sha256: z.string().optional(),
});
const task = z.object({
  id: z.string(),
  domain: z.enum(domains),
  user_id: z.string(),
  actions: z.array(action),
  expected: z.object({ changed: z.boolean(), final_state_hash: z.string() }),
  expected_if_upstream_bug_fixed: z.object({ final_state_hash: z.string() }).optional(),
  known_issues: z.array(z.string()).default([]),
});
const call = z.object({
  id: z.string(),
  domain: z.enum(domains),
  call: z.object({ name: z.string(), arguments: args }),
  outcome,
  diff: z.array(difference),
  note: z.string().optional(),
});
const recorded = z.object({
  id: z.string(),
  user_id: z.string(),
  calls: z.array(
    z.object({
      name: z.string(),
      arguments: args,
      class: z.enum(["read", "write", "generic"]),
      in_tau2_gold: z.boolean().optional(),
    }),
  ),
});

export type Action = z.infer<typeof action>;
export type Task = z.infer<typeof task>;
export type SingleCall = z.infer<typeof call>;
export type Difference = z.infer<typeof difference>;
export type Recorded = z.infer<typeof recorded>;

/** One business of the set with its cases. */
export interface DomainSet {
  readonly domain: Domain;
  readonly original: Original;
  readonly initialHash: string;
  readonly tasks: readonly Task[];
  readonly calls: readonly SingleCall[];
  /** Runs in which a model proposed calls; of one business alone. */
  readonly recorded: readonly Recorded[];
}

/** Reads the set; or names the file that is not there. */
export async function readSet(
  data: string,
  split: "open" | "held",
): Promise<Readonly<Record<Domain, DomainSet>> | { readonly missing: string }> {
  const missing = filesOf(data, split).find((file) => !existsSync(file));
  if (missing !== undefined) return { missing };
  const [retail, airline] = await Promise.all([
    readDomain({ data, split, domain: "retail" }),
    readDomain({ data, split, domain: "airline" }),
  ]);
  return { retail, airline };
}

const taskFiles: Readonly<Record<Domain, readonly string[]>> = {
  retail: ["tau2-retail.jsonl", "tau1-retail-train.jsonl", "tau1-retail-dev.jsonl"],
  airline: ["tau2-airline.jsonl"],
};
const recordedFiles: Readonly<Record<Domain, readonly string[]>> = { retail: [], airline: ["recorded-gpt4o-airline.jsonl"] };

function filesOf(data: string, split: "open" | "held"): string[] {
  return domains.flatMap((domain) => [
    join(data, set, "common", `db.${domain}.json`),
    join(data, set, "common", `tools.${domain}.json`),
    ...[`calls-${domain}.jsonl`, ...taskFiles[domain], ...recordedFiles[domain]].map((file) =>
      setFile(data, { set, split, file }),
    ),
  ]);
}

async function readDomain({ data, split, domain }: { data: string; split: "open" | "held"; domain: Domain }): Promise<DomainSet> {
  const lines = async <T>(files: readonly string[], form: z.ZodType<T>): Promise<T[]> => {
    const read = await Promise.all(files.map((file) => readLines(setFile(data, { set, split, file }), form)));
    return read.flatMap((all) => all ?? []);
  };
  const common = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(data, set, "common", `${name}.${domain}.json`), "utf8"));
  const state = z.record(z.string(), z.record(z.string(), z.custom<JsonObject>())).parse(await common("db"));
  const { initial_state_hash } = z.object({ initial_state_hash: z.string() }).parse(await common("tools"));
  return {
    domain,
    original: openOriginal(state),
    initialHash: initial_state_hash,
    tasks: await lines(taskFiles[domain], task),
    calls: await lines([`calls-${domain}.jsonl`], call),
    recorded: await lines(recordedFiles[domain], recorded),
  };
}
