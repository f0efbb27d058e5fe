import { LimitReached } from "./evaluate.ts";

/** Longest text of a pattern, in UTF-16 code units. */
const maxPatternLength = 2_000;
/** Up to this length of text, in UTF-16 code units, a plain pattern is done in a moment. */
export const plainTextLength = 1_000;

/** A pattern as JSON Schema means it: ECMA-262 with Unicode. `isPlain` says that no text can make it slow beyond the square of its length. */
export interface Pattern {
  readonly isPlain: boolean;
  readonly matches: (text: string) => boolean;
}

/** Reads a pattern; a sentence where it cannot be one. */
export function readPattern(source: string): Pattern | string {
  if (source.length > maxPatternLength) return `a pattern is longer than ${maxPatternLength} characters`;
  try {
    const expression = new RegExp(source, "u");
    return { isPlain: isPlainPattern(source), matches: (text) => tested(expression, text) };
  } catch {
    return `\`${source.slice(0, 60)}\` is no regular expression with Unicode (ECMA-262, flag \`u\`)`;
  }
}

function tested(expression: RegExp, text: string): boolean {
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

/**
 * Whether a pattern has few ways to match: at most one repeat without a near end, none around a group, no look-around and no
 * back-reference. Everything else may be harmless too; it is then only matched under a time limit.
 */
function isPlainPattern(source: string): boolean {
  const bare = source.replace(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\[^1-9k]/gu, "x").replace(/\[[^\]]*\]/gu, "x");
  if (/\\|\(\?[^:]|\)[*+{]/u.test(bare)) return false;
  const repeats = [...bare.matchAll(/(?<!\()(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/gu)].map(rangeOf);
  const endless = repeats.filter(({ most }) => most > nearEnd).length;
  const bars = bare.split("|").length - 1;
  const groups = bare.split("(").length;
  const ways = repeats.reduce((product, { least, most }) => product * (most > nearEnd ? 1 : most - least + 1), 1);
  const total = ways * (bars + 1) ** Math.min(groups, bars);
  return endless === 0 ? total <= fewWays.ended : endless === 1 && total <= fewWays.endless;
}

function rangeOf([text, least = "", comma = "", most = ""]: RegExpMatchArray): { least: number; most: number } {
  if (text.startsWith("?")) return { least: 0, most: 1 };
  if (least === "") return { least: 0, most: Number.POSITIVE_INFINITY };
  if (comma === "") return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === "" ? Number.POSITIVE_INFINITY : Number(most) };
}
