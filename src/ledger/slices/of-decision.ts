import { sql } from "kysely";
import type { SliceName } from "../../contract/ports.ts";
import type { Tx } from "../../store/database.ts";
import { textAt } from "../fields.ts";
import { parseBody } from "../parse-entry.ts";
import { readOr } from "../read-entry.ts";

/** The slice that a decision is of, by its entry alone; `null` where there is no such decision, or its entry cannot be read. */
export async function sliceOfDecision(
  tx: Tx,
  { tenant, decisionId }: { readonly tenant: string; readonly decisionId: string },
): Promise<SliceName | null> {
  const { rows } = await sql<{ body: string; capability: string | null }>`
    select body, capability from countersign.entry
    where tenant = ${tenant} and decision_id = ${decisionId} and kind = 'decided'`.execute(tx);
  const body = readOr("mark", () => parseBody(rows[0]?.body ?? "")) ?? {};
  const [capability, capabilityVersion, slice] = [
    rows[0]?.capability ?? null,
    textAt(body, "capabilityVersion"),
    textAt(body, "slice"),
  ];
  if (capability === null || capabilityVersion === null || slice === null) return null;
  return { tenant, capability, capabilityVersion, slice };
}
