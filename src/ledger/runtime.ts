import { sql } from "kysely";
import type { DecisionRequest } from "../contract/decision.ts";
import type { RuntimeSource } from "../contract/ports.ts";
import type { OpenApproval, Runtime } from "../contract/runtime.ts";
import type { Database, Tx } from "../store/database.ts";
import { isUnanswered } from "./lists.ts";

/** Where an installation runs, and which switches are on. */
export type RuntimePlace = Pick<Runtime, "region" | "flags">;

/** So far back among the principal's own decisions is looked for those that wait, and so many are told. */
const mostScanned = 200;
const mostOpen = 20;

/**
 * Looks up what a request stands in the middle of, anew for each request: nothing is kept between turns or people. What waits for a
 * person is looked up within a session alone. `null` where there is nothing to say.
 */
export function openRuntime({ database, place }: { database: Database; place: RuntimePlace }): RuntimeSource {
  return {
    of: async (request) => {
      const { session = null, workflow = null } = request;
      const isAlone = session === null && workflow === null && place.region === null && place.flags.length === 0;
      if (isAlone) return null;
      const openApprovals = session === null ? null : await readOpen(database, request);
      return Object.freeze({ session, workflow, openApprovals, ...place });
    },
  };
}

function readOpen(database: Database, { principal }: DecisionRequest): Promise<readonly OpenApproval[]> {
  const { tenant, id, onBehalfOf } = principal;
  return database.inTenant(tenant, (tx) => readOpenApprovals(tx, { tenant, id, onBehalfOf }));
}

async function readOpenApprovals(
  tx: Tx,
  { tenant, id, onBehalfOf }: { tenant: string; id: string; onBehalfOf: string | null },
): Promise<readonly OpenApproval[]> {
  const { rows } = await sql<OpenApproval>`
    select asked.decision_id as "decisionId", decided.capability, decided.ts::float8 as at
    from (
      select decision_id from intent where tenant = ${tenant} and principal = ${id} and ended
      order by decision_id desc limit ${mostScanned}
    ) as asked
    join entry decided on decided.tenant = ${tenant} and decided.decision_id = asked.decision_id and decided.kind = 'decided'
      and decided.route in ('hitl_recommended', 'hitl_required')
    where (decided.body::json ->> 'onBehalfOf') is not distinct from ${onBehalfOf} and ${isUnanswered}
    order by asked.decision_id desc limit ${mostOpen}`.execute(tx);
  return rows;
}
