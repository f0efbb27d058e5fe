import { join } from "node:path";
import { z } from "zod";
import { readLines, setFile } from "../schema/read-lines.ts";

const contextForm = z.object({
  context_id: z.string(),
  table: z.array(z.array(z.string())),
  paragraphs: z.array(z.object({ order: z.number(), text: z.string() })),
});
const questionForm = z.object({
  id: z.string(),
  context_id: z.string(),
  question: z.string(),
  answer: z.unknown(),
  derivation: z.string(),
  answer_type: z.string(),
  scale: z.string(),
  derivation_value: z.number().nullish(),
  derivation_matches_answer: z.boolean().nullish(),
  derivation_scale: z.number().nullish(),
});

/** A table of a report with the paragraphs around it. */
export type Report = z.infer<typeof contextForm>;
/** A question over a report with the derivation of its answer, as a person wrote it. */
export type Question = z.infer<typeof questionForm>;

/** The set of one split, or the file of it that is not there. */
export async function readSet({
  data,
  split,
}: {
  data: string;
  split: "open" | "held";
}): Promise<
  { readonly reports: ReadonlyMap<string, Report>; readonly questions: readonly Question[] } | { readonly missing: string }
> {
  const reports = new Map<string, Report>();
  const questions: Question[] = [];
  for (const part of ["dev", "test"]) {
    const contextsFile = join(data, "tatqa", "common", `contexts-${part}.jsonl`);
    const questionsFile = setFile(data, { set: "tatqa", split, file: `${part}.jsonl` });
    const contexts = await readLines(contextsFile, contextForm);
    const asked = await readLines(questionsFile, questionForm);
    if (contexts === null) return { missing: contextsFile };
    if (asked === null) return { missing: questionsFile };
    for (const one of contexts) reports.set(one.context_id, one);
    questions.push(...asked);
  }
  return { reports, questions };
}
