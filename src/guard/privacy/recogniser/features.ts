import { Break, type Tokens } from "./tokens.ts";
import { type Lexicon, openWordReader } from "./word-reading.ts";

/** How many features a token has. */
export const featureCount = 46;

/** Empty places before the first token and after the last, so that neighbours can be read without asking whether they are there. */
const margin = 3;
/** How far back a cue is seen, in tokens. */
const cueReach = 10;

/** What is seen of each token, in arrays that run side by side, with a margin at both ends. */
interface Seen {
  readonly identity: Int32Array;
  readonly shape: Int32Array;
  readonly known: Int32Array;
  readonly ends2: Int32Array;
  readonly ends3: Int32Array;
  readonly ends4: Int32Array;
  readonly begins2: Int32Array;
  readonly begins3: Int32Array;
  readonly breaks: Int32Array;
  readonly line: Int32Array;
  readonly cue: Int32Array;
}

/** Reads the features of tokens into a buffer, one token at a time: numbers of weights, below `buckets` (a power of two). */
export interface FeatureReader {
  readonly read: (at: number, into: Int32Array) => void;
}

/** Looks at all tokens once; each read then is of constant cost. */
export function openFeatures(tokens: Tokens, { lexicon, buckets }: { lexicon: Lexicon; buckets: number }): FeatureReader {
  const seen = look(tokens, lexicon);
  return { read: (at, into) => fill(seen, { at: at + margin, into, mask: buckets - 1 }) };
}

function look(tokens: Tokens, lexicon: Lexicon): Seen {
  const size = tokens.count + 2 * margin;
  const column = () => new Int32Array(size);
  const seen: Seen = {
    ...{ identity: column(), shape: column(), known: column(), breaks: column(), line: column(), cue: column() },
    ...{ ends2: column(), ends3: column(), ends4: column(), begins2: column(), begins3: column() },
  };
  const cases = new Uint8Array(size);
  const cues = new Uint8Array(size);
  const readWord = openWordReader(lexicon);
  for (let token = 0; token < tokens.count; token += 1) {
    const reading = readWord(tokens.text.slice(tokens.starts[token], tokens.ends[token]));
    const at = token + margin;
    seen.identity[at] = reading.identity;
    seen.shape[at] = reading.shape;
    seen.known[at] = reading.known;
    [seen.ends2[at], seen.ends3[at], seen.ends4[at]] = reading.endings;
    [seen.begins2[at], seen.begins3[at]] = reading.beginnings;
    seen.breaks[at] = (tokens.breaks[token] ?? 0) + 1;
    cases[at] = reading.letterCase;
    cues[at] = reading.cue;
  }
  markLines(seen, cases, tokens.count);
  markCues(seen, cues, tokens.count);
  return seen;
}

/** Tells each token how its line is written, where in the line it stands, and how long the line is. */
function markLines(seen: Seen, cases: Uint8Array, count: number): void {
  let from = margin;
  for (let at = margin + 1; at <= count + margin; at += 1) {
    if (at < count + margin && (seen.breaks[at] ?? 0) <= Break.line) continue;
    const way = wayOfWriting(cases.subarray(from, at));
    const length = Math.min(at - from, 12) >> 1;
    for (let inLine = from; inLine < at; inLine += 1) {
      const edge = Number(inLine === from) + 2 * Number(inLine === at - 1);
      seen.line[inLine] = 1 + way + 5 * edge + 20 * length;
    }
    from = at;
  }
}

/** 0 without letters, 1 all lower case, 2 all upper case, 3 every word with a capital, 4 mixed. */
function wayOfWriting(cases: Uint8Array): number {
  let [lower, capital, upper] = [0, 0, 0];
  for (const one of cases) {
    lower += Number(one === 1);
    capital += Number(one === 2);
    upper += Number(one === 3);
  }
  if (lower + capital + upper === 0) return 0;
  if (capital + upper === 0) return 1;
  if (lower + capital === 0) return 2;
  return lower === 0 ? 3 : 4;
}

/** Tells each token which cue came last, and whether that was near. */
function markCues(seen: Seen, cues: Uint8Array, count: number): void {
  let last = 0;
  let place = -cueReach;
  for (let at = margin; at < count + margin; at += 1) {
    const distance = at - place;
    seen.cue[at] = distance > cueReach ? 0 : last * 4 + (distance <= 2 ? 1 : distance <= 5 ? 2 : 3);
    if ((cues[at] ?? 0) === 0) continue;
    last = cues[at] ?? 0;
    place = at;
  }
}

function fill(seen: Seen, { at, into, mask }: { at: number; into: Int32Array; mask: number }): void {
  const { identity, shape, known, breaks, line, cue } = seen;
  const get = (column: Int32Array, offset: number) => column[at + offset] ?? 0;
  const w0 = get(identity, 0);
  const w1 = get(identity, 1);
  const v1 = get(identity, -1);
  const s0 = get(shape, 0);
  const s1 = get(shape, 1);
  const t1 = get(shape, -1);
  const k0 = get(known, 0);
  const k1 = get(known, 1);
  const l1 = get(known, -1);
  const b0 = get(breaks, 0);
  const b1 = get(breaks, 1);
  const q0 = get(cue, 0);
  const way = (get(line, 0) - 1) % 5;
  let next = 0;
  const put = (a: number, b: number) => {
    into[next] = bucketOf(next, a, b) & mask;
    next += 1;
  };
  put(0, 0);
  put(w0, 0);
  put(v1, 0);
  put(w1, 0);
  put(get(identity, -2), 0);
  put(get(identity, 2), 0);
  put(v1, w0);
  put(w0, w1);
  put(get(identity, -2), v1);
  put(w1, get(identity, 2));
  put(s0, 0);
  put(t1, s0);
  put(s0, s1);
  put(pair(t1, s0), s1);
  put(k0, 0);
  put(k0, s0);
  put(l1, k0);
  put(k0, k1);
  put(pair(l1, k0), k1);
  put(l1, 0);
  put(k1, 0);
  put(get(known, -2), k0);
  put(k0, get(known, 2));
  put(get(seen.ends2, 0), s0);
  put(get(seen.ends3, 0), 0);
  put(get(seen.ends4, 0), 0);
  put(get(seen.begins2, 0), s0);
  put(get(seen.begins3, 0), 0);
  put(v1, s0);
  put(w1, s0);
  put(v1, k0);
  put(w1, k0);
  put(pair(get(identity, -2), v1), k0);
  put(b0, s0);
  put(b0, k0);
  put(b1, s0);
  put(get(line, 0), s0);
  put(way, k0);
  put(q0, s0);
  put(q0, k0);
  put(get(seen.ends3, 0), s1);
  put(get(seen.ends3, 1), s0);
  put(get(seen.ends3, -1), s0);
  put(pair(get(shape, -2), t1), pair(s0, s1));
  put(pair(s0, s1), get(shape, 2));
  put(pair(b0, t1), pair(s0, b1));
}

function pair(a: number, b: number): number {
  return (Math.imul(a, 0x01000193) ^ Math.imul(b, 0x9e3779b1)) | 0;
}

function bucketOf(feature: number, a: number, b: number): number {
  let hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(feature + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
