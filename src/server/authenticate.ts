import type { Context } from "hono";
import { CountersignError } from "../contract/errors.ts";
import type { Identify, Identity, KeyScope } from "../contract/identity.ts";

/** The identity behind a request's bearer credential. Throws `unauthenticated`, `tenant_suspended`, or `wrong_tenant` where the request names another tenant. */
export async function authenticate(context: Context, identify: Identify): Promise<Identity> {
  const credential = credentialOf(context);
  const identity = credential === undefined ? undefined : await identify(credential);
  if (identity === undefined) throw unauthenticated();
  checkTenantNamed(context, identity);
  return identity;
}

/** Refuses a request that names another tenant than its caller's. Throws `wrong_tenant`. */
export function checkTenantNamed(context: Context, { principal }: Identity): void {
  const named = context.req.header("countersign-tenant");
  if (named === undefined || named === principal.tenant) return;
  throw new CountersignError("wrong_tenant", "the key belongs to another tenant than the request names");
}

/** The bearer credential of a request; `undefined` where none came. */
export function credentialOf(context: Context): string | undefined {
  return /^Bearer ([!-~]{8,8192})$/.exec(context.req.header("authorization") ?? "")?.[1];
}

/** The answer to whoever brought no credential that is known. */
export function unauthenticated(): CountersignError {
  return new CountersignError("unauthenticated", "no valid API key came with the request; send `Authorization: Bearer <key>`");
}

/** Refuses a credential that was not made for this use. Throws `forbidden`. */
export function checkScope({ scopes }: Pick<Identity, "scopes">, scope: KeyScope): void {
  if (scopes.includes(scope)) return;
  throw new CountersignError(
    "forbidden",
    `the key is not for this: it lacks the use \`${scope}\`; see \`countersign key list\``,
    {
      facts: { scope },
    },
  );
}
