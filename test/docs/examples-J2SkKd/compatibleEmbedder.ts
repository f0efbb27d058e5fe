// compatible.ts
import { compatibleEmbedder } from "../../../src/gateway/embedders/compatible.ts";

export const told: [unknown, unknown][] = [];
compatibleEmbedder({ name: "local", baseUrl: "http://127.0.0.1:11434/v1", secret: null, model: "bge-small-en-v1.5", version: "1", dimensions: 384 });

export type Shown = typeof compatibleEmbedder;
