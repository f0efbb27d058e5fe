// hashed-embedder.ts
import { hashedEmbedder } from "../../../src/testing/hashed-embedder.ts";

export const told: [unknown, unknown][] = [];
told.push([hashedEmbedder({ dimensions: 64 }).isFake, true]);

export type Shown = typeof hashedEmbedder;
