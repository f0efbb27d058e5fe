import type { RunMeter } from "./budget.ts";
import type { ModelChoice, Prompt } from "./capability.ts";
import type { JsonObject } from "./json.ts";
import type { ModelCatalogue } from "./model-catalogue.ts";
import type { Cancel } from "./principal.ts";
import type { KnownData, Replaced, ReplacedCounts } from "./privacy.ts";
import type { Schema } from "./schema.ts";
import type { Usage } from "./usage.ts";
import type { NodeName } from "./words.ts";

export type { Usage } from "./usage.ts";

/** A value that passed the privacy boundary. Made in `guard/privacy/` only; providers accept nothing else. */
export type Encoded<T> = T & { readonly __encoded: unique symbol };

/** What every call to any model leaves behind, failed ones included. */
export interface CallRecord {
  readonly node: NodeName;
  readonly purpose: CallPurpose;
  /** Which step of a bounded loop asked, counted from 1; 0 outside of loops. */
  readonly step: number;
  /** Counted from 1, anew at each step: a reply that did not fit is asked for again. */
  readonly attempt: number;
  /** Counted from 1 within an attempt: a request that got no reply is sent again after a pause. */
  readonly send: number;
  /** `provider/id`. */
  readonly model: string;
  /** Whether the provider was a script, which is no model. */
  readonly isScripted: boolean;
  readonly outcome: "fits" | "misfits" | "failed";
  /** Why no reply came; `null` where one came, whatever it said. */
  readonly fault: ModelFault | null;
  /** How the reply ended, as the provider said; `null` where none came. */
  readonly stopReason: ProviderReply["stopReason"] | null;
  /** SHA-256 over what was asked (model, prompt, JSON Schema), in hex: a replay tells by it whether the same would be asked. */
  readonly requestDigest: string;
  readonly usage: Usage;
  /** The provider did not say what was used; it was assumed from what was sent and received, rather too high than too low. */
  readonly isUsageAssumed: boolean;
  readonly costMicros: number;
  /** The version of the prices behind the cost; left out where nothing was counted. */
  readonly prices?: string;
  /** The room that was taken before it was sent: its worst case. Left out where nothing was counted. */
  readonly held?: { readonly tokens: number; readonly costMicros: number };
  readonly ms: number;
  /** The reply as decoded text, for replay; empty where none came. One that does not fit is kept in part where it is long. */
  readonly reply: string;
  /** Whether `reply` is all that came, as it came; of one that is not, a replay takes what was found then. */
  readonly isReplyWhole: boolean;
  readonly problem: string | null;
  /** Whether what was sent had passed the privacy boundary; a script, which sends nothing anywhere, is asked without it. */
  readonly boundary: "on" | "off";
  /** What was replaced in the request: kinds, stand-ins and counts, never values. Left out where nothing was; the first few of many. */
  readonly replaced?: readonly Replaced[];
  /** How many rows `replaced` would have, where that is more than it tells. */
  readonly replacedInAll?: number;
  /** How many pieces of personal data were replaced, by class and by what was done to them; left out where nothing was. */
  readonly replacedCounts?: ReplacedCounts;
  /** SHA-256 over the canonical form of the privacy policy that was in force, in hex; left out where the boundary is off. */
  readonly privacyPolicy?: string;
}

export type CallPurpose = "decide" | "plan" | "step" | "judge";

/** Why a provider gave no reply: a closed list, the same for every provider. */
export const modelFaults = [
  "rate_limited",
  "overloaded",
  "unreachable",
  "timed_out",
  "cut_off",
  "unusable",
  "refused_key",
  "refused_request",
  "resting",
  "over_budget",
  // The privacy boundary could not look the request through, so nothing was sent.
  "boundary_failed",
  "cancelled",
  "crashed",
] as const;
export type ModelFault = (typeof modelFaults)[number];

export interface ModelRequest<T> {
  readonly node: NodeName;
  readonly purpose: CallPurpose;
  /** As in `CallRecord`. */
  readonly step: number;
  readonly attempt: number;
  readonly model: ModelChoice;
  readonly prompt: Prompt;
  readonly schema: Schema<T>;
  readonly cancel: Cancel;
  /** What the run may still use; each request that is sent takes room from it first. Where it is left out nothing is counted. */
  readonly meter?: RunMeter;
  /** What it is known to be about, for the privacy boundary; left out where nobody knows. */
  readonly known?: KnownData;
}

/**
 * One attempt's outcome. A reply that does not fit is a failed call, never repaired. `calls` holds a record of every request that was
 * sent for it, the last one's last; none where nothing was sent.
 */
export type ModelReply<T> =
  | { readonly kind: "fits"; readonly value: T; readonly calls: readonly CallRecord[] }
  | { readonly kind: "misfits"; readonly problem: string; readonly calls: readonly CallRecord[] }
  | { readonly kind: "failed"; readonly fault: ModelFault; readonly problem: string; readonly calls: readonly CallRecord[] };

/** The one door to models, as the graph sees it. */
export interface Model {
  readonly call: <T>(request: ModelRequest<T>) => Promise<ModelReply<T>>;
}

/** What a provider is handed. */
export interface ProviderRequest {
  readonly model: ModelChoice;
  readonly purpose: CallPurpose;
  /** As in `CallRecord`. */
  readonly step: number;
  readonly attempt: number;
  readonly system: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
  readonly jsonSchema: JsonObject;
}

/** What a provider returns: the raw text, unparsed, and what it cost. */
export interface ProviderReply {
  readonly text: string;
  /** `null` where the provider did not say. */
  readonly usage: Usage | null;
  readonly stopReason: "end" | "length" | "refusal" | "filter";
}

/** Why a provider has no reply to return. */
export interface ProviderFault {
  readonly fault: Exclude<ModelFault, "resting" | "over_budget" | "boundary_failed">;
  /** How long the provider asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** Our own words: a provider's may quote a key or a prompt. */
  readonly problem: string;
  /** What the provider says it used all the same; `null` where it did not say. */
  readonly usage: Usage | null;
  /** What of a reply had come when it broke off, in UTF-16 code units: it is paid for. 0 where nothing was begun. */
  readonly receivedCharacters: number;
}

/** One way to reach models. What it throws counts as the fault `crashed`. */
export interface Provider {
  readonly name: string;
  /** A scripted provider says so wherever its replies show. */
  readonly isScripted: boolean;
  /**
   * `off`: its author says that it is sent text as it is, which needs a signed reason. Left out, a provider is behind the boundary, and a
   * script is not; `on` puts a script behind it too.
   */
  readonly boundary?: "on" | "off";
  /** Where it stands, such as `eu`, in the words of the privacy policy; `elsewhere` unless given. */
  readonly region?: string;
  /** The host that it sends to, with the port where one is named; left out where none is known. */
  readonly host?: string;
  /** Why this provider would not take the choice (an id it does not know to be pinned, a temperature where none is taken); `null` where it would. */
  readonly refusalOf?: (model: ModelChoice) => string | null;
  /** Whether an id stands for one version that does not change; left out where nobody says so. */
  readonly isPinned?: (id: string) => boolean;
  readonly complete: (request: Encoded<ProviderRequest>, cancel: Cancel) => Promise<ProviderReply | ProviderFault>;
}

/** A provider before it has its key: a project's `decide.ts` names the secret, the deciding process opens it. */
export interface ProviderSource
  extends Pick<Provider, "name" | "isScripted" | "boundary" | "region" | "host" | "refusalOf" | "isPinned"> {
  /** The name under which the vault knows the key, never the key; `null` for a server that wants none. */
  readonly secret: string | null;
  /** Its own list of models, with when each is shut down; left out where it has none that says so. */
  readonly catalogue?: ModelCatalogue;
  readonly open: (secret: string | null) => Provider;
}
