/** What must be so after a stretch of ours; a rate of work that was not done, or not recorded, is no rate. */

import { openPolicies } from "../../src/cli/open-policies.ts";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import { CountersignError } from "../../src/contract/errors.ts";
import { createDesk } from "../../src/desk.ts";
import { createHeadKeeper } from "../../src/ledger/head.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { systemClock } from "../../src/store/clock.ts";
import { approver, environment, tenant } from "./decisions.ts";
import type { Told } from "./system.ts";
import type { WorkPlace } from "./work-place.ts";

const policy = openPolicies();

/** Signs one decision the way a person does, at the desk; returns its id. */
export async function signAtDesk(place: WorkPlace, record: DecisionRecord | undefined): Promise<string> {
  if (record === undefined) throw unsound("there is no decision to sign at the desk");
  const { decisionId } = record.request;
  await place.deciding.inTenant(tenant, async (tx) => {
    await tx.insertInto("waiting").values({ tenant, decision_id: decisionId }).execute();
  });
  const { project, desk: database, deskKey, payloadKey, signing } = place;
  const desk = createDesk({ policy, project, database, clock: systemClock, ids: signing.ids, environment, deskKey, payloadKey });
  await desk.approve({ principal: approver, decisionId });
  return decisionId;
}

/** Throws `internal` unless `total` operations are complete and sent once, each with its entries, in a ledger that verifies. */
export async function checkWork(
  place: WorkPlace,
  { total, atDesk, told }: { total: number; atDesk: string | null; told: Told },
): Promise<void> {
  const { store } = place;
  const operations = await store.count("select count(*) from countersign.operation");
  if (operations !== total) throw unsound(`${total} operations were approved and ${operations} were begun`);
  if (told.applied !== total) throw unsound(`${total} operations reached the target ${told.applied} times`);
  const recorded = await store.count(recordedSql);
  if (recorded !== total)
    throw unsound(`of ${total} operations ${recorded} are complete, with one \`applied\` and an \`observed\` each`);
  const unlike = await store.count(`select count(*) from (${unlikeSql(atDesk)}) as unlike`);
  if (unlike !== 0) throw unsound("approvals that were written in bulk say something else than those of the desk");
  await checkLedger(place);
}

async function checkLedger({ acting: database, keys, headDirectory, workers }: WorkPlace): Promise<void> {
  // The heads that the workers keep are up to a second behind; without them the chain is checked from its first link on all the same.
  const headKeeper = createHeadKeeper({ directory: headDirectory, onError: () => {} });
  const { broken, unsealed, sealed } = await verifyLedger({ database, tenant, headKeeper, keys });
  if (broken !== null) throw unsound(`the ledger of ${workers.length} workers is broken: ${broken.fault} ${broken.detail}`);
  if (unsealed.count !== 0 || sealed === 0) throw unsound(`${unsealed.count} entries are not sealed`);
}

const entryOf = (kind: "applied" | "observed") =>
  `from countersign.entry e where e.tenant = o.tenant and e.decision_id = o.decision_id and e.kind = '${kind}'
     and e.body::json ->> 'operationId' = o.id::text`;

const recordedSql = `
  select count(*) from countersign.operation o where o.state = 'complete' and (select count(*) ${entryOf("applied")}) = 1
    and exists (select ${entryOf("observed")} and e.body::json ->> 'verdict' = 'complete')`;

/** The shapes of approvals and `approved` entries that are not also the desk's. */
function unlikeSql(atDesk: string | null): string {
  const shapes = (where: string) => `
    select e.kind, names(e.body::json) as entry, names(a.body::json) as signed, names(a.body::json -> 'subject') as subject
    from countersign.approval a join countersign.entry e on e.tenant = a.tenant and e.id = a.entry_id where ${where}`;
  const named = (sql: string) =>
    sql.replaceAll(/names\(([^)]*)\)/g, "(select string_agg(name, ' ') from json_object_keys($1) name)");
  return named(`${shapes(`a.decision_id <> '${atDesk}'`)} except ${shapes(`a.decision_id = '${atDesk}'`)}`);
}

function unsound(message: string): CountersignError {
  return new CountersignError("internal", message);
}
