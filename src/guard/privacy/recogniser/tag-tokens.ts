import { featureCount, openFeatures } from "./features.ts";
import { type NameModel, tagCount } from "./name-model.ts";
import type { Tokens } from "./tokens.ts";

const impossible = -1e9;

/** Gives each token its tag by the best path through the whole text: numbers of `tags`. Linear in the count of tokens. */
export function tagTokens(tokens: Tokens, model: NameModel): Uint8Array {
  const reader = openFeatures(tokens, model);
  const features = new Int32Array(featureCount);
  const score = (at: number, into: Int32Array) => {
    reader.read(at, features);
    scoreTags(features, model, into);
  };
  return bestPath(tokens.count, { score, transitions: model.transitions });
}

/** Adds up the weights of a token's features for each tag. One sum for each tag, written out: this is where the time goes. */
function scoreTags(features: Int32Array, { weights, leanings }: NameModel, into: Int32Array): void {
  let [a, b, c, d, e, f, g, h, i] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let place = 0; place < featureCount; place += 1) {
    const row = (features[place] as number) * tagCount;
    // Every bucket has a row of weights.
    a += weights[row] as number;
    b += weights[row + 1] as number;
    c += weights[row + 2] as number;
    d += weights[row + 3] as number;
    e += weights[row + 4] as number;
    f += weights[row + 5] as number;
    g += weights[row + 6] as number;
    h += weights[row + 7] as number;
    i += weights[row + 8] as number;
  }
  into[0] = a;
  into[1] = b;
  into[2] = c;
  into[3] = d;
  into[4] = e;
  into[5] = f;
  into[6] = g;
  into[7] = h;
  into[8] = i;
  for (let tag = 0; tag < tagCount; tag += 1) into[tag] = (into[tag] as number) + (leanings[tag] as number);
}

/** Scores of tokens for each tag, and of each tag after each (`tagCount` stands for the beginning of a text). */
export interface PathScores {
  readonly score: (at: number, into: Int32Array) => void;
  readonly transitions: Int32Array;
}

/** The tags whose scores add up to most (Viterbi, 1967). */
export function bestPath(count: number, { score, transitions }: PathScores): Uint8Array {
  const cameFrom = new Uint8Array(count * tagCount);
  const own = new Int32Array(tagCount);
  let before = new Int32Array(tagCount);
  let now = new Int32Array(tagCount);
  for (let at = 0; at < count; at += 1) {
    score(at, own);
    if (at === 0) begin({ own, now, transitions });
    else walk({ own, before, now, came: cameFrom, at: at * tagCount, transitions });
    [before, now] = [now, before];
  }
  return backtrack(cameFrom, before, count);
}

interface Step {
  readonly own: Int32Array;
  readonly now: Int32Array;
  readonly transitions: Int32Array;
}

function begin({ own, now, transitions }: Step): void {
  for (let tag = 0; tag < tagCount; tag += 1)
    now[tag] = isInside(tag) ? impossible : (own[tag] ?? 0) + (transitions[tagCount * tagCount + tag] ?? 0);
}

interface NextStep extends Step {
  readonly before: Int32Array;
  /** From which tag each tag was reached; written from `at` on. */
  readonly came: Uint8Array;
  readonly at: number;
}

function walk({ own, before, now, came, at, transitions }: NextStep): void {
  for (let tag = 0; tag < tagCount; tag += 1) {
    // An inside tag follows the begin or inside tag of its own kind.
    const first = isInside(tag) ? tag - 1 : 0;
    const last = isInside(tag) ? tag : tagCount - 1;
    let best = impossible * 2;
    for (let from = first; from <= last; from += 1) {
      // All three arrays have a place for each tag.
      const path = (before[from] as number) + (transitions[from * tagCount + tag] as number);
      if (path <= best) continue;
      best = path;
      came[at + tag] = from;
    }
    now[tag] = Math.max(best + (own[tag] as number), impossible);
  }
}

function backtrack(cameFrom: Uint8Array, last: Int32Array, count: number): Uint8Array {
  const path = new Uint8Array(count);
  let tag = last.indexOf(Math.max(...last));
  for (let at = count - 1; at >= 0; at -= 1) {
    path[at] = tag;
    tag = cameFrom[at * tagCount + tag] ?? 0;
  }
  return path;
}

function isInside(tag: number): boolean {
  return tag !== 0 && tag % 2 === 0;
}
