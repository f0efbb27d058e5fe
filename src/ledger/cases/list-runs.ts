import type { Principal } from "../../contract/principal.ts";
import type { Tx } from "../../store/database.ts";
import type { CaseRunRow } from "../../store/tables.ts";

/** Cases of a tenant, newest first, without those that are parts of others: this principal's own, and those of the names told. */
export async function listRuns(
  tx: Tx,
  listing: {
    readonly principal: Principal;
    /** Of one name alone. */
    readonly name: string | null;
    readonly limit: number;
    /** Names of cases of which all are listed. */
    readonly told: readonly string[] | "all";
  },
): Promise<readonly CaseRunRow[]> {
  const { principal, name, limit, told } = listing;
  const eyes = principal.onBehalfOf ?? principal.id;
  let query = tx.selectFrom("case_run").selectAll().where("tenant", "=", principal.tenant).where("parent_id", "is", null);
  if (name !== null) query = query.where("case_name", "=", name);
  if (told !== "all")
    query = query.where((where) =>
      where.or([
        where("started_by", "=", eyes),
        where("on_behalf_of", "=", eyes),
        ...(told.length === 0 ? [] : [where("case_name", "in", [...told])]),
      ]),
    );
  return query.orderBy("id", "desc").limit(limit).execute();
}
