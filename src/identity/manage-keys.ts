import { randomUUID } from "node:crypto";
import { CountersignError } from "../contract/errors.ts";
import { type KeyScope, keyScopes } from "../contract/identity.ts";
import { isId } from "../store/ids.ts";
import { asOwner } from "../store/owner.ts";
import { hashOfKey, newApiKey } from "./keys.ts";

/** One key as it stands; the key itself is kept nowhere. */
export interface ListedKey {
  readonly id: string;
  readonly tenant: string;
  readonly account: string;
  readonly scopes: readonly KeyScope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
}

/** The uses that an agent's key may have: it asks and reads, and nothing of a person's. */
export const agentScopes: readonly KeyScope[] = ["ask", "read"];

/**
 * Makes a key for an account and gives it, once; by default with every use that its kind of account may have. Throws `not_found`, and
 * `bad_request` for a use that an agent's key may not have.
 */
export function addKey(
  adminUrl: string,
  { tenant, account, scopes, days }: { tenant: string; account: string; scopes: readonly KeyScope[] | null; days: number | null },
): Promise<{ readonly id: string; readonly key: string; readonly scopes: readonly KeyScope[] }> {
  return asOwner(adminUrl, async (client) => {
    const found = await client.query<{ kind: string }>("select kind from account where tenant = $1 and id = $2", [
      tenant,
      account,
    ]);
    const kind = found.rows[0]?.kind;
    if (kind === undefined) throw new CountersignError("not_found", `there is no \`${account}\` at \`${tenant}\``);
    const most = kind === "agent" ? agentScopes : keyScopes;
    const given = scopes ?? most;
    const wrong = given.find((scope) => !most.includes(scope));
    if (wrong !== undefined)
      throw new CountersignError("bad_request", `an agent's key is for ${most.join(" and ")}, never for \`${wrong}\``);
    const [id, key] = [randomUUID(), newApiKey()];
    await client.query(
      `insert into api_key (id, tenant, account, hash, scopes, expires_at)
      values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(days => $6::integer))`,
      [id, tenant, account, hashOfKey(key), given, days],
    );
    return { id, key, scopes: given };
  });
}

/** Lists the keys of one tenant, or of all: the newest first. */
export function listKeys(adminUrl: string, { tenant }: { tenant: string | null }): Promise<readonly ListedKey[]> {
  return asOwner(adminUrl, async (client) => {
    const { rows } = await client.query<ListedKey>(
      `select id, tenant, account, scopes, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt",
        last_used_at as "lastUsedAt" from api_key where $1::text is null or tenant = $1 order by created_at desc, id`,
      [tenant],
    );
    return rows;
  });
}

/** Revokes a key, from the next request on; one that is revoked already stays so. Throws `not_found`. */
export function revokeKey(adminUrl: string, id: string): Promise<void> {
  return asOwner(adminUrl, async (client) => {
    const text = "update api_key set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = $1";
    const revoked = isId(id) ? await client.query(text, [id]) : { rowCount: 0 };
    if (revoked.rowCount === 0) throw new CountersignError("not_found", "there is no key of that id; see `countersign key list`");
  });
}
