import { z } from "zod";
import { cutTo, type Licence } from "../contract/delegation.ts";
import { CountersignError } from "../contract/errors.ts";
import { type Identity, type KeyScope, keyScopes } from "../contract/identity.ts";
import { allowListsSchema, type Principal } from "../contract/principal.ts";

const rowForm = z.object({
  tenant: z.string(),
  tenant_state: z.enum(["active", "suspended"]),
  id: z.string(),
  name: z.string(),
  on_behalf_of: z.string().nullable(),
  roles: z.array(z.string()),
  attributes: z.record(z.string(), z.json()),
  allow: allowListsSchema,
  person_roles: z.array(z.string()).nullable(),
  person_allow: allowListsSchema.nullable(),
  key_id: z.string().nullish(),
  scopes: z.array(z.enum(keyScopes)).nullish(),
});

/** Reads the one row that a look-up gave; nothing where it gave none. Throws `tenant_suspended` where the tenant is not at work. */
export function identityOf(rows: readonly unknown[], { scopes }: { scopes: readonly KeyScope[] }): Identity | undefined {
  if (rows.length === 0) return undefined;
  const row = rowForm.parse(rows[0]);
  if (row.tenant_state === "suspended") throw suspended();
  return {
    principal: principalOf(row),
    name: row.name,
    scopes: row.scopes ?? scopes,
    keyId: row.key_id ?? null,
    rolesFrom: "account",
  };
}

function principalOf(row: z.infer<typeof rowForm>): Principal {
  const { tenant, id, attributes, on_behalf_of: onBehalfOf } = row;
  return { tenant, id, attributes, onBehalfOf, ...licenceOf(row) };
}

/** Of an agent what its person may too, by the same row: it never outlives what was taken from the person. */
function licenceOf({ roles, allow, person_roles: most, person_allow: mostAllow }: z.infer<typeof rowForm>): Licence {
  return most === null || mostAllow === null ? { roles, allow } : cutTo({ roles, allow }, { roles: most, allow: mostAllow });
}

function suspended(): CountersignError {
  return new CountersignError("tenant_suspended", "your tenant is suspended; ask whoever runs this installation");
}
