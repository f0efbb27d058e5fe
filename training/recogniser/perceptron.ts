// A structured perceptron (Collins, 2002) with averaged weights and a margin. All sums are whole numbers, so that a run can be repeated bit for bit.
import { featureCount } from "../../src/guard/privacy/recogniser/features.ts";
import { tagCount } from "../../src/guard/privacy/recogniser/name-model.ts";
import { bestPath } from "../../src/guard/privacy/recogniser/tag-tokens.ts";
import type { Random } from "./random.ts";

/** A text as numbers: `featureCount` buckets for each token, and the right tags. */
export interface Lesson {
  readonly features: Int32Array;
  readonly gold: Uint8Array;
}

/** What is learnt: averages, not yet rounded. */
export interface Learnt {
  readonly weights: Float64Array;
  readonly transitions: Float64Array;
}

export interface Learning {
  readonly buckets: number;
  readonly rounds: number;
  /** By how much the right way must be better than any other, for each wrong tag. */
  readonly margin: number;
  /** Features that are left out of a text's reading at random, so that none is leant on alone. */
  readonly dropped: number;
  readonly random: Random;
  readonly notice: (line: string) => void;
}

/** Weights as they are now, and what was added to them times the step of its adding: that gives the average without a pass over all of them. */
interface Row {
  readonly now: Int32Array;
  readonly sums: Float64Array;
}

interface State {
  readonly weights: Row;
  readonly transitions: Row;
  step: number;
}

/** Learns from texts in rounds. */
export function learn(lessons: readonly Lesson[], learning: Learning): Learnt {
  const { buckets, rounds, random, notice } = learning;
  const row = (size: number): Row => ({ now: new Int32Array(size), sums: new Float64Array(size) });
  const state: State = { weights: row(buckets * tagCount), transitions: row((tagCount + 1) * tagCount), step: 1 };
  const tokens = lessons.reduce((sum, { gold }) => sum + gold.length, 0);
  for (let round = 1; round <= rounds; round += 1) {
    let wrong = 0;
    for (const place of mixedOrder(lessons.length, random)) {
      const lesson = lessons[place];
      if (lesson !== undefined) wrong += learnOne(lesson, { state, learning });
      state.step += 1;
    }
    notice(`round ${round}: ${wrong} tags of ${tokens} were wrong or too close`);
  }
  const average = ({ now, sums }: Row) => Float64Array.from(now, (weight, at) => weight - (sums[at] ?? 0) / state.step);
  return { weights: average(state.weights), transitions: average(state.transitions) };
}

function mixedOrder(count: number, random: Random): readonly number[] {
  const order = Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  return order;
}

function learnOne({ features, gold }: Lesson, { state, learning }: { state: State; learning: Learning }): number {
  const skipped = new Uint8Array(featureCount);
  for (let count = 0; count < learning.dropped; count += 1) skipped[1 + learning.random.below(featureCount - 1)] = 1;
  const score = (at: number, into: Int32Array) => {
    // Each wrong tag gets the margin on top: the right way has to win by that much.
    into.fill(learning.margin);
    into[gold[at] ?? 0] = 0;
    addWeights(features.subarray(at * featureCount, (at + 1) * featureCount), { weights: state.weights.now, skipped, into });
  };
  const guess = bestPath(gold.length, { score, transitions: state.transitions.now });
  let wrong = 0;
  for (let at = 0; at < gold.length; at += 1) {
    const pair = { right: gold[at] ?? 0, guessed: guess[at] ?? 0 };
    const before = at === 0 ? { right: tagCount, guessed: tagCount } : { right: gold[at - 1] ?? 0, guessed: guess[at - 1] ?? 0 };
    if (pair.right !== pair.guessed) {
      wrong += 1;
      changeWeights(features.subarray(at * featureCount, (at + 1) * featureCount), { state, skipped, ...pair });
    }
    if (pair.right === pair.guessed && before.right === before.guessed) continue;
    change(state.transitions, { at: before.right * tagCount + pair.right, by: 1, step: state.step });
    change(state.transitions, { at: before.guessed * tagCount + pair.guessed, by: -1, step: state.step });
  }
  return wrong;
}

function addWeights(
  features: Int32Array,
  { weights, skipped, into }: { weights: Int32Array; skipped: Uint8Array; into: Int32Array },
): void {
  for (let feature = 0; feature < featureCount; feature += 1) {
    if (skipped[feature] === 1) continue;
    const row = (features[feature] ?? 0) * tagCount;
    for (let tag = 0; tag < tagCount; tag += 1) into[tag] = (into[tag] ?? 0) + (weights[row + tag] ?? 0);
  }
}

function changeWeights(
  features: Int32Array,
  { state, skipped, right, guessed }: { state: State; skipped: Uint8Array; right: number; guessed: number },
): void {
  for (let feature = 0; feature < featureCount; feature += 1) {
    if (skipped[feature] === 1) continue;
    const row = (features[feature] ?? 0) * tagCount;
    change(state.weights, { at: row + right, by: 1, step: state.step });
    change(state.weights, { at: row + guessed, by: -1, step: state.step });
  }
}

function change({ now, sums }: Row, { at, by, step }: { at: number; by: number; step: number }): void {
  now[at] = (now[at] ?? 0) + by;
  sums[at] = (sums[at] ?? 0) + by * step;
}
