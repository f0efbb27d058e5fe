import type { Json } from "../../contract/json.ts";
import type { Drawn } from "./stand-ins/drawn.ts";
import { putBack, type Sighting, sightStandIns } from "./stand-ins/sight.ts";
import { mapJson } from "./walk.ts";

/** What a model said with the values in it; or that it changed or made up a stand-in, so that nobody can tell whom it means. */
export type Decoded<T> =
  | { readonly kind: "whole"; readonly value: T }
  /** The problem quotes nothing. */
  | { readonly kind: "altered"; readonly problem: string };

/** Puts the values back into a text, in one pass. */
export function decodeText(drawn: Drawn, text: string): Decoded<string> {
  const sightings = sightStandIns(drawn, text);
  const odd = countOdd(sightings);
  return odd > 0 ? altered(odd) : { kind: "whole", value: putBack(text, sightings) };
}

/** Puts the values back into the texts, keys and numbers of a parsed value. */
export function decodeJson(drawn: Drawn, value: Json): Decoded<Json> {
  let odd = 0;
  const text = (leaf: string): string => {
    const sightings = sightStandIns(drawn, leaf);
    odd += countOdd(sightings);
    return putBack(leaf, sightings);
  };
  const count = (leaf: number): number => {
    const known = drawn.countOf.get(leaf);
    if (known === undefined && drawn.shapes.has("count")) odd += countOdd(sightStandIns(drawn, String(Math.abs(leaf))));
    return known ?? leaf;
  };
  const decoded = mapJson(value, { text, count });
  return odd > 0 ? altered(odd) : { kind: "whole", value: decoded };
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
