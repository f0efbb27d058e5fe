import { sql } from "kysely";
import { cutTo } from "../contract/delegation.ts";
import { type AllowLists, allowListsSchema, nothing, type Principal } from "../contract/principal.ts";
import type { Tx } from "../store/database.ts";

/** The accounts of a tenant as they stand in one transaction, each looked up once. */
export interface Accounts {
  /** Looks several up in one query. Those that are asked for without it are looked up one by one. */
  readonly load: (ids: readonly string[]) => Promise<void>;
  /**
   * Somebody as they are now, with the roles and lists of their account by now; of an agent cut to its person's. `null` where the account,
   * or that of the person who was asked for, is not there or not active.
   */
  readonly now: (known: Principal) => Promise<Principal | null>;
}

/**
 * Where people's roles stand. `provider`: those of whoever an identity provider knows were said by it when they signed in, and stand in
 * no table; they are taken as they were, and nothing but the account's state is looked up.
 */
export type RolesFrom = "account" | "provider";

/** Opens the accounts of a tenant for one transaction of the role `acting`. */
export function openAccounts({ tx, tenant, rolesFrom }: { tx: Tx; tenant: string; rolesFrom: RolesFrom }): Accounts {
  const known = new Map<string, AccountNow | null>();
  const load: Accounts["load"] = async (ids) => {
    const missing = [...new Set(ids)].filter((id) => !known.has(id));
    if (missing.length === 0) return;
    for (const id of missing) known.set(id, null);
    const { rows } = await sql<AccountNow>`select * from countersign.accounts_now(${tenant}, ${missing}::text[])`.execute(tx);
    for (const row of rows) known.set(row.id, row);
  };
  return {
    load,
    now: async (principal) => {
      const { id, onBehalfOf } = principal;
      await load(onBehalfOf === null ? [id] : [id, onBehalfOf]);
      const account = known.get(id) ?? null;
      const person = onBehalfOf === null ? null : (known.get(onBehalfOf) ?? null);
      if (account === null || (onBehalfOf !== null && person?.on_behalf_of !== null)) return null;
      return asNow(principal, { account, rolesFrom });
    },
  };
}

/** A row of `accounts_now`. The lists are read where they are used, so that those of one account spoil no other. */
interface AccountNow {
  readonly id: string;
  readonly on_behalf_of: string | null;
  readonly roles: readonly string[];
  readonly allow: unknown;
  readonly is_external: boolean;
  readonly person_roles: readonly string[] | null;
  readonly person_allow: unknown;
}

function asNow(principal: Principal, { account, rolesFrom }: { account: AccountNow; rolesFrom: RolesFrom }): Principal {
  const isAgent = account.on_behalf_of !== null;
  const isToldElsewhere = rolesFrom === "provider" && account.is_external && !isAgent;
  const own = { roles: isToldElsewhere ? principal.roles : account.roles, allow: listsOf(account.allow) };
  const most = { roles: account.person_roles ?? [], allow: listsOf(account.person_allow) };
  return { ...principal, onBehalfOf: principal.onBehalfOf ?? account.on_behalf_of, ...(isAgent ? cutTo(own, most) : own) };
}

/** What cannot be read as lists limits to nothing. */
function listsOf(value: unknown): AllowLists {
  return allowListsSchema.safeParse(value).data ?? nothing;
}
