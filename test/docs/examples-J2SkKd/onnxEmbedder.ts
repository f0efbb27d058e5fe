// onnx.ts
import { onnxEmbedder } from "../../../src/gateway/embedders/onnx.ts";

export const told: [unknown, unknown][] = [];
const runtime = () => Promise.reject(new Error("() => import('onnxruntime-node') in a project that installed it"));
onnxEmbedder({ name: "minilm", folder: "/models/all-MiniLM-L6-v2", pooling: "mean", runtime });

export type Shown = typeof onnxEmbedder;
