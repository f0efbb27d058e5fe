/**
 * Judges: a model reads an answer by a rubric, one word of a closed list for each criterion, and code computes the number. No number of a
 * model's is used, and what could not be read is a fault, never a score.
 */
import { z } from "zod";

const id = z.string().regex(/^[a-z][a-z0-9_]{0,40}$/, "must be a name: lower case, digits and `_`, at most 41");
const sentence = z.string().trim().min(1).max(1_000);

/** Says that a criterion does not apply; no anchor may have this name. */
export const notApplicable = "not_applicable";

/** One reading that a criterion can have, with what it looks like and what it is worth. */
const anchor = z.strictObject({
  reading: id.refine((name) => name !== notApplicable, `\`${notApplicable}\` is said with \`mayNotApply\``),
  worth: z.number().min(0).max(1),
  means: sentence,
});

const criterion = z.strictObject({
  id,
  asks: sentence,
  weight: z.number().positive().max(100),
  /** From the worst to the best, so that a near miss can be told from a far one. */
  anchors: z
    .array(anchor)
    .min(2)
    .max(7)
    .refine(
      (all) => all.every(({ worth }, place) => worth > (all[place - 1]?.worth ?? -1)),
      "must rise in worth from the first to the last",
    )
    .refine((all) => new Set(all.map(({ reading }) => reading)).size === all.length, "must have a reading of its own each"),
  /** There are answers to which it does not apply; its weight goes to the others then. */
  mayNotApply: z.boolean().default(false),
});

/** A judge's model, by its pinned id, as a capability names its own. */
const model = z.strictObject({
  provider: z.string().min(1).max(63),
  id: z.string().min(1).max(200),
  effort: z.enum(["none", "low", "medium", "high"]).default("none"),
  temperature: z.number().min(0).max(2).nullable().default(0),
});

/** One rubric as it stands in a file. A change of it is another version: readings by two versions are not compared. */
export const rubric = z.strictObject({
  name: id,
  version: z.string().trim().min(1).max(40),
  /** What is judged, in a sentence or some. */
  task: sentence,
  model,
  /** The capabilities whose answers it reads. */
  capabilities: z.array(z.string().min(1).max(63)).min(1).max(50),
  criteria: z
    .array(criterion)
    .min(1)
    .max(12)
    .refine((all) => new Set(all.map((one) => one.id)).size === all.length, "must have an id of its own each"),
  /** A number under it is told with what was read; what a gate demands stands in the gate's own floors. */
  floor: z.number().min(0).max(1),
  /** What agreement with people the judge needs before a gate may go by it. */
  trust: z.strictObject({ kappa: z.number().min(0).max(1), labels: z.int().min(2) }).default({ kappa: 0.6, labels: 30 }),
  /** Why it may judge replies of its own model; left out, it may not. */
  judgesOwnModel: sentence.optional(),
});

/** One rubric. */
export type Rubric = z.infer<typeof rubric>;

/** One criterion of a rubric. */
export type Criterion = Rubric["criteria"][number];

/** The words that a reading of a criterion may be, from the worst to the best. */
export function readingsOf({ anchors, mayNotApply }: Criterion): readonly [string, ...string[]] {
  const words = [...anchors.map(({ reading }) => reading), ...(mayNotApply ? [notApplicable] : [])];
  return words as [string, ...string[]]; // a criterion has two anchors at the least
}

/** What was read of one criterion. */
export interface Reading {
  readonly criterion: string;
  readonly reading: string;
  /** The model's own words, for people; no number comes from them. */
  readonly because: string;
}

/**
 * The weighted mean of what the readings are worth, 0 to 1, over the criteria that apply; `null` where none does. Readings stand for
 * every criterion, each with a word of its list: what fits the reply's schema does.
 */
export function numberOf(
  { criteria }: Pick<Rubric, "criteria">,
  readings: readonly Pick<Reading, "criterion" | "reading">[],
): number | null {
  const applying = criteria.flatMap(({ id: of, weight, anchors }) => {
    const word = readings.find((one) => one.criterion === of)?.reading;
    const worth = anchors.find(({ reading }) => reading === word)?.worth;
    return worth === undefined ? [] : [{ weight, worth }];
  });
  const weights = applying.reduce((sum, { weight }) => sum + weight, 0);
  if (weights === 0) return null;
  return applying.reduce((sum, { weight, worth }) => sum + weight * worth, 0) / weights;
}
