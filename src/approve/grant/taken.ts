import { CountersignError } from "../../contract/errors.ts";
import type { Taken } from "../../contract/views.ts";
import type { Tx } from "../../store/database.ts";
import type { Answering } from "./answering.ts";

/** Refuses with `taken`, naming who and until when, an answer to what somebody else has taken up. The claim's row must be locked. */
export async function refuseTaken({ tx, principal, decisionId, now }: Answering): Promise<void> {
  const taken = (await readTaken({ tx, tenant: principal.tenant, decisionIds: [decisionId], now })).get(decisionId);
  if (taken === undefined || taken.by === principal.id) return;
  const facts = { by: taken.by, until: new Date(taken.until).toISOString() };
  throw new CountersignError("taken", `\`${taken.by}\` has taken it up; wait until it is answered or released`, { facts });
}

/** Who has which of these decisions to themselves at this time of the store; whose time has run out has it no more. */
export async function readTaken({
  tx,
  tenant,
  decisionIds,
  now,
}: {
  tx: Tx;
  tenant: string;
  decisionIds: readonly string[];
  now: number;
}): Promise<ReadonlyMap<string, Taken>> {
  if (decisionIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom("claim")
    .select(["decision_id", "principal", "until"])
    .where("tenant", "=", tenant)
    .where("decision_id", "in", [...decisionIds])
    .where("until", ">", new Date(now))
    .execute();
  return new Map(
    rows.flatMap(({ decision_id, principal, until }) =>
      principal === null || until === null ? [] : [[decision_id, { by: principal, until: until.getTime() }]],
    ),
  );
}

/** Gives the decision to this principal until then. The claim's row must be locked. */
export async function setTaken({ tx, principal: { tenant, id }, decisionId }: Answering, until: number): Promise<void> {
  await tx
    .updateTable("claim")
    .set({ principal: id, until: new Date(until) })
    .where("tenant", "=", tenant)
    .where("decision_id", "=", decisionId)
    .execute();
}

/** Ends what this principal had to themselves; what somebody else has taken up stays theirs. */
export async function endTaken({ tx, principal: { tenant, id }, decisionId }: Answering): Promise<void> {
  await tx
    .updateTable("claim")
    .set({ principal: null, until: null })
    .where("tenant", "=", tenant)
    .where("decision_id", "=", decisionId)
    .where("principal", "=", id)
    .execute();
}
