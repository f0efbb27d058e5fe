import { type RawBuilder, sql } from "kysely";
import type { Principal } from "../../contract/principal.ts";
import type { Tx } from "../../store/database.ts";
import type { CaseRunRow } from "../../store/tables.ts";

/** Which cases are listed. */
export interface CasesListed {
  readonly principal: Principal;
  /** Of one name alone. */
  readonly name: string | null;
  readonly state: CaseRunRow["state"] | null;
  /** Those before this one in the order of their beginning. */
  readonly after: string | null;
  readonly limit: number;
  /** Names of cases of which all are listed. */
  readonly told: readonly string[] | "all";
}

/** Cases of a tenant, newest first, without those that are parts of others: this principal's own, and those of the names told. */
export async function listRuns(tx: Tx, listing: CasesListed): Promise<readonly CaseRunRow[]> {
  const { principal, name, state, after, limit, told } = listing;
  const eyes = principal.onBehalfOf ?? principal.id;
  const isOf = sql`run.tenant = ${principal.tenant} and run.parent_id is null
    ${name === null ? sql`` : sql`and run.case_name = ${name}`} ${state === null ? sql`` : sql`and run.state = ${state}`}
    ${after === null ? sql`` : sql`and run.id < ${after}`}`;
  // Each branch walks an index of its own from its end, so that none of them goes through what others began.
  const newest = (which: RawBuilder<unknown>) =>
    sql`(select run.* from countersign.case_run run where ${isOf} and ${which} order by run.id desc limit ${limit})`;
  const named = told === "all" ? [] : told.filter((one) => name === null || one === name);
  const branches =
    told === "all"
      ? [newest(sql`true`)]
      : [
          newest(sql`run.started_by = ${eyes}`),
          newest(sql`run.on_behalf_of = ${eyes}`),
          ...named.map((one) => newest(sql`run.case_name = ${one}`)),
        ];
  const { rows } = await sql<CaseRunRow>`
    select * from (${sql.join(branches, sql` union `)}) found order by id desc limit ${limit}`.execute(tx);
  return rows;
}
