/** Every gold write that the original accepts, three times over: over a record that changed, submitted twice, and asked for once more. */
import type { JsonObject } from "../../src/contract/json.ts";
import type { Changes } from "./book.ts";
import type { House } from "./house.ts";
import type { DomainSet } from "./read-set.ts";
import { isAsExpected, openRuns, type Run, type Step, waveOf, wavesOf, worldOf } from "./runs.ts";
import { putDocuments, readPaths } from "./sandbox.ts";
import { targetOf } from "./scope.ts";
import { answer, inLanes, look, type Session, submit } from "./session.ts";
import { type Tally, tallyOf } from "./tally.ts";

/** What became of writes that must not be made, or not again. */
export interface Safety {
  /** Signed, and the record changed before it was made: refused as stale, with nothing written. */
  readonly stale: Tally;
  /** Sent twice under the client's key: the same decision. */
  readonly sameClientKey: Tally;
  /** Two proposals of the same change of the same state, both signed: both are told it is done, and it was made once. */
  readonly sameBusinessKey: Tally;
  /** Asked for once more afterwards: refused by the contract, or a new question to a person who says no; nothing is written. */
  readonly again: Tally;
  /** Of those: how many the contract refused, and how many a person was asked about. */
  readonly againRefused: number;
  readonly againAsked: number;
  /** After all of it the tasks stand where they must. */
  readonly tasks: Tally;
}

/** Replays every task of one business in this way. */
export async function measureSafety(house: House, set: DomainSet): Promise<Safety> {
  const runs = await openRuns(house, set, "s");
  const results: Result[] = [];
  for (const wave of wavesOf(runs)) {
    const accepted = waveOf(runs, wave).filter(({ step }) => step.isAccepted);
    const stale = await overChangedRecords(house, accepted);
    const twice = await twiceSigned(house, { set, steps: accepted });
    for (const [place, { step }] of accepted.entries()) {
      const after = twice[place];
      if (after !== undefined) results.push({ id: step.id, isStale: stale[place] === true, ...after });
    }
  }
  const reached = await inLanes(runs, async (run) => ({
    id: run.task.id,
    isRight: await isAsExpected(house, { original: set.original, run }),
  }));
  return {
    stale: tallyOf(results, ({ id, isStale }) => [id, isStale]),
    sameClientKey: tallyOf(results, ({ id, isSameDecision }) => [id, isSameDecision]),
    sameBusinessKey: tallyOf(results, ({ id, isMadeOnce }) => [id, isMadeOnce]),
    again: tallyOf(results, ({ id, isUnchanged }) => [id, isUnchanged]),
    againRefused: results.filter(({ again }) => again === "refused").length,
    againAsked: results.filter(({ again }) => again === "rejected").length,
    tasks: tallyOf(reached, ({ id, isRight }) => [id, isRight]),
  };
}

interface Result extends Twice {
  readonly id: string;
  readonly isStale: boolean;
}

interface Place {
  readonly run: Run;
  readonly step: Step;
}

async function overChangedRecords(house: House, steps: readonly Place[]): Promise<boolean[]> {
  const signed = await inLanes(steps, async ({ run: { session }, step: { asked } }) => {
    const view = await submit(house.decider, { session, asked });
    if (view.state === "waiting") await answer(house, { session, decisionId: view.id, gold: asked });
    const path = targetOf(asked);
    const [record] = await readPaths(house.admin, { world: session.tenant, paths: [path] });
    const body = record?.body ?? {};
    await put(house, { session, changes: new Map([[path, changedRecord(path, body)]]) });
    return { session, decisionId: view.id, record: new Map([[path, body]]), requests: await requestsOf(house, session) };
  });
  await house.worker.runOnce();
  return inLanes(signed, async ({ session, decisionId, record, requests }) => {
    const { effects } = await look(house, session, decisionId);
    const isUnsent = (await requestsOf(house, session)) === requests;
    await put(house, { session, changes: record });
    return effects[0]?.refusedCode === "stale_before_state" && isUnsent;
  });
}

/** Somebody else was there: an order has gone out, a reservation is cancelled, a customer has moved. */
function changedRecord(path: string, body: JsonObject): JsonObject {
  if (path.startsWith("orders/")) return { ...body, status: "processed" };
  if (path.startsWith("reservations/")) return { ...body, status: "cancelled" };
  return { ...body, email: "moved@example.com" };
}

interface Twice {
  readonly isSameDecision: boolean;
  readonly isMadeOnce: boolean;
  readonly again: "refused" | "signed" | "rejected";
  readonly isUnchanged: boolean;
}

async function twiceSigned(house: House, { set, steps }: { set: DomainSet; steps: readonly Place[] }): Promise<Twice[]> {
  const proposed = await inLanes(steps, async ({ run: { session }, step: { id, asked } }) => {
    const requests = await requestsOf(house, session);
    const first = await submit(house.decider, { session, asked, key: id });
    const repeated = await submit(house.decider, { session, asked, key: id });
    const second = await submit(house.decider, { session, asked });
    const ids = [first.id, second.id];
    for (const decisionId of ids) await answer(house, { session, decisionId, gold: asked });
    return { session, asked, ids, requests, isSameDecision: repeated.id === first.id };
  });
  await house.worker.runOnce();
  return inLanes(proposed, async ({ session, asked, ids, requests, isSameDecision }) => {
    const states = await Promise.all(ids.map(async (id) => (await look(house, session, id)).effects[0]?.state));
    const isMadeOnce = states.every((state) => state === "complete") && (await requestsOf(house, session)) === requests + 1;
    const stateOf = async () => (await worldOf(house, { original: set.original, tenant: session.tenant })).hash();
    const before = await stateOf();
    const view = await submit(house.decider, { session, asked });
    const again = view.state === "waiting" ? await answer(house, { session, decisionId: view.id, gold: null }) : "refused";
    return { isSameDecision, isMadeOnce, again, isUnchanged: again !== "signed" && (await stateOf()) === before };
  });
}

/** How many changes the sandbox has carried out in the world of a session. */
async function requestsOf({ admin }: House, { tenant }: Session): Promise<number> {
  const { rows } = await admin.query<{ count: number }>("select count(*)::int from sandbox.request where world = $1", [tenant]);
  return rows[0]?.count ?? 0;
}

async function put({ admin }: House, { session, changes }: { session: Session; changes: Changes }): Promise<void> {
  await putDocuments(admin, { world: session.tenant, changes });
}
