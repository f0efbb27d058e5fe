import type { Cancel } from "./principal.ts";

/** Turns text into vectors of one length, all of norm 1, so that their product says how near two texts are. Queries and documents differ for many models. */
export interface Embedder {
  /** In the form of `idPattern`. */
  readonly name: string;
  /** Changes whenever the same text would give another vector: vectors of two versions are never compared. */
  readonly version: string;
  readonly dimensions: number;
  /** Says that no model stands behind it: nearness is that of spelling, and no figure of quality comes from it. */
  readonly isFake: boolean;
  /** Throws `model_unavailable` where no vector comes. */
  readonly embedQuery: (text: string, cancel?: Cancel) => Promise<Float32Array>;
  /** One vector for each text, in their order. Throws `model_unavailable` where they do not come. */
  readonly embedDocuments: (texts: readonly string[], cancel?: Cancel) => Promise<readonly Float32Array[]>;
}

/** An embedder before it has its key: a project names the secret, the process that needs it opens it. */
export interface EmbedderSource {
  readonly name: string;
  /** The name under which the vault knows the key, never the key; `null` where none is wanted. */
  readonly secret: string | null;
  readonly open: (secret: string | null) => Promise<Embedder>;
}

/** The name under which vectors of an embedder are kept; another version has another one. */
export function vectorsOf({ name, version }: Pick<Embedder, "name" | "version">): string {
  return `${name}@${version}`;
}

/** A copy of norm 1; `null` where the values have no direction: none, all zero, or one that is no number. */
export function unitVector(values: ArrayLike<number>): Float32Array | null {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += (values[at] ?? 0) ** 2;
  const norm = Math.sqrt(sum);
  if (!Number.isFinite(norm) || norm === 0) return null;
  return Float32Array.from(values, (value) => value / norm);
}
