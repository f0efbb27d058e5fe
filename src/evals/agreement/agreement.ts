import { type Criterion, type Rubric, readingsOf } from "../judges/rubric.ts";
import { bootstrapInterval, type Interval } from "../statistics/bootstrap.ts";
import { krippendorffAlpha } from "./alpha.ts";
import { type Confusion, confusionOf, type Pair, sameShare } from "./count-readings.ts";
import type { JudgeReading, ReadByJudge } from "./judge-readings.ts";
import { cohenKappa } from "./kappa.ts";
import type { Label } from "./labels.ts";

/** How far a judge and people agree by one criterion. */
export interface CriterionAgreement {
  readonly criterion: string;
  /** Answers that the judge read and of which people have one word. */
  readonly labels: number;
  /** Answers of which people's words are even, so that there is nothing to hold the judge against. */
  readonly contested: number;
  /** Of the labels, the share in which the judge said the same. */
  readonly same: number | null;
  /** Weighted by the distance of words where they stand in an order, else plain; `null` where it is not defined. */
  readonly kappa: number | null;
  readonly plainKappa: number | null;
  /** 95 %, by resampling answers. */
  readonly interval: Interval | null;
  /** Krippendorff's alpha among the people alone, and with the judge as one more of them. */
  readonly peopleAlpha: number | null;
  readonly alpha: number | null;
  /** Rows are the judge's words, columns the people's. */
  readonly confusion: Confusion;
}

/** How far a judge and people agree, by each criterion: what a file beside the rubric holds. */
export interface Agreement {
  readonly version: 1;
  readonly judge: string;
  readonly rubricVersion: string;
  /** Of the rubric that the readings were made by. */
  readonly rubricDigest: string;
  readonly people: number;
  readonly criteria: readonly CriterionAgreement[];
}

const resamples = 2_000;

/**
 * Compares a judge's readings with people's labels. Of several people the word that most of them said counts; where that is even, the answer
 * is contested and counts for nobody. `seed` fixes the resampling, so that the same labels give the same interval.
 */
export function agreementOf({
  rubric,
  read: { readings, rubricDigest },
  labels,
  seed = 1,
}: {
  rubric: Rubric;
  read: Pick<ReadByJudge, "readings" | "rubricDigest">;
  labels: readonly Label[];
  seed?: number;
}): Agreement {
  return {
    version: 1,
    judge: rubric.name,
    rubricVersion: rubric.version,
    rubricDigest,
    people: new Set(labels.map(({ person }) => person)).size,
    criteria: rubric.criteria.map((criterion) => {
      const of = <T extends { readonly criterion: string }>(all: readonly T[]): readonly T[] =>
        all.filter((one) => one.criterion === criterion.id);
      return byCriterion({ criterion, readings: of(readings), labels: of(labels), seed });
    }),
  };
}

function byCriterion({
  criterion,
  readings,
  labels,
  seed,
}: {
  criterion: Criterion;
  readings: readonly JudgeReading[];
  labels: readonly Label[];
  seed: number;
}): CriterionAgreement {
  const words = readingsOf(criterion);
  const judged = new Map(readings.map(({ decision, reading }) => [decision, reading]));
  const byDecision = [...Map.groupBy(labels, ({ decision }) => decision)].map(([decision, of]) => ({
    judge: judged.get(decision),
    people: of.map(({ reading }) => reading),
  }));
  const pairs = byDecision.flatMap(({ judge, people }): readonly Pair[] => {
    const word = majorityOf(people);
    return judge === undefined || word === null ? [] : [[judge, word]];
  });
  // A word outside the order has no distance from the others.
  const weights = criterion.mayNotApply ? "none" : "linear";
  const metric = criterion.mayNotApply ? "nominal" : "ordinal";
  return {
    criterion: criterion.id,
    labels: pairs.length,
    contested: byDecision.filter(({ people }) => majorityOf(people) === null).length,
    same: sameShare(pairs),
    kappa: cohenKappa(pairs, words, weights),
    plainKappa: cohenKappa(pairs, words),
    interval: intervalOf(pairs, { seed, kappaOf: (sample) => cohenKappa(sample, words, weights) }),
    peopleAlpha: krippendorffAlpha(
      byDecision.map(({ people }) => people),
      words,
      metric,
    ),
    alpha: krippendorffAlpha(
      byDecision.map(({ judge, people }) => (judge === undefined ? people : [...people, judge])),
      words,
      metric,
    ),
    confusion: confusionOf(pairs, words),
  };
}

/** A draw in which all said one word has nothing to show for itself, so it counts as no agreement. */
function intervalOf(
  pairs: readonly Pair[],
  { seed, kappaOf }: { seed: number; kappaOf: (sample: readonly Pair[]) => number | null },
): Interval | null {
  if (kappaOf(pairs) === null) return null;
  return bootstrapInterval(pairs, { seed, level: 0.95, resamples, of: (sample) => kappaOf(sample) ?? 0 });
}

/** The word that more people said than any other; `null` where two are even. */
function majorityOf(words: readonly string[]): string | null {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, all]) => ({ word, count: all.length }));
  const [first, second] = counts.sort((a, b) => b.count - a.count);
  return first === undefined || first.count === second?.count ? null : first.word;
}
