import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { closeTenant, type ListedTenant, listTenants, setTenantState } from "../identity/manage-tenants.ts";
import { withOwner } from "./owner.ts";
import { checkedId } from "./people-form.ts";
import { print } from "./print.ts";

interface TenantOptions {
  readonly directory: string;
  readonly json?: true;
}

/** Lists the tenants of an installation. */
export async function tenantList({ directory, json }: TenantOptions): Promise<void> {
  const tenants = await withOwner(resolve(directory), listTenants);
  const line = ({ id, name, state, since, accounts }: ListedTenant) =>
    `${id}: ${name}, ${state} since ${since.toISOString()}, ${accounts} ${accounts === 1 ? "account" : "accounts"}`;
  print({ json, value: { tenants }, lines: tenants.length === 0 ? ["there is no tenant yet"] : tenants.map(line) });
}

/** Suspends a tenant, or lets it go on, from the next request and the next send on. Throws `not_found`. */
export async function tenantState(
  given: string,
  { state, directory, json }: TenantOptions & { state: "active" | "suspended" },
): Promise<void> {
  const tenant = checkedId("the tenant's id", given);
  await withOwner(resolve(directory), (adminUrl) => setTenantState(adminUrl, { tenant, state }));
  const what =
    state === "active"
      ? "is at work again"
      : "is suspended: nothing is asked, decided or sent; what is under way is seen to its end";
  print({ json, value: { tenant, state }, lines: [`${tenant} ${what}`] });
}

/** Closes a suspended tenant for good. Throws `bad_request` where its id was not typed again, `not_found`, `in_progress`. */
export async function tenantClose(given: string, { yes, directory, json }: TenantOptions & { yes?: string }): Promise<void> {
  const tenant = checkedId("the tenant's id", given);
  if (yes !== tenant)
    throw new CountersignError(
      "bad_request",
      `this erases what \`${tenant}\` has and cannot be undone; type its id again: --yes ${tenant}`,
    );
  const closed = await withOwner(resolve(directory), (adminUrl) => closeTenant(adminUrl, tenant));
  const { payloads, accounts, keys, documents, wasClosed } = closed;
  print({
    json,
    value: { tenant, state: "closed", ...closed },
    lines: wasClosed
      ? [`${tenant} was closed before`]
      : [
          `closed ${tenant}: erased ${payloads} payloads, ${documents} documents, ${accounts} accounts and ${keys} keys; the tenant's key is destroyed`,
          "its ledger stays and verifies; backups made before hold what was erased until they are gone too",
        ],
  });
}
