import { asOwner } from "../../store/owner.ts";
import type { Stored } from "./inventory.ts";

/** The models that decisions of the last 30 days asked, and the capabilities of which stored requests wait; of all tenants, under the owner's login. */
export function readStored(adminUrl: string): Promise<Stored> {
  return asOwner(adminUrl, async (client) => {
    const asked = await client.query<{ model: string }>(
      "select distinct model from spend where ts > (extract(epoch from clock_timestamp() - interval '30 days') * 1000)::bigint order by model",
    );
    const wanted = await client.query<{ capability: string }>(
      "select distinct capability from wanted where state = 'waiting' order by capability",
    );
    return { asked: asked.rows.map(({ model }) => model), wanted: wanted.rows.map(({ capability }) => capability) };
  });
}
