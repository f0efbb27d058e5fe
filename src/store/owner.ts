import pg from "pg";

/** Adds tenants that are not there yet, under the owner's login. Only set-up does this. */
export async function addTenants({
  adminUrl,
  tenants,
}: {
  adminUrl: string;
  tenants: readonly { readonly id: string; readonly name: string }[];
}): Promise<void> {
  await asOwner(adminUrl, async (client) => {
    for (const { id, name } of tenants) {
      await client.query("insert into countersign.tenant (id, name) values ($1, $2) on conflict do nothing", [id, name]);
    }
  });
}

/** How many slices have been opened in all tenants, seen under the owner's login. */
export async function countOpenSlices({ adminUrl }: { adminUrl: string }): Promise<number> {
  return asOwner(adminUrl, async (client) => {
    const found = await client.query<{ count: number }>("select count(*)::int as count from countersign.slice");
    return found.rows[0]?.count ?? 0;
  });
}

async function asOwner<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "countersign set-up" });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
