/** The public API for authors of `ingest.ts`: what the reader of documents has besides its sources. */
export { defineIngesting, type IngestingParts } from "./define/ingesting.ts";
export { type CompatibleEmbedderOptions, compatibleEmbedder } from "./gateway/embedders/compatible.ts";
export { type OnnxEmbedderOptions, onnxEmbedder } from "./gateway/embedders/onnx.ts";
export type { OnnxFolder, OnnxRuntime } from "./gateway/inside/onnx-model.ts";
