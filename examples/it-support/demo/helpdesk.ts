import pg from "pg";

/** Counts the tickets of the help desk, or those of one device: what really happened in the world. */
export async function countTickets(adminUrl: string, device?: string): Promise<number> {
  return asAdministrator(adminUrl, async (client) => {
    const found = await client.query<{ count: number }>(
      "select count(*)::int as count from helpdesk.ticket where $1::text is null or (device = $1 and kind = 'replacement')",
      [device ?? null],
    );
    return found.rows[0]?.count ?? 0;
  });
}

/** Makes the help desk lose its next reply about a device: the ticket is committed, then the connection is ended. */
export async function loseNextReply(adminUrl: string, device: string): Promise<void> {
  await asAdministrator(adminUrl, async (client) => {
    await client.query(
      `insert into helpdesk.fault (depot, remaining)
       select depot, 1 from helpdesk.device where id = $1
       on conflict (depot) do update set remaining = 1`,
      [device],
    );
  });
}

async function asAdministrator<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: "demo" });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
