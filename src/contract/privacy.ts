import type { Cancel } from "./principal.ts";

/** What personal data is told apart into; a closed list. `secret` is a key or a token, `term` a value that records or a tenant's dictionary name. */
export const dataClasses = [
  "person",
  "organisation",
  "address",
  "email",
  "phone",
  "card",
  "iban",
  "account",
  "national_id",
  "ip",
  "mac",
  "url_credential",
  "secret",
  "birth_date",
  "vehicle",
  "passport",
  "term",
] as const;
export type DataClass = (typeof dataClasses)[number];

/** One piece of personal data in a text. */
export interface Finding {
  /** In UTF-16 code units of the text as it was handed over; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly class: DataClass;
  /** What exactly, such as `us_ssn` or `visa`: lower-case letters, digits and `_`. */
  readonly kind: string;
  /** The country whose it is, in lower-case letters (ISO 3166-1 alpha-2); `null` where it has none or none can be told. */
  readonly jurisdiction: string | null;
  /** The value without the chances of its spelling: two findings of one class and one canonical value are one value. */
  readonly canonical: string;
}

/** Finds names, organisations and addresses, and what else it knows. It stands inside the boundary, since it is handed texts as they are. */
export interface Recogniser {
  readonly name: string;
  /** Of the model or the rules behind it; stands in records. */
  readonly version: string;
  /** One list for each text, in its order. Rejects where it cannot look: nothing is sent then. */
  readonly find: (texts: readonly string[], cancel: Cancel) => Promise<readonly (readonly Finding[])[]>;
}

/** A value that is known to be somebody's before anything is looked through: from a record, from the account, or from a tenant's dictionary. */
export interface KnownValue {
  readonly value: string;
  /** `term` where nothing more is known of it. */
  readonly class: DataClass;
}

/** What a project's folder says of privacy; where all of it is left out the shipped policy holds, and no provider is exempt. */
export interface PrivacyFiles {
  /** What `privacy.json` holds; `null` where there is none. */
  readonly policy: unknown;
  /** What `privacy-exemptions.json` holds; `null` where there is none. */
  readonly exemptions: unknown;
  /** Public keys of whoever may sign an exemption: Ed25519, SPKI DER, base64. */
  readonly publicKeys: readonly string[];
  /** Values that a tenant names as somebody's, by the tenant. */
  readonly dictionaries: ReadonlyMap<string, readonly KnownValue[]>;
}

/** What a request to a model is known to be about: whose tenant it is in, and the values that were read for it. */
export interface KnownData {
  readonly tenant: string;
  readonly values: readonly KnownValue[];
}

/** What is done to a piece of personal data before it is sent. Only `tokenise` can be undone in the reply. */
export const treatments = ["allow", "tokenise", "hash", "mask", "drop"] as const;
export type Treatment = (typeof treatments)[number];

/** What is done to data of a class. `"*"` stands for all; the most specific rule holds, and of equally specific ones the strictest. */
export interface PrivacyRule {
  readonly class: DataClass | "*";
  readonly jurisdiction: string;
  /** Where the provider stands, in its own words of `decide.ts`. */
  readonly region: string;
  readonly treatment: Treatment;
}

/** What one request's data was replaced by: kinds and stand-ins, never values. */
export interface Replaced {
  readonly class: DataClass;
  readonly kind: string;
  readonly treatment: Exclude<Treatment, "allow">;
  /** What stands in the request instead; empty for what was dropped. */
  readonly standIn: string;
  /** How many times it occurs in the request. */
  readonly count: number;
}

/** Pieces of personal data that were replaced, by class and by what was done to them. */
export type ReplacedCounts = { readonly [dataClass in DataClass]?: { readonly [treatment in Treatment]?: number } };
