import type { ModelChoice, Prompt } from "./capability.ts";
import type { JsonObject } from "./json.ts";
import type { Cancel } from "./principal.ts";
import type { Schema } from "./schema.ts";
import type { NodeName } from "./words.ts";

/** A value that passed the privacy boundary. Made in `guard/privacy/` only; providers accept nothing else. */
export type Encoded<T> = T & { readonly __encoded: unique symbol };

/** Tokens of one call by kind, in the one convention that is stored: no kind counts another's tokens. */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** What every call to any model leaves behind, failed ones included. */
export interface CallRecord {
  readonly node: NodeName;
  readonly purpose: CallPurpose;
  readonly attempt: number;
  /** `provider/id`. */
  readonly model: string;
  /** Whether the provider was a script, which is no model. */
  readonly isScripted: boolean;
  readonly outcome: "fits" | "misfits" | "failed";
  readonly usage: Usage;
  readonly costMicros: number;
  readonly ms: number;
  /** The reply as decoded text, for replay; empty where none came. */
  readonly reply: string;
  readonly problem: string | null;
  /** `off` until the privacy boundary exists; every entry shows it. */
  readonly boundary: "off";
}

export type CallPurpose = "decide" | "judge";

export interface ModelRequest<T> {
  readonly node: NodeName;
  readonly purpose: CallPurpose;
  readonly attempt: number;
  readonly model: ModelChoice;
  readonly prompt: Prompt;
  readonly schema: Schema<T>;
  readonly cancel: Cancel;
}

/** One attempt's outcome. A reply that does not fit is a failed call, never repaired. */
export type ModelReply<T> =
  | { readonly kind: "fits"; readonly value: T; readonly call: CallRecord }
  | { readonly kind: "misfits"; readonly problem: string; readonly call: CallRecord }
  | { readonly kind: "failed"; readonly problem: string; readonly call: CallRecord };

/** The one door to models, as the graph sees it. */
export interface Model {
  readonly call: <T>(request: ModelRequest<T>) => Promise<ModelReply<T>>;
}

/** What a provider is handed. */
export interface ProviderRequest {
  readonly model: ModelChoice;
  readonly purpose: CallPurpose;
  readonly attempt: number;
  readonly system: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
  readonly jsonSchema: JsonObject;
}

/** What a provider returns: the raw text, unparsed, and what it cost. */
export interface ProviderReply {
  readonly text: string;
  readonly usage: Usage;
  readonly stopReason: "end" | "length" | "refusal" | "filter";
}

/** One way to reach models. Throws `model_unavailable` when no reply came. */
export interface Provider {
  readonly name: string;
  /** A scripted provider says so wherever its replies show. */
  readonly isScripted: boolean;
  /** A provider that is not scripted is refused without this: its author says that the privacy boundary is off. */
  readonly boundary?: "off";
  readonly complete: (request: Encoded<ProviderRequest>, cancel: Cancel) => Promise<ProviderReply>;
}
