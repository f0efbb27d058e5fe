import { resolve } from "node:path";
import { addTenants } from "../store/owner.ts";
import { withOwner } from "./owner.ts";
import { checkedId, checkedName } from "./people-form.ts";
import { print } from "./print.ts";

/** Adds a tenant. Throws `bad_request` for an id or a name that cannot be one; one that is there already stays as it is. */
export async function tenantAdd(
  given: string,
  { name, directory, json }: { name: string; directory: string; json?: true },
): Promise<void> {
  const tenant = { id: checkedId("the tenant's id", given), name: checkedName(name) };
  const added = await withOwner(resolve(directory), (adminUrl) => addTenants({ adminUrl, tenants: [tenant] }));
  const isNew = added.length === 1;
  print({
    json,
    value: { tenant: tenant.id, isNew },
    lines: [
      isNew ? `added the tenant ${tenant.id}; add its people with \`countersign person add\`` : `${tenant.id} was there already`,
    ],
  });
}
