import { sql } from "kysely";
import type { DemotionView } from "../../contract/autonomy.ts";
import type { Tx } from "../../store/database.ts";
import { numberAt, objectAt, textAt } from "../fields.ts";
import { parseBody } from "../parse-entry.ts";
import { readOr } from "../read-entry.ts";

/** Most that are listed; nothing but a list for people rests on them. */
const mostListed = 100;

/** What was taken back of a tenant's slices in a time, the newest hundred, newest first. An entry that cannot be read is left out. */
export async function readDemotions(
  tx: Tx,
  { tenant, from, until }: { readonly tenant: string; readonly from: number; readonly until: number },
): Promise<readonly DemotionView[]> {
  const { rows } = await sql<{ id: string; ts: string; body: string }>`
    select id, ts, body from countersign.entry
    where tenant = ${tenant} and decision_id is null and kind = 'expired' and ts >= ${from} and ts < ${until}
    order by ts desc limit ${mostListed}`.execute(tx);
  return rows.flatMap(({ id, ts, body }) => {
    const facts = readOr("mark", () => parseBody(body)) ?? {};
    const subject = objectAt(facts, "subject") ?? {};
    const [capability, slice, breach] = [textAt(subject, "capability"), textAt(subject, "slice"), textAt(facts, "breach")];
    if (capability === null || slice === null || breach === null) return [];
    const fromPpm = numberAt(facts, "fromPpm") ?? 0;
    return [{ capability, slice, breach, fromPpm, entryId: id, decisionId: textAt(facts, "of"), at: Number(ts) }];
  });
}
