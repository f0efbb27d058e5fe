import type { ContextItem } from "../../contract/context.ts";
import { onePpm } from "../../contract/words.ts";
import { plainText } from "./details.ts";
import { type Known, knownOf, namesElsewhere } from "./known-details.ts";
import { wordsIn } from "./names.ts";
import { strayDetails } from "./stray-details.ts";

/** A statement, with the ids of the sources that it says it comes from. */
export interface Statement {
  readonly text: string;
  readonly sources: readonly string[];
}

/** How far an answer is borne out, and which of its statements are not. */
export interface Groundedness {
  /** Share of the statements that their sources bear out, in parts per million; of none it is all. */
  readonly ppm: number;
  readonly ungrounded: readonly { readonly text: string; readonly stray: readonly string[]; readonly supportPpm: number }[];
}

/** Share of a statement's words that its sources must hold, in parts per million: what is said in other words has half of them. */
const leastSupportPpm = 500_000;

/**
 * Measures how far an answer is grounded: a statement counts where each of its numbers, dates, identifiers and names stands in a source that it
 * cites and was retrieved, and at least half of its content words do. Deterministic, and without a model; it compares words and not what they mean.
 */
export function groundedness(
  statements: readonly Statement[],
  context: { readonly items: readonly ContextItem[] },
): Groundedness {
  if (statements.length === 0) return { ppm: onePpm, ungrounded: [] };
  const known = new Map(context.items.map((item) => [item.id, knownOf(item)]));
  const named = namesElsewhere(context);
  const judged = statements.map(({ text, sources }) => {
    const cited = sources.flatMap((id) => known.get(id) ?? []);
    const stray = strayDetails(text, { known: cited, named }).map((detail) => detail.text.trim());
    const supportPpm = cited.length === 0 ? 0 : supportOf(text, cited);
    return { text, stray, supportPpm };
  });
  const ungrounded = judged.filter(({ stray, supportPpm }) => stray.length > 0 || supportPpm < leastSupportPpm);
  return { ppm: Math.floor(((judged.length - ungrounded.length) * onePpm) / judged.length), ungrounded };
}

/** The sentences of a text without citations, each held against all of these sources. */
export function sentencesOf(text: string, sources: readonly string[]): readonly Statement[] {
  const pieces = plainText(text).split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}"“])|\n+/u);
  return pieces.filter((piece) => /[\p{L}\p{N}]/u.test(piece)).map((piece) => ({ text: piece.trim(), sources }));
}

/** Share of the content words that occur in the sources, by their first letters: endings differ. */
function supportOf(text: string, known: readonly Known[]): number {
  const words = [...new Set(contentWords(wordsIn(plainText(text.replace(/\{\{[^{}]*\}\}/g, " ")))))];
  if (words.length === 0) return onePpm;
  const held = new Set(known.flatMap((one) => contentWords([...one.words])));
  return Math.floor((words.filter((word) => held.has(word)).length * onePpm) / words.length);
}

function contentWords(words: readonly string[]): readonly string[] {
  return words
    .filter((word) => word.length > 2 && !plainWords.has(word))
    .map((word) => word.slice(0, 6).replace(/(?:e?s|ed|ing|e)$/, ""));
}

const plainWords: ReadonlySet<string> = new Set(
  (
    "the and for are was were been being has have had does did can could may might must shall should will would not but you your they " +
    "them their this that these those there here with without from into onto than then when where which who whom whose what how why its " +
    "also only such some any all each both more most other about over under after before between during because while our out off per via"
  ).split(" "),
);
