import type { EvalRun } from "../eval-run.ts";
import type { Rubric } from "./rubric.ts";
import { rubricDigest } from "./rubric-digest.ts";

/** By what the judges of some capabilities read, as a run keeps it. */
export function judgesOf(rubrics: readonly Rubric[], capabilities: ReadonlySet<string>): EvalRun["judges"] {
  const reading = rubrics.filter((one) => one.capabilities.some((name) => capabilities.has(name)));
  return Object.fromEntries(
    reading.map((rubric) => {
      const { name, version, model } = rubric;
      return [name, { version, model: `${model.provider}/${model.id}`, rubricDigest: rubricDigest(rubric) }];
    }),
  );
}
