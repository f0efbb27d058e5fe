/** Words that are capitalised without being names, wherever they stand. */
const noNames: ReadonlySet<string> = new Set(["i", "i'm", "i'll", "i've", "i'd", "a", "ok"]);

const word = /[\p{L}\p{M}][\p{L}\p{M}'’]*/gu;
/** What ends a sentence, or begins one: after it every word is capitalised. */
const opening = /(?:^|[.!?:;]["”’)]?\s|\n|["“„«]|[•*]\s?|- )\s*$/u;

/**
 * The names of a text, each as it is written: words with a capital inside or all in capitals, and capitalised words that do not begin a
 * sentence. One that begins a sentence is a name where a capitalised word or a possessive `'s` follows, or where it is known as one.
 */
export function namesIn(text: string, namedElsewhere: ReadonlySet<string> = new Set()): readonly string[] {
  const words = [...text.matchAll(word)];
  return words.flatMap((match, place) => {
    const said = bareWord(match[0]);
    if (!/\p{Lu}/u.test(said) || noNames.has(said.toLowerCase())) return [];
    if (isMarked(said)) return [said];
    const isFirst = opening.test(text.slice(Math.max(0, match.index - 6), match.index)) || match.index === 0;
    if (!isFirst) return [said];
    const isOwner = /['’]s$/u.test(match[0]);
    const next = words[place + 1];
    const isFollowed = next !== undefined && isJoinedTo(text, match, next) && /^\p{Lu}/u.test(next[0]) && !isFunctionWord(said);
    return isOwner || isFollowed || namedElsewhere.has(said.toLowerCase()) ? [said] : [];
  });
}

/** Every word of a text in lower case, without a possessive. */
export function wordsIn(text: string): readonly string[] {
  return [...text.matchAll(word)].map(([said]) => bareWord(said).toLowerCase());
}

function bareWord(said: string): string {
  return said.replace(/['’](?:s|S)?$/u, "");
}

/** `VPN` and `GitHub`, wherever they stand. */
function isMarked(said: string): boolean {
  return /^\p{Lu}{2,}s?$/u.test(said) || /\p{Ll}\p{Lu}/u.test(said);
}

function isJoinedTo(text: string, one: RegExpExecArray, next: RegExpExecArray): boolean {
  return text.slice(one.index + one[0].length, next.index) === " ";
}

const functionWords: ReadonlySet<string> = new Set(
  (
    "the a an and or but if in on at by for from to of with without under over after before until since during between when where while " +
    "who what which how why that this these those it its they their we our you your he she his her there here all any each every both " +
    "no not only also as per via is are was were be has have had do does did can could may might must shall should will would new please"
  ).split(" "),
);

function isFunctionWord(said: string): boolean {
  return functionWords.has(said.toLowerCase());
}
