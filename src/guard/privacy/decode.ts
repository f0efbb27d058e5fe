import type { Json } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import { openCountDecoder } from "./decode-count.ts";
import type { Drawn } from "./stand-ins/drawn.ts";
import { putBack, type Sighting, sightStandIns } from "./stand-ins/sight.ts";
import { mapJson } from "./walk.ts";

/** What a model said with the values in it; or that it changed or made up a stand-in, so that nobody can tell whom it means. */
export type Decoded<T> =
  | { readonly kind: "whole"; readonly value: T }
  /** The problem quotes nothing. */
  | { readonly kind: "altered"; readonly problem: string };

/** Puts the values back into a text, in one pass. What would grow beyond the longest reply that is read is `altered`. */
export function decodeText(drawn: Drawn, text: string): Decoded<string> {
  const sightings = sightStandIns(drawn, text);
  const odd = countOdd(sightings);
  if (odd > 0) return altered(odd);
  return measureGrowth().isTooLong(text, sightings) ? tooLong() : { kind: "whole", value: putBack(text, sightings) };
}

/** Puts the values back into the texts, keys and numbers of a parsed value. */
export function decodeJson(drawn: Drawn, value: Json): Decoded<Json> {
  let odd = 0;
  let sameKeys = 0;
  let isLong = false;
  const growth = measureGrowth();
  const text = (leaf: string): string => {
    const sightings = sightStandIns(drawn, leaf);
    odd += countOdd(sightings);
    isLong ||= growth.isTooLong(leaf, sightings);
    return isLong ? leaf : putBack(leaf, sightings);
  };
  const countOf = openCountDecoder(drawn);
  const count = (leaf: number): number => {
    const known = countOf(leaf);
    if (known === null) odd += 1;
    return known ?? leaf;
  };
  const onSameKey = (): void => {
    sameKeys += 1;
  };
  const decoded = mapJson(value, { text, count, onSameKey });
  if (odd > 0) return altered(odd);
  if (isLong) return tooLong();
  return sameKeys > 0 ? { kind: "altered", problem: sameKey } : { kind: "whole", value: decoded };
}

const sameKey = "the reply has one key twice in one object, once its values are put back; write each key once";

/** Adds up how long a reply becomes with its values in it, before any of it is written: a stand-in is short, its value may be long. */
export interface Growth {
  /** Whether this text makes it longer than any reply that is read. A reply that grows by nothing is never too long. */
  readonly isTooLong: (text: string, sightings: readonly Sighting[]) => boolean;
}

/** Begins with a reply of no length. */
export function measureGrowth(): Growth {
  let length = 0;
  let grown = 0;
  return {
    isTooLong: (text, sightings) => {
      length += text.length;
      for (const { start, end, surface } of sightings) grown += surface === null ? 0 : surface.length - (end - start);
      return grown > 0 && length + grown > limits.replyText;
    },
  };
}

/** What is told of a reply that would grow too long. */
export function tooLong(): Extract<Decoded<never>, { kind: "altered" }> {
  return { kind: "altered", problem: `the reply has more than ${limits.replyText} characters with its values in it; say less` };
}

/** What is told of a reply with stand-ins that were changed or made up; it quotes none. */
export function altered(odd: number): Extract<Decoded<never>, { kind: "altered" }> {
  const what = odd === 1 ? "a stand-in that was" : `${odd} stand-ins that were`;
  return {
    kind: "altered",
    problem: `the reply holds ${what} not in the request; copy names, addresses and numbers letter by letter`,
  };
}

/** How many of them are none of this payload's. */
export function countOdd(sightings: readonly Sighting[]): number {
  return sightings.filter(({ surface }) => surface === null).length;
}
