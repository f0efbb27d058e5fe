/**
 * Says while they come in whether confidences are spread as they were when a slice earned its threshold, and whether people still agree with
 * what they are shown of it. Both are e-detectors: Shin, Ramdas and Rinaldo, "E-detectors: a nonparametric framework for sequential change
 * detection", New England Journal of Statistics in Data Science 2 (2024). Each sum is a bet against "nothing has changed" that begins anew
 * whenever it has lost its stake, so that with nothing changed there are at least `alarm` looks between two false alarms on average.
 */
import type { ScoreReference } from "../../contract/autonomy.ts";

/** What has been seen since a slice was opened; what it was before the first look is `unwatched`. */
export interface ScoreWatch {
  readonly seen: number;
  /** Of each stretch of the reference, what came of late, older ones counting for less and less. */
  readonly lately: readonly number[];
  /** The logarithm of what the bet on another spread has won. */
  readonly wealth: number;
}
export interface ReviewWatch {
  readonly shown: number;
  readonly disagreed: number;
  readonly wealth: number;
}

/** Looks between two false alarms, at least, on average. */
const alarmOfScores = 20_000;
const alarmOfReviews = 1_000;
/** What one more look leaves of the weight of those before it: about the last hundred count. */
const fading = 0.99;
/** What is known of late before anything came, in looks. */
const priorLooks = 40;
/** The part of each bet that is put on "nothing has changed", so that no single look ruins it. */
const caution = 0.2;
/** How many times more often than the bar allows people would disagree, if it had changed. */
const worse = 3;

/** A watch over a reference before its first look. */
export function unwatched(reference: ScoreReference): ScoreWatch {
  return { seen: 0, lately: usualShares(reference).map((share) => share * priorLooks), wealth: 0 };
}
export const unreviewed: ReviewWatch = { shown: 0, disagreed: 0, wealth: 0 };

/** Takes one more confidence in. The bet is made of what came before it, so that it is a fair one while nothing changes. */
export function watchScore(watch: ScoreWatch, ppm: number, reference: ScoreReference): ScoreWatch {
  const usual = usualShares(reference);
  const at = placeOf(ppm, reference.cutsPpm);
  const sum = watch.lately.reduce((total, count) => total + count, 0);
  const lately = (watch.lately[at] ?? 0) / sum;
  const expected = usual[at] ?? 1;
  const won = Math.log(((1 - caution) * lately + caution * expected) / expected);
  return {
    seen: watch.seen + 1,
    lately: watch.lately.map((count, i) => count * fading + Number(i === at)),
    wealth: Math.max(0, watch.wealth) + won,
  };
}

/** Whether the spread of confidences has changed. */
export function haveScoresDrifted({ wealth }: Pick<ScoreWatch, "wealth">): boolean {
  return wealth >= Math.log(alarmOfScores);
}

/** Takes one more answer of a person in about what would have gone alone. `barPpm` is the share with which they must agree at least. */
export function watchReview(watch: ReviewWatch, agreed: boolean, barPpm: number): ReviewWatch {
  // A bar of all: whatever is disagreed with ends it.
  const allowed = Math.max(1e-6, 1 - barPpm / 1_000_000);
  const bet = Math.min(Math.max(allowed, 0.5), allowed * worse);
  const won = agreed ? Math.log((1 - bet) / (1 - allowed)) : Math.log(bet / allowed);
  return {
    shown: watch.shown + 1,
    disagreed: watch.disagreed + Number(!agreed),
    wealth: Math.max(0, watch.wealth) + (Number.isFinite(won) ? won : 0),
  };
}

/** Whether people disagree more often than the bar allows. */
export function doReviewsDisagree({ wealth }: Pick<ReviewWatch, "wealth">): boolean {
  return wealth >= Math.log(alarmOfReviews);
}

/** Half a look more in each stretch, so that one in which nothing came is rare and not impossible. */
function usualShares({ counts }: ScoreReference): readonly number[] {
  const total = counts.reduce((sum, count) => sum + count + 0.5, 0);
  return counts.map((count) => (count + 0.5) / total);
}

function placeOf(ppm: number, cuts: readonly number[]): number {
  const place = cuts.findIndex((cut) => ppm < cut);
  return place === -1 ? cuts.length : place;
}
