import { rebuildByHand } from "../ingest.ts";
import { type IndexOptions, tenantMeant, withIndex } from "./index-place.ts";
import { print } from "./print.ts";

/** Makes the index of one tenant, or of all, anew from the texts that are kept. Throws `not_found` for a tenant that there is not. */
export async function indexRebuild(options: IndexOptions): Promise<void> {
  const rebuilt = await withIndex(options, async (database) => {
    const ids = options.tenant === undefined ? await database.tenants() : [await tenantMeant(database, options)];
    const done: { readonly tenant: string; readonly documents: number }[] = [];
    for (const tenant of ids) done.push({ tenant, documents: await rebuildByHand(database, { tenant }) });
    return done;
  });
  print({
    json: options.json,
    value: { rebuilt },
    lines: rebuilt.map(({ tenant, documents }) => `${tenant}: the index of ${documents} documents is made anew`),
  });
}
