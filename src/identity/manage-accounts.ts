import { randomUUID } from "node:crypto";
import pg from "pg";
import { CountersignError } from "../contract/errors.ts";
import { type AllowLists, everything } from "../contract/principal.ts";
import { asOwner } from "../store/owner.ts";

/** An account as the installation's operator names it. */
export interface NewAccount {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  /** Of an agent: the person for whom it asks. */
  readonly onBehalfOf: string | null;
  /** As whom an identity provider knows it. */
  readonly external?: { readonly issuer: string; readonly subject: string } | null;
  readonly allow?: AllowLists;
}

/** One account as it stands. */
export interface ListedAccount {
  readonly tenant: string;
  readonly id: string;
  readonly kind: "person" | "agent";
  readonly name: string;
  readonly onBehalfOf: string | null;
  readonly roles: readonly string[];
  readonly state: "active" | "deactivated";
}

/**
 * Adds an account, which is there at once. Throws `not_found` where the tenant, or the person that an agent asks for, is not there, and
 * `bad_request` for an id or a subject that is taken.
 */
export function addAccount(adminUrl: string, account: NewAccount): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    await checkTenantOpen(client, account.tenant);
    if (account.onBehalfOf !== null) await checkPerson(client, { tenant: account.tenant, id: account.onBehalfOf });
    const { external = null, allow = everything } = account;
    try {
      await client.query(
        `insert into account (tenant, id, kind, name, on_behalf_of, roles, allow, external_issuer, external_subject)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          ...[account.tenant, account.id, account.onBehalfOf === null ? "person" : "agent", account.name, account.onBehalfOf],
          ...[account.roles, JSON.stringify(allow), external?.issuer ?? null, external?.subject ?? null],
        ],
      );
    } catch (thrown) {
      throw isTaken(thrown) ? taken(account, thrown) : thrown;
    }
  });
}

/** Gives an account other roles, from the next request on. Throws `not_found`. */
export function setRoles(adminUrl: string, { tenant, id, roles }: Pick<NewAccount, "tenant" | "id" | "roles">): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    const changed = await client.query("update account set roles = $3 where tenant = $1 and id = $2", [tenant, id, roles]);
    if (changed.rowCount === 0) throw noAccount({ tenant, id });
  });
}

/** Deactivates an account, or lets it be used again, from the next request on; the agents of a person with it. Throws `not_found`. */
export function setAccountState(
  adminUrl: string,
  { tenant, id, state }: { tenant: string; id: string; state: ListedAccount["state"] },
): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    const changed = await client.query("update account set state = $3 where tenant = $1 and id = $2", [tenant, id, state]);
    if (changed.rowCount === 0) throw noAccount({ tenant, id });
  });
}

/** Lists the accounts of one tenant, or of all, by tenant and id. */
export function listAccounts(adminUrl: string, { tenant }: { tenant: string | null }): Promise<readonly ListedAccount[]> {
  return asOwner(adminUrl, async (client) => {
    const { rows } = await client.query<ListedAccount>(
      `select tenant, id, kind, name, on_behalf_of as "onBehalfOf", roles, state from account
      where $1::text is null or tenant = $1 order by tenant, id`,
      [tenant],
    );
    return rows;
  });
}

/**
 * Puts people in place who are kept elsewhere, each with their key where they have one. Where they are there already, names and roles
 * follow if `follows`.
 */
export function putPeople(
  adminUrl: string,
  {
    people,
    follows,
  }: {
    people: readonly (Pick<NewAccount, "tenant" | "id" | "name" | "roles"> & { readonly keyHash: Buffer | null })[];
    follows: boolean;
  },
): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    for (const { tenant, id, name, roles, keyHash } of people) {
      await client.query(
        `insert into account (tenant, id, kind, name, roles) select $1, $2, 'person', $3, $4
        where exists (select from tenant where tenant.id = $1 and state <> 'closed')
        on conflict (tenant, id) do update set name = excluded.name, roles = excluded.roles where $5`,
        [tenant, id, name, roles, follows],
      );
      if (keyHash === null) continue;
      await client.query(
        `insert into api_key (id, tenant, account, hash, scopes) select $1, $2, $3, $4, array['ask', 'read', 'review', 'sign', 'admin']
        where exists (select from account where account.tenant = $2 and account.id = $3) on conflict do nothing`,
        [randomUUID(), tenant, id, keyHash],
      );
    }
  });
}

/** Refuses a tenant that is not there, or is closed. Throws `not_found`. */
async function checkTenantOpen(client: pg.Client, tenant: string): Promise<void> {
  const found = await client.query("select from tenant where id = $1 and state <> 'closed'", [tenant]);
  if (found.rowCount === 1) return;
  throw new CountersignError("not_found", `there is no open tenant \`${tenant}\`; add it with \`countersign tenant add\``);
}

async function checkPerson(client: pg.Client, { tenant, id }: { tenant: string; id: string }): Promise<void> {
  const found = await client.query("select from account where tenant = $1 and id = $2 and kind = 'person'", [tenant, id]);
  if (found.rowCount === 1) return;
  throw new CountersignError("not_found", `there is no person \`${id}\` at \`${tenant}\` for whom an agent could ask`);
}

function noAccount({ tenant, id }: { tenant: string; id: string }): CountersignError {
  return new CountersignError("not_found", `there is no \`${id}\` at \`${tenant}\`; see \`countersign person list\``);
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError && thrown.code === "23505";
}

function taken({ tenant, id }: NewAccount, cause: unknown): CountersignError {
  const message = `\`${id}\` of \`${tenant}\`, or the subject, is known already; name another one`;
  return new CountersignError("bad_request", message, { cause });
}
