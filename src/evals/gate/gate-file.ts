import { readFile } from "node:fs/promises";
import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import { idPattern } from "../../contract/limits.ts";
import { readPlainYaml } from "../plain-yaml.ts";

const name = z.string().regex(idPattern, "must have the form of an id");
const share = z.number().min(0).max(1);

const place = {
  metric: z.string().regex(/^[a-z]+(?:\.[a-z0-9_-]+)+$/, "must be a metric, such as `answers.groundedness`"),
  capability: name.optional(),
  slice: z.string().min(1).max(200).optional(),
  label: z.enum(["quality", "safety"]).optional(),
};

/** A figure that a run must reach: `least` for shares, `most` for times in milliseconds. */
const floor = z
  .strictObject({ ...place, least: share.optional(), most: z.number().positive().optional() })
  .refine(({ least, most }) => (least === undefined) !== (most === undefined), "must say either `least` or `most`")
  .refine(
    ({ metric, most }) => isTime(metric) === (most !== undefined),
    "takes `most` for times, such as `cases.p90_ms`, and `least` for all else",
  );

/** One floor of a gate. */
export type Floor = z.infer<typeof floor>;

const regression = z.strictObject({
  /** Metrics whose mean over cases may not fall. */
  metrics: z.array(place.metric).min(1).max(100).default(["answers.decision"]),
  /** How much the lower end of the interval of the mean difference may lie below 0. */
  most_worse: share.default(0.05),
  /** Of the interval, and of the test over cases that passed and fail now. */
  level: z.number().min(0.5).max(0.999).default(0.95),
  resamples: z.int().min(1_000).max(100_000).default(10_000),
  seed: z.int().min(0).default(1),
});

const gate = z.strictObject({
  /** How often each case is played. */
  repeats: z.int().min(1).max(100).default(3),
  /** Part of a quality case's repeats that must pass. */
  pass_rate: share.default(0.6),
  floors: z.array(floor).max(500).default([]),
  /** How many cases each set holds at the least. */
  sets: z.record(name, z.int().min(1)).default({}),
  regression: regression.prefault({}),
});

/** What a project's `evals/gate.yaml` demands of a run. */
export type GateFile = z.infer<typeof gate>;

/**
 * What is demanded where a project says nothing: answers with sources are found and grounded, and every set passes in four of five
 * cases. Of metrics that no case of a set is asked, nothing is demanded.
 */
export const usualGate: GateFile = gate.parse({
  floors: [
    { metric: "retrieval.recall_at_5", least: 0.8 },
    { metric: "answers.groundedness", least: 0.9 },
    { metric: "cases.passed", least: 0.8 },
  ],
});

/** Whether a metric is a time, of which less is better. */
export function isTime(metric: string): boolean {
  return metric.endsWith("_ms");
}

/** Reads a gate's file; the usual gate where there is none. Throws `definition_invalid`, naming what was expected where. */
export async function readGate(path: string): Promise<GateFile> {
  const text = await readFile(path, "utf8").catch((thrown: unknown) => {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return null;
    throw thrown;
  });
  if (text === null) return usualGate;
  const read = readPlainYaml(text);
  if (read.kind === "fault") throw invalid(path, read);
  const parsed = gate.safeParse(read.value ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(path, { at: `/${(issue?.path ?? []).join("/")}`, expected: issue?.message ?? "another form" });
}

function invalid(path: string, { at, expected }: { at: string; expected: string }): CountersignError {
  return new CountersignError("definition_invalid", `\`${path}\`, ${at || "the file"}: expected ${expected}`);
}
