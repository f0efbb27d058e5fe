// Transaction numbers are a server's own and mean nothing on another one: entries are numbered anew in their settled order, all under the
// transaction that loads them, and what points into that order is moved with it.
import { sql } from "kysely";
import type { ColumnsInstead } from "../../store/backup/copied-tables.ts";
import type { Tx } from "../../store/database.ts";
import type { SeenPlace } from "../slices/read-seen.ts";

/** One of the two numbers of the place in what was seen of a slice (`watch-form.ts`); null where there is none. */
const seenAt = (part: keyof SeenPlace): string => `substring(watch::jsonb ->> '${part}' from '^[0-9]{1,18}$')`;
const upTo = (xid: string, n: string): string =>
  `(select count(*) from countersign.entry where (entry.xid, entry.n) <= (${xid}, ${n}))`;

/** What a backup holds in place of numbers that mean nothing elsewhere: the count of entries up to a place. */
export const placesInstead: ColumnsInstead = {
  entry: { n: "row_number() over (order by xid, n)" },
  progress: { xid: "'0'::xid8", n: upTo("progress.xid", "progress.n") },
  slice: {
    watch: `case when watch is json object
      then (watch::jsonb || jsonb_build_object('xid', '0', 'n', ${upTo(`${seenAt("xid")}::xid8`, `${seenAt("n")}::bigint`)}::text))::text
      else watch end`,
  },
  // An allotment that was being closed is closed again, once what was open then has ended.
  allotment: { closing_xid: "null::xid8" },
};

/** Moves what points into the order of entries under the loading transaction. */
export async function settlePlaces(tx: Tx): Promise<void> {
  await sql`update countersign.progress set xid = pg_current_xact_id()`.execute(tx);
  await sql`
    update countersign.slice set watch = (watch::jsonb || jsonb_build_object('xid', pg_current_xact_id()::text))::text
    where case when watch is json object then watch::jsonb ->> 'n' ~ '^[1-9]' else false end`.execute(tx);
}
