import { isLikelyAddress } from "./is-likely-address.ts";
import type { Span } from "./span.ts";
import { isAtStart, type SpanWord, wordAt, wordList, wordsBefore, wordsOf } from "./span-words.ts";
import type { Tokens } from "./tokens.ts";
import type { Lexicon } from "./word-reading.ts";

/** After these a name follows, whatever it looks like. Lower case, without accents. */
const strongCues = new Set(
  "name named namens nickname surname dear hi hello hey i'm im am regards sincerely cheers yours signed heisse nom prenom appelle nombre llamo apellido nome cognome chiamo naam heet imie nazwisko jmeno nev vorname nachname mr mrs ms mme lieber liebe sehr bonjour hola wife husband son daughter mother father brother sister spoke met".split(
    " ",
  ),
);
/** How far back such a word is looked for, in words. */
const cueReach = 2;

/** Values of data languages, languages, makers and techniques: in prompts and instructions they are met far more often than people of that name. */
const neverNames = new Set(
  "true false null undefined none yaml json xml html javascript typescript python java node deno bun linux windows macos docker kubernetes postgres redis kafka github gitlab openai anthropic ollama mistral gemini google azure amazon microsoft oracle slack jira outlook excel teams unicode ascii latin cyrillic english german french spanish italian portuguese dutch polish czech hungarian swedish danish norwegian finnish greek turkish russian chinese japanese korean thai arabic hebrew hindi european american british".split(
    " ",
  ),
);
/** Longest word of capitals that is taken for an abbreviation. */
const longestAbbreviation = 5;
const prefixOfName = /^(?:Mc|Mac|De|Di|Da|Du|La|Le|Van|Von|Fitz|O['’]|D['’]|L['’])\p{Lu}/u;

/**
 * Whether what the tagger found can be what it says. A find is replaced in the whole of what is sent, so a lone word has to bring more than
 * a capital: a cue before it, a list of names, or a place within a sentence.
 */
export function isLikely(tokens: Tokens, { span, lexicon }: { span: Span; lexicon: Lexicon }): boolean {
  const words = wordsOf(tokens, span, lexicon);
  if (span.kind === "place") return true;
  if (span.kind === "address") return isLikelyAddress(tokens, { span, words });
  if (words.every(({ plain }) => neverNames.has(plain))) return false;
  if (span.kind === "organisation") return words.some(({ isUpper, isCapitalised, lists }) => isUpper || isCapitalised || (lists & wordList.companyForm) !== 0);
  if (wordsBefore(tokens, span.from, cueReach).some((word) => strongCues.has(word))) return true;
  const [first] = words;
  if (first === undefined) return false;
  return words.length === 1 ? isLikelyAlone(tokens, { span, word: first }) : isLikelyTogether(tokens, { span, words });
}

/** A name of one word, without a cue. */
function isLikelyAlone(tokens: Tokens, { span, word }: { span: Span; word: SpanWord }): boolean {
  if (word.hasDigit || word.text.length < 2) return false;
  if (word.isUpper) return !isAbbreviation(tokens, { span, word }) && !word.isFrequent && !word.isOrdinary;
  if (!word.isCapitalised) return /^\p{Lu}/u.test(word.text) && (word.isName || prefixOfName.test(word.text));
  if (word.isFrequent || word.isOrdinary) return word.isName && !isAtStart(tokens, span.from);
  return word.isMaybeName || !isAtStart(tokens, span.from);
}

/** A name of several words, without a cue: one of them at least has to tell something. */
function isLikelyTogether(tokens: Tokens, { span, words }: { span: Span; words: readonly SpanWord[] }): boolean {
  if (words.some(({ hasDigit }) => hasDigit)) return false;
  const isLower = words.every(({ text }) => text === text.toLowerCase());
  return words.some((word) => {
    if (word.isFrequent || (word.isOrdinary && !word.isMaybeName)) return false;
    if (isLower) return word.isMaybeName && !word.isOrdinary;
    return word.isCapitalised || prefixOfName.test(word.text) || (word.isUpper && !isAbbreviation(tokens, { span, word }));
  });
}

/** A short word of capitals, in a text that is not written in capitals. */
function isAbbreviation(tokens: Tokens, { span, word }: { span: Span; word: SpanWord }): boolean {
  if (word.text.length > longestAbbreviation && word.isMaybeName) return false;
  const beside = [span.from - 2, span.from - 1, span.to, span.to + 1].map((at) => (at < 0 ? "" : wordAt(tokens, at)));
  const written = beside.filter((one) => /^\p{L}{2,}$/u.test(one));
  return written.length === 0 || written.some((one) => one !== one.toUpperCase());
}
