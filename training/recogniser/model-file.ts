import { createHash } from "node:crypto";
import { type ModelHead, tagCount, tags } from "../../src/guard/privacy/recogniser/name-model.ts";
import { filterNames } from "../../src/guard/privacy/recogniser/word-reading.ts";
import type { LexiconBytes } from "./lexicon-files.ts";
import type { Learnt } from "./perceptron.ts";

/** How far decisions lean, in shares of a typical weight's unit: missing a person is worse than covering a word too many. */
export type Leanings = Readonly<Partial<Record<(typeof tags)[number], number>>>;

/** Share of weights that keep their size; the few largest are cut. */
const kept = 0.9995;

/** Rounds weights to a byte each and writes a model file, as `openNameModel` reads it. */
export function modelFile(
  { weights, transitions }: Learnt,
  { buckets, lexicon, leanings }: { buckets: number; lexicon: LexiconBytes; leanings: Leanings },
): Uint8Array {
  const sizes = weights
    .filter((weight) => weight !== 0)
    .map(Math.abs)
    .sort();
  const unit = (sizes[Math.floor(sizes.length * kept)] ?? 1) / 127;
  const rounded = Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / unit))));
  const parts = [new Uint8Array(rounded.buffer), ...filterNames.map((name) => lexicon[name])];
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  const head: ModelHead = {
    version: "",
    ...{ buckets, tags: [...tags] },
    transitions: [...transitions].map((score) => Math.round(score / unit)),
    leanings: tags.map((tag) => leanings[tag] ?? 0),
    filters: Object.fromEntries(filterNames.map((name) => [name, lexicon[name].length])),
  };
  const version = hash.update(JSON.stringify(head)).digest("hex").slice(0, 12);
  const headBytes = Buffer.from(JSON.stringify({ ...head, version }), "ascii");
  const length = Buffer.alloc(4);
  length.writeUInt32LE(headBytes.length);
  if (transitions.length !== (tagCount + 1) * tagCount) throw new Error("there is a score for each pair of tags");
  return Buffer.concat([length, headBytes, ...parts]);
}
