import type { Embedder } from "../contract/embedder.ts";

/** One rule of embedders, and what it found: a sentence where the rule is broken, `null` where it holds. */
export interface EmbedderRule {
  readonly name: string;
  readonly broken: (embedder: Embedder) => Promise<string | null>;
}

/**
 * What every embedder has to keep, whatever stands behind it. A test runs each rule and expects `null`.
 * @example
 * const broken = (embedder: Parameters<(typeof embedderRules)[number]["broken"]>[0]) => Promise.all(embedderRules.map((rule) => rule.broken(embedder)));
 */
export const embedderRules: readonly EmbedderRule[] = [
  {
    name: "names itself, its version and its dimensions",
    broken: async ({ name, version, dimensions }) => {
      if (!/^[a-z0-9][a-z0-9_.-]{0,62}$/.test(name)) return `its name is \`${name}\``;
      if (version === "") return "it has no version";
      return Number.isInteger(dimensions) && dimensions > 0 ? null : `its dimensions are ${dimensions}`;
    },
  },
  {
    name: "gives vectors of its dimensions and of norm 1, for queries and for documents",
    broken: async (embedder) => {
      const vectors = [await embedder.embedQuery(texts[0] ?? ""), ...(await embedder.embedDocuments(texts))];
      const bad = vectors.findIndex((vector) => vector.length !== embedder.dimensions || Math.abs(norm(vector) - 1) > 1e-4);
      return bad < 0
        ? null
        : `vector ${bad} has ${vectors[bad]?.length} dimensions and norm ${norm(vectors[bad] ?? new Float32Array())}`;
    },
  },
  {
    name: "gives one vector for each text, in their order, however many there are",
    broken: async (embedder) => {
      const many = Array.from({ length: 70 }, (_, at) => `${texts[at % texts.length]} ${at % 7}`);
      const vectors = await embedder.embedDocuments(many);
      if (vectors.length !== many.length) return `it gave ${vectors.length} vectors for ${many.length} texts`;
      for (const at of [0, 33, 69]) {
        const [alone] = await embedder.embedDocuments([many[at] ?? ""]);
        const other = vectors[at];
        if (alone === undefined || other === undefined || product(alone, other) < 0.999)
          return `text ${at} has another vector alone`;
      }
      return (await embedder.embedDocuments([])).length === 0 ? null : "it gave vectors for no text";
    },
  },
  {
    name: "gives the same vector for the same text, and another for another",
    broken: async (embedder) => {
      const [first, again, other] = [
        await embedder.embedQuery(texts[0] ?? ""),
        await embedder.embedQuery(texts[0] ?? ""),
        await embedder.embedQuery(texts[1] ?? ""),
      ];
      if (product(first, again) < 0.9999) return "the same text has two vectors";
      return product(first, other) > 0.9999 ? "two texts have one vector" : null;
    },
  },
  {
    name: "takes empty, long and foreign texts",
    broken: async (embedder) => {
      const odd = ["", " ", "東京都 ガラス", "🙂", "word ".repeat(5_000)];
      const vectors = await embedder.embedDocuments(odd);
      const bad = vectors.findIndex((vector) => !vector.every(Number.isFinite));
      return vectors.length === odd.length && bad < 0 ? null : `text ${bad} of the odd ones has no vector`;
    },
  },
];

const texts = ["When is a worn out laptop replaced?", "The canteen opens at eleven.", "select count(*) from orders"];

function norm(vector: Float32Array): number {
  return Math.sqrt(product(vector, vector));
}

function product(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}
