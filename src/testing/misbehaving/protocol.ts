import type { Usage } from "../../contract/model.ts";
import type { Said } from "./answers.ts";
import type { SentText } from "./pieces.ts";
import type { StreamEvent, Wire, WireObject } from "./wire.ts";

/** The protocols that the server speaks: OpenAI's Responses and chat completions, Anthropic's Messages. */
export type ProtocolName = "responses" | "chat" | "messages";

/** The tool that a request forces. */
export interface ForcedTool {
  readonly name: string;
  /** Whether the request names it, or wants any of those that it lists. */
  readonly isNamed: boolean;
}

/** What a protocol needs to say it. */
export interface Turn {
  readonly said: Said;
  readonly text: SentText;
  readonly tool: ForcedTool | null;
  readonly usage: Usage | null;
  /** As the request names it. */
  readonly model: string;
  /** The unique part of the ids in the reply. */
  readonly id: string;
  /** Whether the request wants usage in a stream: in chat completions a stream has none unless asked. */
  readonly wantsUsage: boolean;
}

/** One way of speaking about a turn. */
export interface Protocol {
  readonly name: ProtocolName;
  readonly path: string;
  readonly toolOf: (body: WireObject) => ForcedTool | null;
  readonly whole: (turn: Turn) => Wire;
  readonly events: (turn: Turn) => readonly StreamEvent[];
  readonly error: (error: { readonly status: number; readonly message: string; readonly id: string }) => Wire;
  readonly errorEvent: (message: string) => StreamEvent;
}

/** The moment at which replies say they were made, in seconds since the epoch: the same for all, so that bytes repeat. */
export const createdAt = 1_772_442_000;

/** The unique part of ids at the given place: as long as those of the real servers, and the same in each run. */
export function idAt(place: number): string {
  return place.toString(36).padStart(24, "0");
}
