import type { JSONObject } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import { ollamaPins, type PinRules, servedPins } from "./pinned.ts";
import { replyName } from "./request.ts";

/** The kinds of server that speak chat completions and are known here. */
export type Server = "ollama" | "vllm" | "vllm_guided" | "llama_cpp" | "other";

interface ServerRules {
  readonly pins: PinRules;
  /** The fields of the body that make the server hold a reply to a schema by its own grammar; `null` where none is known. */
  readonly grammar: ((schema: JsonObject) => JSONObject) | null;
}

/** What each kind of server takes. Data. */
export const servers: Readonly<Record<Server, ServerRules>> = {
  // Source: Ollama, `openai/openai.go`: over `/v1` it reads `response_format` alone, and makes of it the `format` of its own API.
  ollama: { pins: ollamaPins, grammar: (schema) => ({ response_format: responseFormat(schema) }) },
  // Source: vLLM, "Structured Outputs": `structured_outputs` with the member `json`.
  vllm: { pins: servedPins, grammar: (schema) => ({ structured_outputs: { json: plain(schema) } }) },
  // Source: vLLM, "Structured Outputs", before 0.12: `guided_json`.
  vllm_guided: { pins: servedPins, grammar: (schema) => ({ guided_json: plain(schema) }) },
  // Source: llama.cpp, the server's README: `json_schema` in the body is made a grammar.
  llama_cpp: { pins: servedPins, grammar: (schema) => ({ json_schema: plain(schema) }) },
  other: { pins: servedPins, grammar: null },
};

function responseFormat(schema: JsonObject): JSONObject {
  return { type: "json_schema", json_schema: { name: replyName, schema: plain(schema) } };
}

/** The SDK's type of JSON is not readonly; it writes what it is given and changes nothing. */
function plain(schema: JsonObject): JSONObject {
  return schema as JSONObject;
}
