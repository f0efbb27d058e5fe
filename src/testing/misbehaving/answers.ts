import type { Usage } from "../../contract/model.ts";

/** A model that said something: as a rule JSON, as content or as the arguments of the tool that the request forces. */
export interface Reply {
  readonly kind: "reply";
  readonly text: string;
  /** `null` leaves usage out of the reply. `plainUsage` unless given. */
  readonly usage?: Usage | null;
  /** Why the model stopped; `end` unless given. Anthropic knows no content filter and sends its refusal for `filter`. */
  readonly stop?: "end" | "length" | "filter" | "unknown";
  /** The text ends at this byte of its UTF-8, be it inside a character; what is around it stays whole. */
  readonly cutAt?: number;
  /** Length of each streamed piece in UTF-16 code units, be it inside a surrogate pair; whole characters, 12 at least, unless given. */
  readonly pieceUnits?: number;
  /** Sent in the place of the right one. */
  readonly contentType?: string;
}

/** A model that refuses: the field `refusal` at OpenAI, the stop reason `refusal` at Anthropic. */
export interface Refusal {
  readonly kind: "refusal";
  /** The words of the refusal; at Anthropic what had been said before it. */
  readonly text: string;
  readonly usage?: Usage | null;
}

/** A reply that holds no message at all (`no_choice`), or a message without content (`no_content`). */
export interface Nothing {
  readonly kind: "nothing";
  readonly what: "no_choice" | "no_content";
  readonly usage?: Usage | null;
}

/** What the model is said to have said. */
export type Said = Reply | Refusal | Nothing;

/** When to come back, in one of the three forms that are in use. */
export type RetryAfter =
  | { readonly unit: "seconds"; readonly value: number }
  | { readonly unit: "ms"; readonly value: number }
  /** Milliseconds since the epoch, sent as an HTTP date, which knows whole seconds. */
  | { readonly unit: "date"; readonly value: number };

/** One answer of the misbehaving server, by name. Where a fault belongs to streaming, a request for the whole gets what is nearest. */
export type Answer =
  | Said
  /** An error in the protocol's own form. `quotesKey` puts the key that came with the request into its message. */
  | { readonly kind: "error"; readonly status: number; readonly retryAfter?: RetryAfter; readonly quotesKey?: boolean }
  /**
   * Nothing more is sent from this byte of the body on, from the last one at the latest, and the connection stays; `null` sends no
   * headers, 0 sends them alone.
   */
  | { readonly kind: "stalled"; readonly atByte: number | null; readonly of: Said }
  /** The connection ends at this byte of the body, at the last one at the latest; `null` ends it before the headers. */
  | { readonly kind: "dropped"; readonly atByte: number | null; readonly of: Said }
  /** One byte every so many milliseconds; at 0 one byte a turn of the event loop. */
  | { readonly kind: "dripped"; readonly everyMs: number; readonly of: Said }
  /** A text that goes on for as long as the client stays. */
  | { readonly kind: "endless" }
  /**
   * One event is cut JSON, the events that end the stream are missing, or an error comes in the middle. Not streaming: the body is cut
   * JSON (both of the first two), or an error with status 200.
   */
  | { readonly kind: "broken"; readonly how: "malformed_event" | "no_final_event" | "error_event"; readonly of: Said }
  /** A body that is none of the protocol's, with status 200 unless given. */
  | { readonly kind: "raw"; readonly body: string; readonly contentType: string; readonly status?: number }
  /**
   * The whole reply packed by gzip, and called so as often as `times` says, over a connection that closes; more than once it is not
   * what it is called. A request for a stream gets it packed as well.
   */
  | { readonly kind: "encoded"; readonly times: number; readonly of: Said }
  /** A redirect to another address, with a status of 301, 302, 303, 307 or 308. */
  | { readonly kind: "redirected"; readonly to: string; readonly status: number };

/** The usage of replies that name none: no tokens of a kind that needs a cache or reasoning. */
export const plainUsage: Usage = { inputTokens: 11, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 7, reasoningTokens: 0 };
