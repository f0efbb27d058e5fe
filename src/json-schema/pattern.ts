import { LimitReached, spend } from "./evaluate.ts";
import type { Run } from "./node.ts";

/** Longest text of a pattern, in UTF-16 code units. */
const maxPatternLength = 2_000;
/** Up to this length of text, in UTF-16 code units, a plain pattern is done in a moment. */
export const plainTextLength = 1_000;

/** A pattern as JSON Schema means it: ECMA-262 with Unicode. */
export interface Pattern {
  /** Says that no text can make it slow beyond the square of its length. */
  readonly isPlain: boolean;
  /** Throws `LimitReached` where the run may do no more matching. */
  readonly matches: (text: string, run: Run) => boolean;
}

/** Thrown where patterns cost more than a quick run may spend on them; the value is then checked under a time limit. */
export class PatternWorkReached extends Error {}

/** Reads a pattern; a sentence where it cannot be one. */
export function readPattern(source: string): Pattern | string {
  if (source.length > maxPatternLength) return `a pattern is longer than ${maxPatternLength} characters`;
  try {
    const expression = new RegExp(source, "u");
    const cost = costOf(source);
    return { isPlain: cost !== null, matches: (text, run) => tested(expression, text, { cost, run }) };
  } catch {
    return `\`${source.slice(0, 60)}\` is no regular expression with Unicode (ECMA-262, flag \`u\`)`;
  }
}

function tested(expression: RegExp, text: string, { cost, run }: { cost: Cost | null; run: Run }): boolean {
  spend(run, 1 + text.length / 64);
  run.patternWork -= cost === null ? 0 : cost.ways * text.length * (cost.isEndless ? text.length : nearEnd);
  if (run.patternWork < 0) throw new PatternWorkReached("patterns cost too much");
  try {
    return expression.test(text);
  } catch (cause) {
    // The engine gives up on a text that needs too much of its stack.
    throw new LimitReached("a pattern could not be applied", { cause });
  }
}

/** Ways of matching that a plain pattern has at most: beside a repeat without a near end, and without one. */
const fewWays = { endless: 20, ended: 2_000 } as const;
/** A repeat has a near end up to here. */
const nearEnd = 64;

/** How a plain pattern's cost grows: by the ways in which it can match at each place, and by the rest of the text where it has no end. */
interface Cost {
  readonly ways: number;
  readonly isEndless: boolean;
}

/**
 * The cost of a pattern that has few ways to match: at most one repeat without a near end, none around a group, no look-around and no
 * back-reference. Everything else, which is `null`, may be harmless too; it is then only matched under a time limit.
 */
function costOf(source: string): Cost | null {
  const bare = source.replace(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\[^1-9k]/gu, "x").replace(/\[[^\]]*\]/gu, "x");
  if (/\\|\(\?[^:]|\)[*+{]/u.test(bare)) return null;
  const repeats = [...bare.matchAll(/(?<!\()(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/gu)].map(rangeOf);
  const endless = repeats.filter(({ most }) => most > nearEnd).length;
  const bars = bare.split("|").length - 1;
  const groups = bare.split("(").length;
  const ways = repeats.reduce((product, { least, most }) => product * (most > nearEnd ? 1 : most - least + 1), 1);
  const total = ways * (bars + 1) ** Math.min(groups, bars);
  const isFew = endless === 0 ? total <= fewWays.ended : endless === 1 && total <= fewWays.endless;
  return isFew ? { ways: total, isEndless: endless === 1 } : null;
}

function rangeOf([text, least = "", comma = "", most = ""]: RegExpMatchArray): { least: number; most: number } {
  if (text.startsWith("?")) return { least: 0, most: 1 };
  if (least === "") return { least: 0, most: Number.POSITIVE_INFINITY };
  if (comma === "") return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === "" ? Number.POSITIVE_INFINITY : Number(most) };
}
