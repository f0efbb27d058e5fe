import { z } from "zod";
import type { JsonObject } from "./json.ts";
import type { Runtime } from "./runtime.ts";

/** What an account may touch of one kind: everything, or what its list names. An empty list is nothing. */
export type AllowList = "all" | readonly string[];

/** An account's own limits, beside what its roles open: capabilities, record queries, documents and effects, by name or id. */
export interface AllowLists {
  readonly capabilities: AllowList;
  readonly records: AllowList;
  readonly documents: AllowList;
  readonly effects: AllowList;
}

/** No limits of the account's own: what its roles open. */
export const everything: AllowLists = Object.freeze({ capabilities: "all", records: "all", documents: "all", effects: "all" });

/** An account that may touch nothing. */
export const nothing: AllowLists = Object.freeze({ capabilities: [], records: [], documents: [], effects: [] });

const allowList = z.union([z.literal("all"), z.array(z.string().min(1).max(200)).max(1_000)]);

/** Parses an account's allow-lists. Each must be there: one that is missing is an error, never everything and never nothing. */
export const allowListsSchema: z.ZodType<AllowLists> = z.strictObject({
  capabilities: allowList,
  records: allowList,
  documents: allowList,
  effects: allowList,
});

/** Says whether a list holds a name. */
export function isListed(list: AllowList, name: string): boolean {
  return list === "all" || list.includes(name);
}

/** Says whether an account has no limits of its own. */
export function allowsEverything({ capabilities, records, documents, effects }: AllowLists): boolean {
  return [capabilities, records, documents, effects].every((list) => list === "all");
}

/** Who asks: within one tenant, with roles, and on whose behalf where it is an agent. Ids are opaque, never names. */
export interface Principal {
  readonly tenant: string;
  readonly id: string;
  readonly roles: readonly string[];
  readonly attributes: JsonObject;
  readonly onBehalfOf: string | null;
  /** The account's own limits; of an agent those of the agent's account. */
  readonly allow: AllowLists;
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
  /** What the principal stands in the middle of; left out where a call has no request around it, such as a look at a state before. */
  readonly runtime?: Runtime;
}

/** What a policy, guard or gate says: yes, or no with the rule's name and a sentence for people. */
export type Ruling =
  | { readonly kind: "permitted"; readonly rule: string }
  | { readonly kind: "refused"; readonly rule: string; readonly reason: string };

/** What policies say: a ruling with the ids of the policies that decided it, the first one's stands as its rule. */
export type PolicyRuling = Ruling & {
  /** Empty where nothing permits it. */
  readonly policies: readonly string[];
};

/** Stops work that nobody waits for any more; a small stand-in for `AbortSignal`, which the pure folders do not have. */
export interface Cancel {
  readonly isCancelled: () => boolean;
  readonly onCancel: (listener: () => void) => void;
}
