import type { StandInKey } from "../../../contract/ports.ts";
import type { Base, Shape } from "./base.ts";
import { drawShift } from "./dates.ts";
import { diceOf } from "./dice.ts";

/** A stand-in with what it stands for, to be found by a part of it that no other value's has. */
export interface Anchored {
  /** How many signs of it stand before the part that it is found by. */
  readonly offset: number;
  readonly text: string;
  readonly lower: string;
  readonly surface: string;
}

/** A number or code of ours in the spellings in which it was sent. */
export interface Grouped {
  readonly bySpelling: Map<string, string>;
  /** What it stands for where a model groups it in a way of its own. */
  readonly first: string;
  readonly hasPlus: boolean;
}

/** All stand-ins of one payload: the map that never leaves its boundary. */
export interface Drawn {
  readonly key: StandInKey;
  /** By how many days dates move; `null` where each is drawn alone. */
  readonly shift: number | null;
  readonly anchored: Map<string, Anchored[]>;
  readonly grouped: Map<string, Grouped>;
  /** Of all numbers and codes how many signs they have; the largest first. */
  readonly lengths: number[];
  /** What stands in for a value as it is spelled, and the other way round. */
  readonly bySurface: Map<string, string>;
  readonly surfaces: Map<string, string>;
  readonly bases: Map<string, Base>;
  /** The words of names of several words; `null` where two names have one. */
  readonly nameWords: Map<string, string | null>;
  readonly taken: Set<string>;
  /** What was shaped like a stand-in before any was drawn: nothing of ours is drawn like it, and a model may say it. */
  readonly foreign: Set<string>;
  readonly shapes: Set<Shape | "count">;
  /** JSON numbers, and what stands in for them. */
  readonly counts: Map<number, number>;
  readonly countOf: Map<number, number>;
  /** The JSON numbers of the payload: a model may say them, whatever they look like. */
  readonly ownCounts: Set<number>;
  /** All stand-ins in small letters, sorted, with their number when they were: for streams. */
  readonly sorted: { size: number; texts: readonly string[] };
}

/** Opens an empty map. */
export function openDrawn(key: StandInKey, areDatesInOrder: boolean): Drawn {
  const shift = areDatesInOrder ? drawShift(diceOf(key, "shift")) : null;
  const sets = { taken: new Set<string>(), foreign: new Set<string>(), shapes: new Set<Shape>() };
  const maps = { anchored: new Map(), grouped: new Map(), bySurface: new Map(), surfaces: new Map(), bases: new Map() };
  return {
    key,
    shift,
    lengths: [],
    nameWords: new Map(),
    counts: new Map(),
    countOf: new Map(),
    ownCounts: new Set(),
    sorted: { size: 0, texts: [] },
    ...sets,
    ...maps,
  };
}
