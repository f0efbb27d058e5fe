import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { type KeyScope, keyScopes } from "../contract/identity.ts";
import { addKey, type ListedKey, listKeys, revokeKey } from "../identity/manage-keys.ts";
import { wholeOf } from "./amounts.ts";
import { withOwner } from "./owner.ts";
import { checkedId } from "./people-form.ts";
import { print } from "./print.ts";

interface KeyOptions {
  readonly directory: string;
  readonly json?: true;
}

/** Makes another key for an account and prints it, once. Throws `not_found`, `bad_request` for a use or a time that there is not. */
export async function keyAdd(
  given: string,
  { tenant, scopes, days, directory, json }: KeyOptions & { tenant: string; scopes?: string; days?: string },
): Promise<void> {
  const of = { tenant: checkedId("the tenant's id", tenant), account: checkedId("the id", given) };
  const wanted = {
    ...of,
    scopes: scopes === undefined ? null : scopesOf(scopes),
    days: days === undefined ? null : wholeOf("--days", days, 9_999),
  };
  const made = await withOwner(resolve(directory), (adminUrl) => addKey(adminUrl, wanted));
  const until = wanted.days === null ? "" : `, for ${wanted.days} days`;
  print({
    json,
    value: { ...of, ...made, days: wanted.days },
    lines: [
      `key ${made.id} for ${of.account} of ${of.tenant} (${made.scopes.join(", ")})${until}, good from now on`,
      `API key, shown once and kept nowhere: ${made.key}`,
    ],
  });
}

/** Lists keys by id, with when each was used last; of one tenant or of all. */
export async function keyList({ tenant, directory, json }: KeyOptions & { tenant?: string }): Promise<void> {
  const of = { tenant: tenant === undefined ? null : checkedId("the tenant's id", tenant) };
  const keys = await withOwner(resolve(directory), (adminUrl) => listKeys(adminUrl, of));
  print({ json, value: { keys }, lines: keys.length === 0 ? ["there is no key"] : keys.map(lineOf) });
}

/** Revokes a key, from the next request on; sessions that were begun with it end too. Throws `not_found`. */
export async function keyRevoke(id: string, { directory, json }: KeyOptions): Promise<void> {
  await withOwner(resolve(directory), (adminUrl) => revokeKey(adminUrl, id));
  print({ json, value: { id, isRevoked: true }, lines: [`the key ${id} is no good from now on`] });
}

function lineOf({ id, tenant, account, scopes, expiresAt, revokedAt, lastUsedAt }: ListedKey): string {
  const ends = expiresAt === null ? "" : `, expires ${expiresAt.toISOString()}`;
  const used = lastUsedAt === null ? "never used" : `last used ${lastUsedAt.toISOString().slice(0, 16)}Z`;
  const state = revokedAt === null ? "" : `, revoked ${revokedAt.toISOString()}`;
  return `${id} ${tenant} ${account} (${scopes.join(", ")}), ${used}${ends}${state}`;
}

function scopesOf(list: string): readonly KeyScope[] {
  const known = list.split(",").map((one) => keyScopes.find((scope) => scope === one.trim()));
  const given = known.flatMap((scope) => scope ?? []);
  if (given.length === known.length) return [...new Set(given)];
  throw new CountersignError("bad_request", `the uses of a key are ${keyScopes.join(", ")}, joined by commas`);
}
