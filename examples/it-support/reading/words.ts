/** The words of a text as the scripted model compares them: without endings, with common typing errors, a few of other languages. */

const fillers = new Set(
  `a an and or the of to in on at for from by with is are be been am was were do does did have has had i me my mine we our us you your he his she her
  they their it its this that these those there here what which who whom when where how why can could may might must should shall will would get gets
  got if so as than then also just only not no yes please pls hi hello thanks any some one up out about into after before again still now ever asap under use many much
  und oder der die das ein eine ist sind mein meine ich wie was wann le la les un une des du de est je puis`.split(/\s+/),
);

/** What people write in other languages, or by another name, and what the documents call it. */
const otherWords: Readonly<Record<string, string>> = {
  passwort: "password",
  kennwort: "password",
  lang: "length",
  lange: "length",
  long: "length",
  minimum: "least",
  mindestens: "least",
  notebook: "laptop",
  portable: "laptop",
  handy: "phone",
  telephone: "phone",
  jours: "day",
  etranger: "abroad",
  utiliser: "use",
  stolen: "lost",
  lose: "lost",
  seat: "chair",
  furniture: "chair",
  own: "private",
};

/** The words that carry a text's meaning, in order, each once. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+(?:[.:-][\p{L}\p{N}]+)*/gu) ?? [];
  return [...new Set(words.filter((word) => !fillers.has(word)).map((word) => stemOf(otherWords[word] ?? word)))];
}

/** Says whether two stems are one word, a typing error apart. */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  return one.length >= 5 && other.length >= 5 && !/\d/.test(one + other) && isOneStepApart(one, other);
}

/** Says whether a word of a list stands in a text, a typing error apart. */
export function holdsWord(text: string, ...sought: readonly string[]): boolean {
  const words = wordsOf(text);
  return sought.some((word) => words.some((one) => isSameWord(one, stemOf(word.toLowerCase()))));
}

function stemOf(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word;
  return word.replace(/(?:ing|ed|es|s|e)$/, "");
}

/** One letter more, less, exchanged, or two in each other's place. */
function isOneStepApart(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const rest = (text: string, from: number): string => text.slice(from);
  if (rest(one, start + 1) === rest(other, start + 1)) return true;
  if (rest(one, start + 1) === rest(other, start) || rest(one, start) === rest(other, start + 1)) return true;
  return one[start] === other[start + 1] && one[start + 1] === other[start] && rest(one, start + 2) === rest(other, start + 2);
}
