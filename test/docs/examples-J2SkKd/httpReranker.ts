// http.ts
import { httpReranker } from "../../../src/gateway/rerankers/http.ts";

export const told: [unknown, unknown][] = [];
httpReranker({ name: "local", baseUrl: "http://127.0.0.1:8080/v1", secret: null, model: "bge-reranker-base", version: "1" });

export type Shown = typeof httpReranker;
