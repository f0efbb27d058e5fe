import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { addAccount, type NewAccount } from "../identity/manage-accounts.ts";
import { addKey } from "../identity/manage-keys.ts";
import { withOwner } from "./owner.ts";
import { checkedId, checkedName, checkedRoles } from "./people-form.ts";
import { print } from "./print.ts";

interface PersonOptions {
  readonly tenant: string;
  readonly role: string;
  readonly name: string;
  readonly issuer?: string;
  readonly subject?: string;
  readonly directory: string;
  readonly json?: true;
}

/**
 * Adds a person, who is known at once, and prints the new key, of which only a hash is kept. One whom an identity provider knows gets no
 * key. Throws `bad_request` for what cannot be an id, a role or a name and for a person who is known, `not_found` where the tenant is
 * not there.
 */
export async function personAdd(given: string, options: PersonOptions): Promise<void> {
  await addOne({ ...accountOf(given, options), onBehalfOf: null }, options);
}

/** Adds an agent that asks for one person, and prints its key, for asking and reading alone. Throws as `personAdd` does. */
export async function agentAdd(given: string, options: PersonOptions & { readonly onBehalfOf: string }): Promise<void> {
  await addOne({ ...accountOf(given, options), onBehalfOf: checkedId("the person's id", options.onBehalfOf) }, options);
}

async function addOne(account: NewAccount, { directory, json }: PersonOptions): Promise<void> {
  const { tenant, id, roles } = account;
  const made = await withOwner(resolve(directory), async (adminUrl) => {
    await addAccount(adminUrl, account);
    return account.external === null ? addKey(adminUrl, { tenant, account: id, scopes: null, days: null }) : null;
  });
  const { external: _, onBehalfOf, ...told } = account;
  print({
    json,
    value: { ...told, ...(onBehalfOf === null ? {} : { onBehalfOf }), key: made?.key ?? null, keyId: made?.id ?? null },
    lines: [
      `added ${id} of ${tenant} (${roles.join(", ")}), known from now on`,
      made === null
        ? "they sign in with the identity provider; `countersign key add` makes a key besides"
        : `API key, shown once and kept nowhere: ${made.key}`,
    ],
  });
}

function accountOf(given: string, { tenant, role, name, issuer, subject }: PersonOptions): Omit<NewAccount, "onBehalfOf"> {
  return {
    tenant: checkedId("the tenant's id", tenant),
    id: checkedId("the id", given),
    name: checkedName(name),
    roles: checkedRoles(role),
    external: externalOf({ issuer, subject }),
  };
}

function externalOf({
  issuer,
  subject,
}: {
  issuer: string | undefined;
  subject: string | undefined;
}): NonNullable<NewAccount["external"]> | null {
  if (subject === undefined) return null;
  if (issuer === undefined || issuer === "")
    throw new CountersignError("bad_request", "--subject needs --issuer, or `COUNTERSIGN_OIDC_ISSUER`: whose subject it is");
  return { issuer, subject };
}
