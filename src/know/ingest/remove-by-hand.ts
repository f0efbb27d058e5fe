import { sql } from "kysely";
import type { Database } from "../../store/database.ts";
import type { DocumentKey, Library } from "./library.ts";

/**
 * Removes a document in all versions or in one, or all of a source with what is remembered of it; gives the versions that were there. A
 * source that is still declared is filed again by its next run.
 */
export async function removeByHand(
  { database, library }: { database: Database; library: Library },
  what: { readonly tenant: string } & (
    | { readonly document: string; readonly version: string | null }
    | { readonly source: string }
  ),
): Promise<readonly (DocumentKey & { readonly source: string | null })[]> {
  const { tenant } = what;
  return database.inTenant(tenant, async (tx) => {
    const which =
      "source" in what
        ? sql`source = ${what.source}`
        : sql`id = ${what.document} and (${what.version}::text is null or version = ${what.version})`;
    const { rows } = await sql<DocumentKey & { source: string | null }>`
      select id, version, source from document where tenant = ${tenant} and ${which} order by id collate "C", version collate "C"`.execute(
      tx,
    );
    for (const { id, version } of rows) await library.remove(tx, { tenant, id, version });
    if ("source" in what) await sql`delete from source where tenant = ${tenant} and name = ${what.source}`.execute(tx);
    else
      await sql`delete from source_file where tenant = ${tenant} and document_id = ${what.document}
        and (${what.version}::text is null or version = ${what.version})`.execute(tx);
    return rows;
  });
}
