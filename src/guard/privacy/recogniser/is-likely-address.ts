import type { Span } from "./span.ts";
import { type SpanWord, wordList, wordsBefore } from "./span-words.ts";
import type { Tokens } from "./tokens.ts";

/** Before an address; lower case, without accents. */
const cues = new Set(
  "address adresse anschrift direccion indirizzo endereco adres adresa lives live lived living reside resides residing located ship shipped deliver delivered zip zipcode postcode postal plz cap wohnt wohne habite demeurant vivo vive abito abita residente moro mora woont woon mieszka mieszkam bydliste lakcim osoite moved visit".split(
    " ",
  ),
);
/** How far back such a word is looked for, in words. */
const cueReach = 3;

/** How streets end that are one word with their kind. */
const fused =
  /(?:stra(?:ss|ß)e|str|weg|gasse|allee|platz|ufer|damm|straat|laan|plein|gracht|kade|dijk|singel|steeg|gatan|v[äa]gen|gr[äa]nd|stigen|backen|torget|gade|vej|v[æa]nget|str[æa]de|gata|gate|veien|vegen|svingen|katu|tie|kuja|polku|kaari|ranta|vegur|braut)$/u;
/** Marks of code and of headings: no address has them. */
const codeMarks = /[*`{}<=+|_\\]|&&/u;
const fewestDigitsAlone = 4;

/** Whether what the tagger took for an address has what addresses have: a kind of street, or a number beside a name, or a cue before it. */
export function isLikelyAddress(tokens: Tokens, { span, words }: { span: Span; words: readonly SpanWord[] }): boolean {
  const text = tokens.text.slice(tokens.starts[span.from], tokens.ends[span.to - 1]);
  const hasCue = wordsBefore(tokens, span.from, cueReach).some((word) => cues.has(word));
  if (!words.some(({ text: word }) => /\p{L}/u.test(word))) return hasCue && digitsOf(text) >= fewestDigitsAlone;
  const hasStreet = words.some(
    ({ plain, lists }) => (lists & (wordList.street | wordList.unit)) !== 0 || (plain.length > 5 && fused.test(plain)),
  );
  const hasName = words.some(isNameOfPlace);
  const hasNumber = words.some(({ text: word }) => /^\p{N}+[\p{L}]?$/u.test(word));
  // `Mill Lane` is made of everyday words.
  const isWrittenAsName = words.filter(({ isCapitalised }) => isCapitalised).length > 1;
  if (hasStreet) return hasName || hasNumber || hasCue || isWrittenAsName;
  return hasName && (hasNumber || hasCue);
}

/** Whether a span holds marks that no name and no address has. */
export function hasCodeMarks({ text, starts, ends }: Tokens, { from, to }: Span): boolean {
  return codeMarks.test(text.slice(starts[from], ends[to - 1]));
}

/** A word with a capital that is no everyday word, or a long one in capitals. */
function isNameOfPlace({ text, isCapitalised, isUpper, isFrequent }: SpanWord): boolean {
  return !isFrequent && ((isCapitalised && text.length > 2) || (isUpper && text.length > 3));
}

function digitsOf(text: string): number {
  return text.match(/\p{N}/gu)?.length ?? 0;
}
