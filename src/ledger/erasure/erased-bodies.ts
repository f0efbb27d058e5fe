import { sql } from "kysely";
import type { Tx } from "../../store/database.ts";
import { textAt, textsAt } from "../fields.ts";
import { parseBody } from "../parse-entry.ts";
import { readOr } from "../read-entry.ts";

/** The bodies that later entries say to be erased from an entry's payload, by name. */
export async function readErasedBodies(of: {
  readonly tx: Tx;
  readonly tenant: string;
  readonly decisionId: string;
  readonly entryId: string;
}): Promise<readonly string[]> {
  const { rows } = await sql<{ body: string }>`
    select body from countersign.entry
    where tenant = ${of.tenant} and decision_id = ${of.decisionId} and kind = 'erased' and kind not in ('decided', 'stopped')
      and cause = ${of.entryId}`.execute(of.tx);
  return rows.flatMap(({ body }) => {
    const facts = readOr("mark", () => parseBody(body)) ?? {};
    return textAt(facts, "part") === "inputs" ? textsAt(facts, "bodies") : [];
  });
}
