import type { Principal } from "./principal.ts";

/** What a key may be used for; each route names one. A key opens no more than policy lets its account do. */
export const keyScopes = ["ask", "read", "review", "sign", "admin"] as const;

/** One use of a key. */
export type KeyScope = (typeof keyScopes)[number];

/** Somebody whom a credential belongs to; `name` is for pages alone and goes into no entry. */
export interface Identity {
  readonly principal: Principal;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** The key that was shown; `null` where it was no key. */
  readonly keyId: string | null;
  /** `token`: an identity provider said the roles, by configuration; else the table of accounts did. */
  readonly rolesFrom: "account" | "token";
}

/**
 * Looks up whom a credential belongs to, at each request anew; nothing where it is unknown, revoked, expired or its account is not
 * active. Throws `tenant_suspended`.
 */
export type Identify = (credential: string) => Promise<Identity | undefined>;

/** The look-ups of the desk. Each asks the database, so what was changed there counts from the next request on. */
export interface Identities {
  /** Whose credential it is: an API key, or a token of the identity provider where one is configured. */
  readonly ofCredential: Identify;
  /** Somebody who signed in before, as they are now; nothing once their account or the key they came with is no good. */
  readonly again: (known: Identity) => Promise<Identity | undefined>;
}

/** Makes the first owner of an installation with the word of its one-time invitation, and gives their key; nothing where it is no good. */
export type FirstOwner = (asked: {
  readonly word: string;
  readonly tenant: { readonly id: string; readonly name: string };
  readonly person: { readonly id: string; readonly name: string };
}) => Promise<string | undefined>;

/** Signing in with a browser at an identity provider. */
export interface ProviderSignIn {
  /** What people know the provider by. */
  readonly providerName: string;
  /** Begins one: the address to send the browser to, and what the desk keeps until it comes back. Throws `service_unavailable`. */
  readonly begin: () => Promise<{ readonly url: string; readonly pending: PendingSignIn }>;
  /** Ends one with the query that the browser came back with; nothing where it is no good, or nobody here is known by it. */
  readonly end: (ended: { readonly search: string; readonly pending: PendingSignIn }) => Promise<Identity | undefined>;
}

/** The secrets of one sign-in that has begun: PKCE's verifier, state and nonce. */
export interface PendingSignIn {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

/** Says to the decider on whose behalf the desk calls: good for a minute, at the decider alone. */
export type Assert = (identity: Identity) => Promise<string>;
