/** The public API for authors of `decide.ts`: the deciding half's own parts, and the deciding half itself for embedding. */
export { createDecider, type Decider, type DeciderOptions } from "./decider.ts";
export { type DecidingParts, defineDeciding, type SearchModels } from "./define/deciding.ts";
export { type CompatibleEmbedderOptions, compatibleEmbedder } from "./gateway/embedders/compatible.ts";
export { type OnnxEmbedderOptions, onnxEmbedder } from "./gateway/embedders/onnx.ts";
export type { OnnxFolder, OnnxRuntime } from "./gateway/inside/onnx-model.ts";
export { type AnthropicOptions, anthropic } from "./gateway/providers/anthropic.ts";
export { type CompatibleOptions, compatible } from "./gateway/providers/compatible.ts";
export { type OpenAiOptions, openAi } from "./gateway/providers/openai.ts";
export { type BuiltInOptions, builtInRecogniser } from "./gateway/recognisers/built-in.ts";
export { type OnnxClassifierOptions, onnxTokenClassifier } from "./gateway/recognisers/onnx.ts";
export { type PresidioOptions, presidioAnalyzer } from "./gateway/recognisers/presidio.ts";
export { type HttpRerankerOptions, httpReranker } from "./gateway/rerankers/http.ts";
export { onnxReranker } from "./gateway/rerankers/onnx.ts";
export { type McpSource, type McpSourceOptions, type McpToolUse, mcpSource } from "./know/mcp/mcp-source.ts";
export type { McpServer } from "./know/mcp/server.ts";
export { type HttpRecordsOptions, httpRecords } from "./know/records/http/http-records.ts";
export { type PostgresRecordsOptions, postgresRecords } from "./know/records/postgres/postgres-records.ts";
