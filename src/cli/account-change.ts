import { resolve } from "node:path";
import { listAccounts, setAccountState, setRoles } from "../identity/manage-accounts.ts";
import { withOwner } from "./owner.ts";
import { checkedId, checkedRoles } from "./people-form.ts";
import { print } from "./print.ts";

interface ChangeOptions {
  readonly tenant: string;
  readonly directory: string;
  readonly json?: true;
}

/** Deactivates an account or lets it be used again, from the next request on. Throws `not_found`. */
export async function accountState(
  given: string,
  { state, ...options }: ChangeOptions & { state: "active" | "deactivated" },
): Promise<void> {
  const of = { tenant: checkedId("the tenant's id", options.tenant), id: checkedId("the id", given) };
  await withOwner(resolve(options.directory), (adminUrl) => setAccountState(adminUrl, { ...of, state }));
  print({ json: options.json, value: { ...of, state }, lines: [`${of.id} of ${of.tenant} is ${state} from now on`] });
}

/** Gives a person or an agent other roles, from the next request on. Throws `not_found`, `bad_request` for what cannot be a role. */
export async function personRoles(given: string, role: string, options: ChangeOptions): Promise<void> {
  const of = { tenant: checkedId("the tenant's id", options.tenant), id: checkedId("the id", given) };
  const roles = checkedRoles(role);
  await withOwner(resolve(options.directory), (adminUrl) => setRoles(adminUrl, { ...of, roles }));
  print({
    json: options.json,
    value: { ...of, roles },
    lines: [`${of.id} of ${of.tenant} has the roles ${roles.join(", ")} from now on`],
  });
}

/** Lists people and agents, of one tenant or of all. */
export async function personList({ tenant, directory, json }: Partial<ChangeOptions> & { directory: string }): Promise<void> {
  const of = { tenant: tenant === undefined ? null : checkedId("the tenant's id", tenant) };
  const accounts = await withOwner(resolve(directory), (adminUrl) => listAccounts(adminUrl, of));
  const line = ({ tenant: at, id, kind, name, onBehalfOf, roles, state }: (typeof accounts)[number]) =>
    `${at} ${id}: ${name}, ${kind}${onBehalfOf === null ? "" : ` for ${onBehalfOf}`} (${roles.join(", ")}), ${state}`;
  print({ json, value: { accounts }, lines: accounts.length === 0 ? ["nobody is known here yet"] : accounts.map(line) });
}
