/**
 * Says while they come in whether confidences are spread as they were when a slice earned its threshold, and whether people still agree with
 * what they are shown of it. Both are e-detectors: Shin, Ramdas and Rinaldo, "E-detectors: a nonparametric framework for sequential change
 * detection", New England Journal of Statistics in Data Science 2 (2024). Each sum is a bet against "nothing has changed" that begins anew
 * whenever it has lost its stake, so that with nothing changed there are at least `alarm` looks between two false alarms on average.
 *
 * The bet on confidences is conformal: Vovk, "Testing randomness online", Statistical Science 36 (2021). Nobody knows how confidences are
 * spread, and a reference of a few hundred says it with an error that a bet would win by. So the bet is on the rank: where nothing has
 * changed, the next one falls into any gap between those that are known, of the reference or since, as likely, however few they are.
 */
import type { ScoreReference } from "../../contract/autonomy.ts";

/** What has been seen since a slice was opened; what it was before the first look is `unwatched`. */
export interface ScoreWatch {
  /** How many came into each stretch of the reference. */
  readonly came: readonly number[];
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

/** Looks between two false alarms, at least, on average: over all that the reference might have come out as. */
export const alarmOfScores = 20_000;
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
  const { gaps } = reference;
  const all = sumOf(gaps);
  return { came: gaps.map(() => 0), lately: gaps.map((count) => (count / all) * priorLooks), wealth: 0 };
}
export const unreviewed: ReviewWatch = { shown: 0, disagreed: 0, wealth: 0 };

/**
 * Takes one more confidence in, with its place among equal ones (`orderedScore`). The bet is made of what came before it, so that it is a
 * fair one while nothing changes.
 */
export function watchScore(watch: ScoreWatch, score: number, { cuts, gaps }: ScoreReference): ScoreWatch {
  const at = placeOf(score, cuts);
  const lately = (watch.lately[at] ?? 0) / sumOf(watch.lately);
  // Each that came has split a gap of its stretch in two.
  const expected = ((gaps[at] ?? 0) + (watch.came[at] ?? 0)) / (sumOf(gaps) + sumOf(watch.came));
  const won = Math.log(((1 - caution) * lately + caution * expected) / expected);
  return {
    came: watch.came.map((count, i) => count + Number(i === at)),
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
  return {
    shown: watch.shown + 1,
    disagreed: watch.disagreed + Number(!agreed),
    wealth: Math.max(0, watch.wealth) + wonBy(agreed, 1 - barPpm / 1_000_000),
  };
}

/** What an answer wins where the share `allowed` may be disagreed with, as a logarithm. */
function wonBy(agreed: boolean, allowed: number): number {
  // A bar of all: the first that is disagreed with ends it.
  if (allowed <= 0) return agreed ? 0 : Math.log(alarmOfReviews);
  // Where so often as that is more than always, half the way there.
  const bet = Math.min(allowed * worse, (1 + allowed) / 2);
  return agreed ? Math.log((1 - bet) / (1 - allowed)) : Math.log(bet / allowed);
}

/** Whether people disagree more often than the bar allows. */
export function doReviewsDisagree({ wealth }: Pick<ReviewWatch, "wealth">): boolean {
  return wealth >= Math.log(alarmOfReviews);
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function placeOf(score: number, cuts: readonly number[]): number {
  const place = cuts.findIndex((cut) => score < cut);
  return place === -1 ? cuts.length : place;
}
