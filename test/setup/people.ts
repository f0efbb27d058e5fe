import { generateKeyPairSync, randomUUID } from "node:crypto";
import pg from "pg";
import type { Assert, Identify, Identities, KeyScope } from "../../src/contract/identity.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import { openAsserted, openAsserting } from "../../src/identity/assertion.ts";
import { openIdentities } from "../../src/identity/identities.ts";
import { hashOfKey } from "../../src/identity/keys.ts";
import type { Database } from "../../src/store/database.ts";

/** Somebody of a test: a key is as good as its person. */
export interface TestPerson {
  readonly tenant: string;
  readonly id: string;
  readonly name?: string;
  readonly roles: readonly string[];
  readonly key: string;
  readonly onBehalfOf?: string;
  readonly scopes?: readonly KeyScope[];
}

/** Puts accounts and keys into a database of a test; an account that is there becomes as told. People before the agents that ask for them. */
export async function putTestPeople(adminUrl: string, people: readonly TestPerson[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const { tenant, id, name = id, roles, key, onBehalfOf = null, scopes } of people) {
      const kind = onBehalfOf === null ? "person" : "agent";
      await client.query(
        `insert into countersign.account (tenant, id, kind, name, on_behalf_of, roles, allow) values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (tenant, id) do update set name = excluded.name, roles = excluded.roles, allow = excluded.allow`,
        [tenant, id, kind, name, onBehalfOf, roles, JSON.stringify(everything)],
      );
      const all = kind === "agent" ? ["ask", "read"] : ["ask", "read", "review", "sign", "admin"];
      await client.query("insert into countersign.api_key (id, tenant, account, hash, scopes) values ($1, $2, $3, $4, $5)", [
        ...[randomUUID(), tenant, id, hashOfKey(key), scopes ?? all],
      ]);
    }
  } finally {
    await client.end();
  }
}

/** Puts the accounts of principals into a database of a test, those of people before those of agents. What is there is left as it is. */
export async function putAccounts(adminUrl: string, principals: readonly Principal[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const { tenant, id, roles, onBehalfOf, allow } of principals.toSorted((one) => (one.onBehalfOf === null ? -1 : 1))) {
      await client.query(
        `insert into countersign.account (tenant, id, kind, name, on_behalf_of, roles, allow) values ($1, $2, $3, $2, $4, $5, $6)
        on conflict do nothing`,
        [tenant, id, onBehalfOf === null ? "person" : "agent", onBehalfOf, roles, JSON.stringify(allow)],
      );
    }
  } finally {
    await client.end();
  }
}

/** How both doors of a test know people: the desk by their keys, the decider by what the desk asserts. */
export interface TestDoors {
  readonly identities: Identities;
  readonly assert: Assert;
  readonly identify: Identify;
  /** What the desk would send the decider for whoever holds a key; another text for a key of nobody. */
  readonly assertionOf: (key: string) => Promise<string>;
}

/** Opens both doors' knowledge of people, under keys of the test alone. */
export function openTestDoors({ desk, deciding }: { desk: Database; deciding: Database }): TestDoors {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const identities = openIdentities(desk);
  const assert = openAsserting(privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"));
  const publicKeys = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  return {
    identities,
    assert,
    identify: openAsserted({ publicKeys, database: deciding }),
    assertionOf: async (key) => {
      const identity = await identities.ofCredential(key);
      return identity === undefined ? key : assert(identity);
    },
  };
}
