import { createHash, randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { FirstOwner } from "../contract/identity.ts";
import type { Database } from "../store/database.ts";
import { asOwner } from "../store/owner.ts";
import { hashOfKey, newApiKey } from "./keys.ts";

const goodForMinutes = 15;

/**
 * Makes the one-time invitation of the first owner, good for 15 minutes, and gives its word, of which a hash is kept; `null` where there
 * is an account already. An invitation of before is good no more.
 */
export function inviteFirstOwner(adminUrl: string): Promise<string | null> {
  return asOwner(adminUrl, async (client) => {
    const word = randomBytes(32).toString("base64url");
    const made = await client.query(
      `with gone as (delete from invitation)
      insert into invitation (hash, expires_at) select $1, clock_timestamp() + make_interval(mins => $2)
      where not exists (select from account)`,
      [hashOfWord(word), goodForMinutes],
    );
    return made.rowCount === 1 ? word : null;
  });
}

/** Makes the first owner under the role `desk`, where the invitation is good and nobody else was first. */
export function openFirstOwner(database: Database): FirstOwner {
  return async ({ word, tenant, person }) => {
    const key = newApiKey();
    const { rows } = await database.untenanted((store) =>
      sql<{
        is_made: boolean;
      }>`select countersign.accept_invitation(${hashOfWord(word)}, ${tenant.id}, ${tenant.name}, ${randomBytes(32)},
        ${person.id}, ${person.name}, ${randomUUID()}, ${hashOfKey(key)}) as is_made`.execute(store),
    );
    return rows[0]?.is_made === true ? key : undefined;
  };
}

function hashOfWord(word: string): Buffer {
  return createHash("sha256").update(word).digest();
}
