import type { Embedder } from "../../src/contract/embedder.ts";
import { seeded } from "../../src/contract/seeded.ts";
import type { FiledVersion } from "../../src/know/search/write.ts";
import { filedVersion } from "../../test/setup/filed-version.ts";

/** Shares of the corpus that the asker may see, each with the label that opens it: a part of the next larger one. */
export const cells = [
  { label: "one-in-1000", share: 0.001, every: 1_000 },
  { label: "one-in-100", share: 0.01, every: 100 },
  { label: "one-in-10", share: 0.1, every: 10 },
  { label: "all", share: 1, every: 1 },
] as const;
export type Cell = (typeof cells)[number];

/** Passages of one document. */
const passagesOfDocument = 10;
const wordsOfPassage = 100;
const vocabulary = 60_000;
/** As flat as English is once its commonest words are gone: the most frequent content word stands in about one passage of ten. */
const flatness = 50;
const shareOfStopWords = 0.4;
const stopWords = "the of and to in a is that for it was on are with as be at this by from or an which not but can if when".split(
  " ",
);

/** A text of made-up words, the same at every run. */
export interface Corpus {
  readonly documents: readonly {
    readonly id: string;
    readonly labels: readonly string[];
    readonly passages: readonly string[];
  }[];
  /** Five words of one passage, which the asker of the cell may see. */
  readonly queries: ReadonlyMap<Cell, readonly string[]>;
}

/** Makes `passages` passages in documents of ten, and `queries` queries for each cell. */
export function makeCorpus({ passages, queries }: { passages: number; queries: number }): Corpus {
  const random = seeded(20_261_130);
  const documents = Array.from({ length: Math.ceil(passages / passagesOfDocument) }, (_, at) => ({
    id: `d${at}`,
    labels: cells.filter(({ every }) => at % every === 0).map(({ label }) => label),
    passages: Array.from({ length: passagesOfDocument }, () => passageOf(random)),
  }));
  const queriesOf = (cell: Cell) =>
    Array.from({ length: queries }, () => {
      const document = documents[Math.floor((random() * documents.length) / cell.every) * cell.every];
      return queryOf(document?.passages[Math.floor(random() * passagesOfDocument)] ?? "", random);
    });
  return { documents, queries: new Map(cells.map((cell) => [cell, queriesOf(cell)])) };
}

/** A document of the corpus as it is filed, with vectors where there is an embedder. */
export async function versionOf(
  { id, labels, passages }: Corpus["documents"][number],
  embedder: { readonly name: string; readonly embedder: Embedder } | null,
): Promise<FiledVersion> {
  const sections = passages.map((body, at) => ({ section: `Part ${Math.floor(at / 4) + 1}`, body }));
  const version = filedVersion({ id, scopes: labels, passages: sections });
  if (embedder === null) return version;
  const vectors = await embedder.embedder.embedDocuments(passages);
  const withVectors = version.passages.map((passage, at) => {
    const vector = vectors[at];
    return vector === undefined ? passage : { ...passage, vectors: { [embedder.name]: vector } };
  });
  return { ...version, passages: withVectors };
}

function passageOf(random: () => number): string {
  const word = () =>
    random() < shareOfStopWords ? (stopWords[Math.floor(random() * stopWords.length)] ?? "the") : nameOf(rankOf(random));
  return Array.from({ length: wordsOfPassage }, word).join(" ");
}

function queryOf(passage: string, random: () => number): string {
  const content = passage.split(" ").filter((word) => !stopWords.includes(word));
  return Array.from({ length: 5 }, () => content[Math.floor(random() * content.length)] ?? "").join(" ");
}

/** The rank of a word whose frequency falls as one over rank and flatness (Zipf and Mandelbrot). */
function rankOf(random: () => number): number {
  return Math.floor(flatness * ((1 + vocabulary / flatness) ** random() - 1));
}

const syllables = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split(" ");

/** A word of three syllables and more: no two ranks have the same, and no stemmer knows its ending. */
function nameOf(rank: number): string {
  const all = syllables.length;
  const at = (part: number) => syllables[Math.floor(rank / all ** part) % all] ?? "";
  return `${at(0)}${at(1)}${at(2)}${rank >= all ** 3 ? at(3) : ""}k`;
}
