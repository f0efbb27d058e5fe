import { randomBytes } from "node:crypto";
import pg from "pg";

/** Adds tenants that are not there yet, under the owner's login, and returns the ids of those that were added. Only set-up does this. */
export async function addTenants({
  adminUrl,
  tenants,
}: {
  adminUrl: string;
  tenants: readonly { readonly id: string; readonly name: string }[];
}): Promise<readonly string[]> {
  return asOwner(adminUrl, async (client) => {
    const added: string[] = [];
    for (const { id, name } of tenants) {
      const text = "insert into countersign.tenant (id, name, key_salt) values ($1, $2, $3) on conflict do nothing";
      if ((await client.query(text, [id, name, randomBytes(32)])).rowCount === 1) added.push(id);
    }
    return added;
  });
}

/** How many slices have been opened in all tenants, seen under the owner's login. */
export async function countOpenSlices({ adminUrl }: { adminUrl: string }): Promise<number> {
  return asOwner(adminUrl, async (client) => {
    const found = await client.query<{ count: number }>("select count(*)::int as count from countersign.slice");
    return found.rows[0]?.count ?? 0;
  });
}

/** Does `work` over one connection under the owner's login, and closes it. */
export async function asOwner<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: adminUrl,
    application_name: "countersign set-up",
    options: "-c search_path=countersign",
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
