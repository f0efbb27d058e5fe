import { type Embedder, unitVector } from "../contract/embedder.ts";

/**
 * An embedder that says that it is a fake: it hashes the words of a text and their runs of three characters into a vector, always the
 * same. Texts of similar spelling are near each other; what they mean plays no part, so it shows that vectors are used and not that they are good.
 * @example
 * hashedEmbedder({ dimensions: 64 }).isFake; // true
 */
export function hashedEmbedder({ name = "hashed", dimensions = 384 }: { name?: string; dimensions?: number } = {}): Embedder {
  const embed = (text: string) => vectorOf(text, dimensions);
  return Object.freeze<Embedder>({
    ...{ name, version: `ngrams-1-${dimensions}`, dimensions, isFake: true },
    embedQuery: async (text) => embed(text),
    embedDocuments: async (texts) => texts.map(embed),
  });
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const sums = new Float32Array(dimensions);
  for (const word of text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    add(sums, hash(`=${word}`), 2);
    for (let at = 0; at + 3 <= word.length + 2; at += 1) add(sums, hash(`<${word}>`.slice(at, at + 3)), 1);
  }
  const unit = unitVector(sums);
  if (unit !== null) return unit;
  // Without a word a text has no direction; any fixed one will do.
  sums[0] = 1;
  return sums;
}

function add(sums: Float32Array, hashed: number, weight: number): void {
  const at = hashed % sums.length;
  sums[at] = (sums[at] ?? 0) + (hashed & 0x4000_0000 ? weight : -weight);
}

/** FNV-1a over UTF-16 code units, and a last mixing of the bits. */
function hash(text: string): number {
  let value = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x0100_0193);
  value = Math.imul(value ^ (value >>> 16), 0x85eb_ca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
