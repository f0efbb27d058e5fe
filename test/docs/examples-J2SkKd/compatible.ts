// compatible.ts
import { compatible } from "../../../src/gateway/providers/compatible.ts";

export const told: [unknown, unknown][] = [];
compatible({ name: "local", server: "ollama", baseUrl: "http://127.0.0.1:11434/v1", secret: null, constrain: "schema", boundary: "off" });

export type Shown = typeof compatible;
