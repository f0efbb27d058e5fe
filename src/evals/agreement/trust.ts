import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import { rubricFolder } from "../judges/read-rubrics.ts";
import type { Rubric } from "../judges/rubric.ts";
import { rubricDigest } from "../judges/rubric-digest.ts";
import { readPlainJson } from "../plain-yaml.ts";
import type { Agreement, CriterionAgreement } from "./agreement.ts";

/** Whether a gate may go by a judge, and why not. */
export interface Trust {
  readonly isTrusted: boolean;
  /** One sentence for each reason; empty where it is trusted. */
  readonly why: readonly string[];
}

/**
 * Says whether a gate may go by a judge: it was held against people's labels under this very rubric and model, by every criterion over
 * enough of them, and agrees with them by the rubric's own floor. A kappa that is not defined, since all said one word, is no agreement.
 */
export function trustOf(rubric: Rubric, agreement: KeptAgreement | null): Trust {
  const why =
    agreement === null ? [`the judge \`${rubric.name}\` was never held against people's labels`] : doubts(rubric, agreement);
  return { isTrusted: why.length === 0, why };
}

function doubts(rubric: Rubric, agreement: KeptAgreement): readonly string[] {
  if (agreement.judge !== rubric.name || agreement.rubricDigest !== rubricDigest(rubric))
    return [`the rubric \`${rubric.name}\` has changed since it was held against people's labels`];
  const { kappa: floor, labels: least } = rubric.trust;
  return rubric.criteria.flatMap(({ id }) => {
    const of = agreement.criteria.find(({ criterion }) => criterion === id);
    if (of === undefined || of.labels < least) return [`\`${id}\` has ${of?.labels ?? 0} labels of the ${least} that it takes`];
    if (of.kappa === null) return [`\`${id}\` has one and the same reading throughout, of which nothing can be learnt`];
    return of.kappa < floor ? [`\`${id}\` agrees with people by a kappa of ${of.kappa.toFixed(3)}, which is under ${floor}`] : [];
  });
}

const kept = z.object({
  version: z.literal(1),
  judge: z.string(),
  rubricDigest: z.string(),
  criteria: z.array(z.object({ criterion: z.string(), labels: z.int().nonnegative(), kappa: z.number().max(1).nullable() })),
});

/** What of an agreement trust goes by. */
export type KeptAgreement = Pick<Agreement, "judge" | "rubricDigest"> & {
  readonly criteria: readonly Pick<CriterionAgreement, "criterion" | "labels" | "kappa">[];
};

/** Where a project keeps how far a judge agrees with people, below its folder: beside the rubric, under version control. */
export function agreementPath(judge: string): string {
  return join(rubricFolder, `${judge}.agreement.json`);
}

/** What is kept of a judge's agreement; `null` where nothing is. Throws `definition_invalid` for a file that cannot be read. */
export async function readAgreement(project: string, judge: string): Promise<KeptAgreement | null> {
  const path = join(project, agreementPath(judge));
  if (!existsSync(path)) return null;
  const plain = readPlainJson(await readFile(path, "utf8"));
  const read = plain.kind === "value" ? kept.safeParse(plain.value) : null;
  if (read?.success === true) return read.data;
  throw new CountersignError(
    "definition_invalid",
    `\`${agreementPath(judge)}\` cannot be read; make it again with \`countersign eval agreement\``,
  );
}

/** The text of the file of an agreement. */
export function agreementText(agreement: Agreement): string {
  return `${JSON.stringify(agreement, null, 2)}\n`;
}
