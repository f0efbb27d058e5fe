// Makes the terms of a text, the same when it is filed and when it is searched for. Pure; linear in the text's length.
import { baseForm } from "./irregular.ts";
import { stem } from "./stem.ts";
import { isStopWord } from "./stop-words.ts";

/** The longest term, in UTF-16 code units; what is longer is known by its beginning. */
export const longestTerm = 64;

/**
 * Cuts a text into tokens in their order, and gives the terms of each; the first one is the token's own. Accents and case are folded.
 * Letters and digits joined by one of `. _ : / @ # + -`, with a trailing `++` or `#`, are one token: its terms are the whole, what lies
 * between its joiners, and the stems of the words in it, which a change from small to capital letters parts too. What holds a digit is
 * never stemmed. Writing without spaces (Chinese, Japanese, Thai) and Hangul give each pair of neighbouring characters. English words
 * that say nothing of a subject are left out, unless they are written in capitals. The text is well-formed Unicode.
 * @example
 * analyse("the Modifier.IDF of laptops"); // [["modifier.idf", "modifi", "idf"], ["laptop"]]
 */
export function analyse(text: string): readonly (readonly string[])[] {
  const tokens: (readonly string[])[] = [];
  for (const [run] of fold(text).matchAll(runs)) {
    if (!unspaced.test(run)) addToken(tokens, run);
    else for (const [piece] of run.matchAll(scriptPieces)) addPiece(tokens, piece);
  }
  return tokens;
}

const letters = "[\\p{L}\\p{N}\\p{M}]";
/** One joiner, or `::`, or `://`. Letters, joiners and apostrophes are disjoint, so nothing is ever tried twice. */
const joiner = "(?:::|://|[._:/@#+-])";
const word = `${letters}+(?:'${letters}+)*`;
const runs = new RegExp(`${word}(?:${joiner}${word})*(?:\\+\\+|#)?`, "gu");
const scripts =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々";
const unspaced = new RegExp(`[${scripts}]`, "u");
const scriptPieces = new RegExp(`[${scripts}]+|[^${scripts}]+`, "gu");

const foldings: Readonly<Record<string, string>> = {
  ...{ ß: "ss", ẞ: "SS", æ: "ae", Æ: "AE", œ: "oe", Œ: "OE", ø: "o", Ø: "O", đ: "d", Đ: "D", ł: "l", Ł: "L", ı: "i" },
  ...{ "’": "'", "‘": "'", ʼ: "'", "‐": "-", "‑": "-", "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "" },
};
const folded = new RegExp(`[${Object.keys(foldings).join("")}]`, "gu");

function fold(text: string): string {
  // Composed again afterwards: Hangul and the marks of Japanese come apart too, and are no accents.
  const bare = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]+/g, "")
    .normalize("NFC");
  return bare.replace(folded, (found) => foldings[found] ?? "");
}

function addPiece(tokens: (readonly string[])[], piece: string): void {
  if (!unspaced.test(piece)) {
    for (const [run] of piece.matchAll(runs)) addToken(tokens, run);
    return;
  }
  const characters = [...piece.toLowerCase()];
  if (characters.length === 1) tokens.push([piece.toLowerCase()]);
  for (let at = 1; at < characters.length; at += 1) tokens.push([`${characters[at - 1]}${characters[at]}`]);
}

/** Most words are of this form, and are one term: they are spared what the others are asked. */
const plainWord = /^[a-z]+$/;

function addToken(tokens: (readonly string[])[], run: string): void {
  if (run.length < longestTerm && plainWord.test(run)) {
    if (!isStopWord(run)) tokens.push([stem(baseForm(run))]);
    return;
  }
  const pieces = run.split(/::|:\/\/|[:/@#+]/).filter((piece) => piece !== "");
  const dotted = pieces.flatMap((piece) => piece.split("."));
  const leaves = dotted.flatMap((piece) => piece.split(/[_-]/));
  const terms = new Set([run, ...pieces, ...dotted, ...leaves, ...leaves.flatMap(camelParts)].map(wordTerm));
  terms.delete("");
  if (terms.size === 1 && isStopWord(plain(run)) && !/^\p{Lu}{2,}$/u.test(run)) return;
  if (terms.size > 0) tokens.push([...terms]);
}

/** The term of a word: its stem where it is one, else itself in lower case. */
function wordTerm(text: string): string {
  const term = cut(plain(text));
  return term.length < longestTerm ? stem(baseForm(term)) : term;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/'s\b/g, "").replaceAll("'", "");
}

/** `findPassages` is `find` and `passages`, `PDFReader` is `PDF` and `Reader`; `PDFs` stays. */
function camelParts(leaf: string): readonly string[] {
  if (!/\p{Lu}/u.test(leaf) || /^(?:\p{Lu}?\p{Ll}*|\p{Lu}+s?)$/u.test(leaf)) return [];
  return leaf.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
}

function cut(term: string): string {
  if (term.length <= longestTerm) return term;
  const end = term.charCodeAt(longestTerm - 1);
  return term.slice(0, end >= 0xd800 && end <= 0xdbff ? longestTerm - 1 : longestTerm);
}
