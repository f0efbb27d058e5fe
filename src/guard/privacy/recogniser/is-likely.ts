import { hasCodeMarks, isLikelyAddress } from "./is-likely-address.ts";
import type { Span } from "./span.ts";
import { isAtStart, isGlued, type SpanWord, wordAt, wordList, wordsBefore, wordsOf } from "./span-words.ts";
import { Break, type Tokens } from "./tokens.ts";
import type { Lexicon } from "./word-reading.ts";

/** After these a name follows, whatever it looks like. Lower case, without accents. */
const strongCues = new Set(
  "name named namens nickname surname dear hi hello hey i'm im am regards sincerely cheers thanks thank cc yours signed heisse nom prenom appelle nombre llamo apellido nome cognome chiamo naam heet imie nazwisko jmeno nev vorname nachname mr mrs ms mme lieber liebe sehr bonjour hola wife husband son daughter mother father brother sister spoke met".split(
    " ",
  ),
);
/** How far back such a word is looked for, in words. */
const cueReach = 2;

/** Values of data languages, languages, makers and techniques: in prompts and instructions they are met far more often than people of that name. */
const neverNames = new Set(
  "true false null undefined none iban bic vat ollama bert yaml json xml html javascript typescript python java node deno bun linux windows macos docker kubernetes postgres redis kafka github gitlab openai anthropic mistral gemini google azure amazon microsoft oracle slack jira outlook excel teams unicode ascii latin cyrillic english german french spanish italian portuguese dutch polish czech hungarian swedish danish norwegian finnish greek turkish russian chinese japanese korean thai arabic hebrew hindi european american british".split(
    " ",
  ),
);
/** Longest word of capitals that is taken for an abbreviation. */
const longestAbbreviation = 5;
/** A name from the short lists may be this long and still be an abbreviation. */
const shortestName = 3;
/** How far around a word in small letters is looked for capitals, in tokens. */
const lowerReach = 12;
const prefixOfName = /^(?:Mc|Mac|De|Di|Da|Du|La|Le|Van|Von|Fitz|O['’]|D['’]|L['’])\p{Lu}/u;

/**
 * Whether what the tagger found can be what it says. A find is replaced in the whole of what is sent, so a lone word has to bring more than
 * a capital: a cue before it, a list of names, or a place within a sentence.
 */
export function isLikely(tokens: Tokens, { span, lexicon }: { span: Span; lexicon: Lexicon }): boolean {
  if (span.kind === "place") return true;
  const words = wordsOf(tokens, span, lexicon);
  if (words.every(({ plain }) => neverNames.has(plain))) return false;
  if (span.kind === "organisation") return isLikelyOrganisation(tokens, { span, words });
  if (span.kind === "person") return isLikelyPerson(tokens, { span, words });
  if (hasCodeMarks(tokens, span)) return false;
  // A name that was taken for a street is still a name.
  const named = words.filter(({ hasDigit }) => !hasDigit);
  const isNamed = named.some(({ isCapitalised }) => isCapitalised) && isLikelyPerson(tokens, { span, words: named });
  return isNamed || isLikelyAddress(tokens, { span, words });
}

function isLikelyOrganisation(tokens: Tokens, { span, words }: { span: Span; words: readonly SpanWord[] }): boolean {
  const [first] = words;
  if (words.length === 1 && first !== undefined && (first.isFrequent || first.isOrdinary) && isAtStart(tokens, span.from))
    return false;
  const hasForm = words.some(({ lists }) => (lists & wordList.companyForm) !== 0);
  return words.some(({ isUpper, isCapitalised, isFrequent }) => isUpper || isCapitalised || (hasForm && !isFrequent));
}

function isLikelyPerson(tokens: Tokens, { span, words }: { span: Span; words: readonly SpanWord[] }): boolean {
  const [first] = words;
  if (first === undefined) return false;
  const isLower = words.every(({ text }) => text === text.toLowerCase());
  // Words of code: `toBe`, `atlas-security`.
  if (words.every(({ text }) => /^\p{Ll}+\p{Lu}/u.test(text)) || (isLower && isGlued(tokens, span))) return false;
  if (isAfterCue(tokens, span.from)) return words.some(({ isFrequent, isName }) => !isFrequent || (isName && !isLower));
  return words.length === 1 ? isLikelyAlone(tokens, { span, word: first }) : isLikelyTogether(tokens, { span, words });
}

function isAfterCue(tokens: Tokens, at: number): boolean {
  const before = wordsBefore(tokens, at, cueReach);
  return before.some((word) => strongCues.has(word)) || (before[0] === "me" && /^calls?$/.test(before[1] ?? ""));
}

/** A name of one word, without a cue. */
function isLikelyAlone(tokens: Tokens, { span, word }: { span: Span; word: SpanWord }): boolean {
  // An initial with its point: `J.`
  if (word.text.length < 2) return span.to - span.from === 2 && /^\p{Lu}/u.test(word.text);
  if (word.hasDigit) return false;
  const isWord = word.isFrequent || word.isOrdinary;
  if (word.isUpper) return !word.isFrequent && (word.isName || !word.isOrdinary) && !isAbbreviation(tokens, { span, word });
  if (word.text === word.text.toLowerCase()) return word.isName && !isWord && isInLowerText(tokens, span);
  if (!word.isCapitalised) return word.isName || prefixOfName.test(word.text);
  if (isWord) return word.isName && (!word.isFrequent || !isAtStart(tokens, span.from));
  return word.isMaybeName || word.isUnknown || !isAtStart(tokens, span.from);
}

/** A name of several words, without a cue: one of them at least has to tell something. */
function isLikelyTogether(tokens: Tokens, { span, words }: { span: Span; words: readonly SpanWord[] }): boolean {
  if (words.some(({ hasDigit }) => hasDigit)) return false;
  if (words.every(({ text }) => text === text.toLowerCase()))
    return words.some((word) => isRare(word)) && isInLowerText(tokens, span);
  // An initial: `N. King`.
  if (/(?:^|[\s.])\p{Lu}\./u.test(tokens.text.slice(tokens.starts[span.from], tokens.ends[span.to - 1]))) return true;
  return words.some((word) => {
    if (word.isFrequent || (word.isOrdinary && !word.isMaybeName)) return false;
    return word.isCapitalised || prefixOfName.test(word.text) || (word.isUpper && !isAbbreviation(tokens, { span, word }));
  });
}

function isRare({ isMaybeName, isUnknown, isFrequent, isOrdinary }: SpanWord): boolean {
  return (isMaybeName || isUnknown) && !isFrequent && !isOrdinary;
}

/** Whether nobody uses capitals around a span, as in a chat. */
function isInLowerText(tokens: Tokens, { from, to }: Span): boolean {
  for (let at = from; at < Math.min(tokens.count, to + lowerReach); at += 1) {
    if (at >= to && (tokens.breaks[at] ?? 0) >= Break.line) break;
    if (/^\p{Lu}/u.test(wordAt(tokens, at))) return false;
  }
  for (let at = from - 1; at >= Math.max(0, from - lowerReach); at -= 1) {
    if ((tokens.breaks[at + 1] ?? 0) >= Break.line) break;
    if (/^\p{Lu}/u.test(wordAt(tokens, at))) return false;
  }
  return true;
}

/** A short word of capitals, in a text that is not written in capitals. */
function isAbbreviation(tokens: Tokens, { span, word }: { span: Span; word: SpanWord }): boolean {
  if (word.isMaybeName && word.text.length > (word.isName ? shortestName : longestAbbreviation)) return false;
  const beside = [span.from - 2, span.from - 1, span.to, span.to + 1].map((at) => (at < 0 ? "" : wordAt(tokens, at)));
  const written = beside.filter((one) => /^\p{L}{2,}$/u.test(one));
  return written.length === 0 || written.some((one) => one !== one.toUpperCase());
}
