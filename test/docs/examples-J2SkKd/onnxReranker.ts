// onnx.ts
import { onnxReranker } from "../../../src/gateway/rerankers/onnx.ts";

export const told: [unknown, unknown][] = [];
const runtime = () => Promise.reject(new Error("() => import('onnxruntime-node') in a project that installed it"));
onnxReranker({ name: "marco", folder: "/models/ms-marco-MiniLM-L-6-v2", runtime });

export type Shown = typeof onnxReranker;
