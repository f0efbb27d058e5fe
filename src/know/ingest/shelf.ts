import { sql } from "kysely";
import type { Tx } from "../../store/database.ts";
import type { DocumentKey } from "./library.ts";

/** A version as it stands in the index. */
export interface ShelvedDocument extends DocumentKey {
  readonly contentHash: string;
  readonly scopes: readonly string[];
  /** Counted, not remembered. */
  readonly passages: number;
}

/** Reads what of a source stands in the index; with `null` what was filed by hand. */
export async function readShelf(
  tx: Tx,
  { tenant, source }: { tenant: string; source: string | null },
): Promise<readonly ShelvedDocument[]> {
  const { rows } = await sql<ShelvedDocument>`
    select d.id, d.version, d.content_hash as "contentHash", d.scopes,
      (select count(*)::int from passage p where p.tenant = d.tenant and p.document = d.number) as passages
    from document d where d.tenant = ${tenant} and d.source is not distinct from ${source}
    order by d.id collate "C", d.version collate "C"`.execute(tx);
  return rows;
}

/** The sources of all versions of a document, each once; `null` stands for those that were filed by hand. */
export async function readOwners(tx: Tx, { tenant, id }: { tenant: string; id: string }): Promise<readonly (string | null)[]> {
  const { rows } = await sql<{ source: string | null }>`
    select distinct source from document where tenant = ${tenant} and id = ${id}`.execute(tx);
  return rows.map(({ source }) => source);
}

/** A key as one word: ids and versions hold no `@`. */
export function keyText({ id, version }: DocumentKey): string {
  return `${id}@${version}`;
}
