import type { JsonObject } from "./json.ts";

/** Who asks: within one tenant, with roles, and on whose behalf where it is an agent. Ids are opaque, never names. */
export interface Principal {
  readonly tenant: string;
  readonly id: string;
  readonly roles: readonly string[];
  readonly attributes: JsonObject;
  readonly onBehalfOf: string | null;
}

/** The principal plus the runtime context; handed down to every call. */
export interface Envelope {
  readonly principal: Principal;
  /** What this principal may see, as labels that queries filter on; computed once per request. */
  readonly scopes: readonly string[];
  /** Where effects happen, such as `demo` or `production`. */
  readonly environment: string;
  /** The reference time of the request, in milliseconds since the epoch. */
  readonly at: number;
}

/** What a policy, guard or gate says: yes, or no with the rule's name and a sentence for people. */
export type Ruling =
  | { readonly kind: "permitted"; readonly rule: string }
  | { readonly kind: "refused"; readonly rule: string; readonly reason: string };

/** Stops work that nobody waits for any more; a small stand-in for `AbortSignal`, which the pure folders do not have. */
export interface Cancel {
  readonly isCancelled: () => boolean;
  readonly onCancel: (listener: () => void) => void;
}
