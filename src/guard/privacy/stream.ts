import { altered, countOdd, type Decoded, measureGrowth, tooLong } from "./decode.ts";
import type { Drawn } from "./stand-ins/drawn.ts";
import { isBetween, isGlued, walkShapes } from "./stand-ins/marks.ts";
import { type Sighting, sightStandIns } from "./stand-ins/sight.ts";

/** Decodes a text that comes in chunks. What both return, one after the other, is what decoding the whole text returns. */
export interface DecodingStream {
  /** What can be told by now; what may be the beginning of a stand-in is held back. Once it is `altered` it stays so. */
  readonly push: (chunk: string) => Decoded<string>;
  /** What was held back, at the end of the text. */
  readonly end: () => Decoded<string>;
}

/** No stand-in is longer; what is already out is kept this far, to see what stands before one. */
const reach = 200;

/** Opens a decoder for one text. In a text that `isJson`, values are written as parts of JSON strings. */
export function openDecodingStream(drawn: Drawn, isJson: boolean): DecodingStream {
  let text = "";
  /** Up to where the text is out. */
  let out = 0;
  let failure: ReturnType<typeof altered> | null = null;
  const growth = measureGrowth();
  const release = (isEnd: boolean): Decoded<string> => {
    if (failure !== null) return failure;
    const sightings = sightStandIns(drawn, text).filter(({ start }) => start >= out);
    const until = isEnd ? text.length : Math.max(out, holdFrom({ drawn, text, sightings }));
    const ready = sightings.filter(({ end }) => end <= until);
    const odd = countOdd(ready);
    if (odd > 0 || growth.isTooLong(text.slice(out, until), ready)) {
      failure = odd > 0 ? altered(odd) : tooLong();
      text = "";
      return failure;
    }
    const value = putIn({ text, from: out, until, sightings: ready, isJson });
    const kept = Math.max(0, until - reach);
    text = text.slice(kept);
    out = until - kept;
    return { kind: "whole", value };
  };
  return Object.freeze<DecodingStream>({
    push: (chunk) => {
      text += chunk;
      return release(false);
    },
    end: () => release(true),
  });
}

interface PuttingIn {
  readonly text: string;
  readonly from: number;
  readonly until: number;
  readonly sightings: readonly Sighting[];
  readonly isJson: boolean;
}

function putIn({ text, from, until, sightings, isJson }: PuttingIn): string {
  let value = "";
  let at = from;
  for (const { start, end, surface } of sightings) {
    const original = surface ?? text.slice(start, end);
    value += text.slice(at, start) + (isJson ? JSON.stringify(original).slice(1, -1) : original);
    at = end;
  }
  return value + text.slice(at, until);
}

interface Holding {
  readonly drawn: Drawn;
  readonly text: string;
  readonly sightings: readonly Sighting[];
}

/** From where on the text may still become a stand-in, or a longer one, with what comes next. */
function holdFrom({ drawn, text, sightings }: Holding): number {
  const run = runStart(text);
  const hold = Math.min(run, groupStart(drawn, text), beginningStart(drawn, text, run));
  const cut = sightings.find(({ start, end }) => start < hold && end > hold);
  return cut?.start ?? hold;
}

/** Where the letters, digits and signs begin that run to the end: what they are is seen at the sign after them. */
function runStart(text: string): number {
  const least = Math.max(0, text.length - reach);
  let start = text.length;
  while (start > least && /[A-Za-z0-9@.:_%+&#;\\\-\u2010\u2011\u3002\uff0e\uff61]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** Where a number or code begins that more groups may follow. */
function groupStart(drawn: Drawn, text: string): number {
  let start = text.length;
  walkShapes(text, (shaped) => {
    let end = shaped.end;
    while (end < shaped.end + 2 && isBetween(text, end)) end += 1;
    if (shaped.ends !== undefined && end === text.length) start = Math.min(start, shaped.start);
    return shaped.ends !== undefined && drawn.grouped.has(shaped.key) ? shaped.end : null;
  });
  // Of the three zeros at the beginning of a number of ours one or two may be there, with signs between them.
  const tail = text.slice(-8);
  const zeros = /0[^A-Za-z0-9]{0,2}(?:0[^A-Za-z0-9]{0,2})?$/.exec(tail);
  if (zeros !== null) start = Math.min(start, text.length - tail.length + zeros.index);
  return text.charAt(start - 1) === "+" ? start - 1 : start;
}

/** The first place from which on the text is the beginning of a stand-in that was sent. */
function beginningStart({ sorted, surfaces }: Drawn, text: string, run: number): number {
  if (sorted.size !== surfaces.size) {
    sorted.size = surfaces.size;
    sorted.texts = [...surfaces.keys()].map((standIn) => standIn.toLowerCase()).sort();
  }
  const tail = text.slice(-reach).toLowerCase();
  const first = text.length - tail.length;
  for (let at = first; at < run; at += 1) {
    if (!isGlued(text, at) && isBeginning(sorted.texts, tail.slice(at - first))) return at;
  }
  return run;
}

/** Whether one of sorted texts begins so. */
function isBeginning(texts: readonly string[], part: string): boolean {
  let [low, high] = [0, texts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((texts[middle] ?? "") < part) low = middle + 1;
    else high = middle;
  }
  return texts[low]?.startsWith(part) ?? false;
}
