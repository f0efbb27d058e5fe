import { sql } from "kysely";
import type { JsonObject } from "../../contract/json.ts";
import type { SliceName } from "../../contract/ports.ts";
import type { Tx } from "../../store/database.ts";
import { parseBody } from "../parse-entry.ts";
import { readOr } from "../read-entry.ts";

/** A place in the settled order: of entries up to it none can appear any more. */
export interface SeenPlace {
  readonly xid: string;
  readonly n: string;
}

/** A decision of a slice's capability, or what a person said of one. */
export interface SeenEntry {
  readonly id: string;
  readonly decisionId: string;
  readonly kind: "decided" | "approved" | "rejected" | "corrected";
  readonly body: JsonObject;
  /** The decision that was answered; `null` for a decision itself. */
  readonly decided: JsonObject | null;
}

/** Most entries of one look; the rest comes with the next. */
const mostInLook = 500;

/**
 * Reads, in the settled order, the decisions of a slice's capability that would change something and what people answered them, from after a
 * place on; and how far that was. A first look, and one at a place that this server has not reached, begins with what comes from now on.
 */
export async function readSeen(
  tx: Tx,
  { slice: { tenant, capability }, after }: { slice: SliceName; after: SeenPlace },
): Promise<{ readonly entries: readonly SeenEntry[]; readonly place: SeenPlace }> {
  const { rows: ends } = await sql<{ oldest: string; is_known: boolean }>`
    select pg_snapshot_xmin(snapshot)::text as oldest, ${after.xid}::xid8 <= pg_snapshot_xmax(snapshot) as is_known
    from pg_current_snapshot() snapshot`.execute(tx);
  const oldest = ends[0]?.oldest ?? "0";
  if (after.xid === "0" || ends[0]?.is_known !== true) return { entries: [], place: { xid: oldest, n: "0" } };
  const { rows } = await sql<Row>`
    select entry.id, entry.decision_id as "decisionId", entry.kind, entry.xid::text as xid, entry.n::text as n, entry.body, decided.body as decided
    from countersign.entry left join countersign.entry decided on entry.kind <> 'decided' and decided.tenant = entry.tenant
      and decided.decision_id = entry.decision_id and decided.kind = 'decided' and decided.capability = ${capability}
    where entry.tenant = ${tenant} and (entry.xid, entry.n) > (${after.xid}::xid8, ${after.n}::bigint) and entry.xid < ${oldest}::xid8
      and ((entry.kind = 'decided' and entry.capability = ${capability} and entry.effects > 0)
        or (entry.kind in ('approved', 'rejected', 'corrected') and entry.writer = 'desk' and decided.body is not null))
    order by entry.xid, entry.n limit ${mostInLook}`.execute(tx);
  const last = rows.length === mostInLook ? rows.at(-1) : undefined;
  const place = last === undefined ? { xid: oldest, n: "0" } : { xid: last.xid, n: last.n };
  return { entries: rows.flatMap(entryOf), place };
}

type Row = Pick<SeenEntry, "id" | "decisionId" | "kind"> & SeenPlace & { readonly body: string; readonly decided: string | null };

/** What cannot be read says nothing. */
function entryOf({ id, decisionId, kind, body, decided }: Row): readonly SeenEntry[] {
  const read = readOr("mark", () => parseBody(body));
  const of = decided === null ? null : readOr("mark", () => parseBody(decided));
  return read === null || (decided !== null && of === null) ? [] : [{ id, decisionId, kind, body: read, decided: of }];
}
