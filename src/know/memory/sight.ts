import { sql } from "kysely";
import type { KeptKind } from "../../contract/memory.ts";
import type { Tx } from "../../store/database.ts";

/** Looks at what is kept of one kind for a person, newest first: for who carried an effect out, never for who decides. */
export async function keptTexts(
  tx: Tx,
  asked: {
    readonly tenant: string;
    readonly of: KeptKind;
    readonly owner: string;
    readonly onBehalfOf: string | null;
    readonly about?: string;
  },
): Promise<readonly string[]> {
  const { tenant, of, owner, onBehalfOf, about } = asked;
  const { rows } = await sql<{ body: string }>`
    select body from memory where tenant = ${tenant} and kind = ${of} and owner = ${owner}
      and on_behalf_of is not distinct from ${onBehalfOf} and ${about === undefined ? sql`true` : sql`about = ${about}`}
    order by confirmed_at desc, id`.execute(tx);
  return rows.map(({ body }) => body);
}
