import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from "@ai-sdk/provider";
import {
  JSONParseError,
  type LanguageModelV4Content,
  type LanguageModelV4StreamPart,
  TypeValidationError,
} from "@ai-sdk/provider";
import type { ProviderFault } from "../../contract/model.ts";
import { faultOf, faultOfEvent } from "./faults.ts";
import type { Watch } from "./watch.ts";

/** A reply put together: its texts and tool calls in their order, and how it ended. */
export interface Assembled {
  readonly texts: readonly string[];
  readonly toolCalls: readonly { readonly name: string; readonly input: string }[];
  readonly finishReason: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
}

/** The parts of a reply that came as a whole. */
export function assembleContent(content: readonly LanguageModelV4Content[]): Pick<Assembled, "texts" | "toolCalls"> {
  return {
    texts: content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
    toolCalls: content.flatMap((part) => (part.type === "tool-call" ? [{ name: part.toolName, input: part.input }] : [])),
  };
}

/** How much of a stream came so far, in UTF-16 code units; written while it is read. */
export interface Progress {
  receivedCharacters: number;
}

/**
 * Reads a stream to its end and puts it together; nothing is returned before it is whole. The first error in it, and the first of its
 * raw events about which `watch` has a sentence, end it. Throws what
 * reading throws.
 */
export async function assembleStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  { progress, watch }: { progress: Progress; watch: Watch },
): Promise<Assembled | ProviderFault> {
  const texts: string[] = [];
  const toolCalls: { name: string; input: string }[] = [];
  let ended: Pick<Assembled, "finishReason" | "usage"> | null = null;
  for await (const part of stream) {
    if ("delta" in part) progress.receivedCharacters += part.delta.length;
    const fault = faultIn(part, watch);
    if (fault !== null) return fault;
    if (part.type === "text-delta") texts.push(part.delta);
    if (part.type === "tool-call") toolCalls.push({ name: part.toolName, input: part.input });
    if (part.type === "finish") ended = part;
  }
  if (ended === null) return faultOf("cut_off", brokenOff);
  return { texts, toolCalls, finishReason: ended.finishReason, usage: ended.usage };
}

/** The words for a reply that began and did not end. */
export const brokenOff = "the provider broke its reply off";

function faultIn(part: LanguageModelV4StreamPart, watch: Watch): ProviderFault | null {
  if (part.type === "error") return faultOfPart(part.error);
  const problem = part.type === "raw" ? watch(part.rawValue) : null;
  return problem === null ? null : faultOf("unusable", problem);
}

function faultOfPart(error: unknown): ProviderFault {
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error))
    return faultOf("unusable", "the provider's stream holds an event that is not of its form");
  return faultOfEvent(error) ?? faultOf("cut_off", brokenOff);
}
