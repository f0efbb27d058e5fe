/** Reads an answer out of passages: the sentences that say most of what is asked, word for word. */
import type { ShownPassage } from "./sources.ts";
import { isSameWord, wordsOf } from "./words.ts";

/** One sentence, with the passage that says it. */
export interface Quote {
  readonly text: string;
  readonly source: string;
}

/** Less than this share of what is asked says nothing of it. */
const leastShare = 0.25;
/** What a second sentence must say of what the first one leaves open. */
const leastRest = 0.5;

interface Sentence extends Quote {
  readonly words: readonly string[];
  readonly around: readonly string[];
}

/** At most two sentences, the best first; none where nothing that is shown says anything of it. It is eager: what is shown at all it takes for meant. */
export function quotesFor(question: string, passages: readonly ShownPassage[]): readonly Quote[] {
  const asked = wordsOf(question);
  const sentences = passages.flatMap(sentencesOf);
  const weigh = weights(asked, sentences);
  const isWanted = wantedBy(question);
  const all = (words: readonly string[]): number => words.reduce((sum, word) => sum + weigh(word), 0);
  const best = highest(sentences, (sentence) => scoreOf(sentence, asked, weigh) * isWanted(sentence.text));
  if (best === null || best.score < leastShare * all(asked)) return [];
  // What the first sentence leaves open, another passage may say.
  const open = asked.filter((word) => !says(best.sentence, word));
  const others = sentences.filter(
    (one) => one.source !== best.sentence.source && open.filter((word) => says(one, word)).length > 1,
  );
  const next = highest(others, (sentence) => scoreOf(sentence, open, weigh));
  const found = next !== null && next.score >= leastRest * all(open) ? [best.sentence, next.sentence] : [best.sentence];
  return found.map(({ text, source }) => ({ text, source }));
}

function highest(
  sentences: readonly Sentence[],
  scoreFor: (sentence: Sentence) => number,
): { readonly sentence: Sentence; readonly score: number } | null {
  const scored = sentences.map((sentence) => ({ sentence, score: scoreFor(sentence) }));
  const [best] = scored.toSorted((one, other) => other.score - one.score);
  return best === undefined || best.score === 0 ? null : best;
}

const units = "(?:minutes?|hours?|days?|weeks?|months?|years?)";
/** What a question wants to hear, and the form in which a sentence says it. */
const forms: readonly (readonly [RegExp, RegExp])[] = [
  [/\bwarr[ae]?nt\b/i, /\bwarranty of \d/i],
  [/\bhow old\b/i, new RegExp(`\\d+ ${units} old`, "i")],
  [/\b(how (long|fast|soon)|until when|wie lange?|after how)\b/i, new RegExp(`\\d+ ${units}|\\d+ (?:working )?days`, "i")],
  [/\b(how (many|often)|minimum|at least|when|combien|wie)\b/i, /\d/],
];

/** How much more a sentence counts that has the form of what is wanted; 0 where a quantity is wanted that it does not speak of. */
function wantedBy(question: string): (sentence: string) => number {
  const [, form] = forms.find(([asks]) => asks.test(question)) ?? [];
  const [, counted] = /\bhow (?:many|much) ([a-z]{3,})/i.exec(question) ?? [];
  const unit = counted === undefined ? undefined : wordsOf(counted)[0];
  return (sentence) => {
    if (unit !== undefined && !wordsOf(sentence).some((word) => isSameWord(word, unit))) return 0;
    return form?.test(sentence) === true ? 2 : 1;
  };
}

function sentencesOf({ id, document, section, text }: ShownPassage): readonly Sentence[] {
  const around = wordsOf(`${document} ${section}`);
  return text
    .replace(/\s+/g, " ")
    .split(/(?<=[.!?;]) /)
    .filter((sentence) => sentence.trim() !== "")
    .map((sentence) => ({ text: sentence.trim(), source: id, words: wordsOf(sentence), around }));
}

/** A word that few sentences have says more. */
function weights(asked: readonly string[], sentences: readonly Sentence[]): (word: string) => number {
  const count = new Map(asked.map((word) => [word, sentences.filter((one) => says(one, word)).length]));
  return (word) => Math.log(1 + sentences.length / (1 + (count.get(word) ?? 0)));
}

function says({ words }: Sentence, word: string): boolean {
  return words.some((one) => isSameWord(one, word));
}

function scoreOf(sentence: Sentence, asked: readonly string[], weigh: (word: string) => number): number {
  return asked.reduce((sum, word) => {
    const isAround = sentence.around.some((one) => isSameWord(one, word));
    return sum + weigh(word) * (says(sentence, word) ? (isAround ? 1.2 : 1) : isAround ? 0.8 : 0);
  }, 0);
}
