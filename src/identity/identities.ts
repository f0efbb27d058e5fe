/**
 * Identity: who people and agents are, looked up in the database at each request and never remembered. Says who somebody is and which
 * uses a key has; what they may do is policy's. Knows no decision and signs none.
 */
import { sql } from "kysely";
import { type Identities, type Identity, type KeyScope, keyScopes } from "../contract/identity.ts";
import type { Database } from "../store/database.ts";
import { identityOf } from "./account-row.ts";
import { hashOfKey } from "./keys.ts";
import { agentScopes } from "./manage-keys.ts";
import type { Subject } from "./tokens.ts";

/** The look-ups of the desk, with the one for subjects of an identity provider. */
export interface OpenIdentities extends Identities {
  /** As whom a subject is known here, with every use that its kind of account has. */
  readonly ofSubject: (subject: Subject) => Promise<Identity | undefined>;
}

/** Opens the look-ups under the role `desk`. `tokens` reads bearer tokens, where an identity provider is set up. */
export function openIdentities(
  database: Database,
  tokens: (token: string) => Promise<Subject | undefined> = async () => undefined,
): OpenIdentities {
  const ofSubject = (subject: Subject) => identityOfSubject(database, subject);
  return {
    ofSubject,
    ofCredential: async (credential) => {
      if (!isToken(credential)) return identityOfKey(database, credential);
      const subject = await tokens(credential);
      return subject === undefined ? undefined : ofSubject(subject);
    },
    again: async (known) => {
      const { tenant, id, onBehalfOf, roles } = known.principal;
      const { rows } = await database.untenanted((store) =>
        sql`select * from countersign.identify_again(${tenant}, ${id}, ${known.keyId})`.execute(store),
      );
      const identity = identityOf(rows, { scopes: usesOf(onBehalfOf !== null) });
      return identity === undefined || known.rolesFrom === "account" ? identity : withRoles(identity, roles);
    },
  };
}

/** Three parts joined by points; no key of ours holds a point. */
function isToken(credential: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(credential);
}

/** What an account may use without a key that narrows it. */
function usesOf(isAgent: boolean): readonly KeyScope[] {
  return isAgent ? agentScopes : keyScopes;
}

/** By the key's hash, in an index: whoever measures the time learns of a hash at most, from which no key follows. */
async function identityOfKey(database: Database, key: string): Promise<Identity | undefined> {
  const { rows } = await database.untenanted((store) =>
    sql`select * from countersign.identify_key(${hashOfKey(key)})`.execute(store),
  );
  return identityOf(rows, { scopes: [] });
}

async function identityOfSubject(
  database: Database,
  { issuer, subject, isClient, roles }: Subject,
): Promise<Identity | undefined> {
  const { rows } = await database.untenanted((store) =>
    sql`select * from countersign.identify_subject(${issuer}, ${subject})`.execute(store),
  );
  const found = identityOf(rows, { scopes: [] });
  if (found === undefined) return undefined;
  const isAgent = found.principal.onBehalfOf !== null;
  // What a client was given for itself never passes for a person's, whatever the provider calls the two.
  if (isClient && !isAgent) return undefined;
  const identity = { ...found, scopes: usesOf(isAgent) };
  return roles === null ? identity : withRoles(identity, roles);
}

/** Of a person. Which of its person's roles an agent has, the table of accounts says: what a person was told elsewhere is not known of it. */
function withRoles(identity: Identity, roles: readonly string[]): Identity {
  if (identity.principal.onBehalfOf !== null) return identity;
  return { ...identity, principal: { ...identity.principal, roles }, rolesFrom: "token" };
}
