import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectorsOf } from "../../src/act/autonomy/connectors-of.ts";
import { limits } from "../../src/contract/limits.ts";
import { neverAutoPpm } from "../../src/contract/words.ts";
import { defineConnector, recordSource } from "../../src/define/connector.ts";
import { House, people } from "./acting/house.ts";
import { sampleHands, sampleProject } from "./acting/project.ts";
import { type ChildWorker, spawnWorker } from "./acting/spawn.ts";
import { spoilTickets } from "./acting/spoil.ts";

// A slice comes down by the commit that shows why, and by nobody else's.
let house: House;
const children: ChildWorker[] = [];
beforeAll(async () => {
  house = await House.build();
  await spoilTickets(house);
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await house?.close();
});
afterEach(() => {
  house.aheadMs = 0;
});

const { ada, oda } = people;
const opening = { principal: oda, capability: "tickets", slice: "all" };

async function openAll(thresholdPpm = 850_000): Promise<void> {
  await house.desk().openSlice({ ...opening, thresholdPpm });
  expect(await house.worker().runOnce()).toMatchObject({ slices: 1 });
}

/** A decision to close a ticket that is there, which goes alone. */
async function closing(name: string, how: { basis?: string; approvedBy?: typeof ada } = {}): Promise<string> {
  await house.admin.query("insert into sandbox.ticket (name, note, status, sent) values ($1, 'n', 'open', '')", [name]);
  const route = how.approvedBy === undefined ? "auto" : "hitl_required";
  const decisionId = await house.decide({ changes: [house.closing(name)], route, ...how });
  if (how.approvedBy !== undefined) await house.desk().approve({ principal: how.approvedBy, decisionId });
  return decisionId;
}

async function threshold(): Promise<number | undefined> {
  const { rows } = await house.admin.query<{ ppm: number }>(
    "select threshold_ppm as ppm from countersign.slice where slice = 'all'",
  );
  return rows[0]?.ppm;
}

/** The entry of the newest demotion, with the transaction that wrote it. */
async function demotion() {
  const { rows } = await house.admin.query<{ id: string; cause: string; xid: string; body: string }>(
    "select id, cause, xid::text as xid, body from countersign.entry where kind = 'expired' and decision_id is null order by entry.xid desc, n desc limit 1",
  );
  const [row] = rows;
  return row === undefined ? null : { ...row, facts: JSON.parse(row.body) };
}

async function refusedBy(decisionId: string): Promise<unknown> {
  return (await house.entries(decisionId)).find(({ kind }) => kind === "refused")?.body["rule"];
}

describe("a slice whose effect was not seen as it should be", () => {
  it("comes down by the same commit that records the verdict, and its owner is told", async () => {
    await openAll();
    const decisionId = await closing("spoilt-1");
    await house.worker().runOnce();
    expect((await house.story(decisionId)).slice(-2)).toEqual(["observed failed", "escalated"]);
    expect(await threshold()).toBe(neverAutoPpm);
    const found = await demotion();
    const { rows: verdicts } = await house.admin.query<{ id: string; xid: string }>(
      "select id, xid::text as xid from countersign.entry where decision_id = $1 and kind = 'observed'",
      [decisionId],
    );
    expect(found).toMatchObject({ cause: verdicts[0]?.id, xid: verdicts[0]?.xid });
    expect(found?.facts).toMatchObject({
      ...{ breach: "verification_failed", fromPpm: 850_000, of: decisionId },
      subject: { kind: "slice", capability: "tickets", slice: "all", thresholdPpm: neverAutoPpm },
    });
    const { rows: told } = await house.admin.query(
      "select to_kind || ' ' || to_name as who, decision_id from countersign.notice where kind = 'demoted' order by who",
    );
    expect(told).toEqual([
      { who: "owner service-desk", decision_id: decisionId },
      { who: "role owner", decision_id: decisionId },
    ]);
    const next = await closing("after-1");
    await house.worker().runOnce();
    expect(await refusedBy(next)).toBe("slice_not_open");
  });

  it("comes down too where a person had signed that effect", async () => {
    await openAll();
    await closing("spoilt-2", { approvedBy: ada });
    await house.worker().runOnce();
    expect(await threshold()).toBe(neverAutoPpm);
  });

  it("is not opened again by a threshold that was signed before", async () => {
    await openAll();
    await closing("spoilt-3");
    const { approvalIds } = await house.desk().openSlice({ ...opening, thresholdPpm: 1 });
    // Somebody slow holds the signature until the verdict is there.
    const slow = await house.admin.connect();
    await slow.query("begin");
    await slow.query("select from countersign.approval where id = $1 for update", [approvalIds[0]]);
    await house.worker().runOnce();
    expect(await threshold()).toBe(neverAutoPpm);
    await slow.query("rollback");
    slow.release();
    expect(await house.worker().runOnce()).toMatchObject({ slices: 0, refused: 1 });
    expect(await threshold()).toBe(neverAutoPpm);
    await openAll();
    expect(await threshold()).toBe(850_000);
  });
});

describe("a slice whose capability changes", () => {
  it("comes down in the worker that has the new definition, before anything goes alone under it", async () => {
    await openAll();
    const newer = sampleProject({ dedupe: "key" });
    const decisionId = await closing("changed-1");
    expect(await house.worker({ sample: newer }).runOnce()).toMatchObject({ demoted: 1 });
    expect((await demotion())?.facts).toMatchObject({ breach: "definition_changed", of: null });
    expect(await refusedBy(decisionId)).toBe("slice_not_open");
  });

  it("lets nothing through that was decided under another definition, and stays up", async () => {
    await openAll();
    const decisionId = await closing("changed-2", { basis: "f".repeat(64) });
    expect(await house.worker().runOnce()).toMatchObject({ demoted: 0 });
    expect(await refusedBy(decisionId)).toBe("basis_differs");
    expect(await threshold()).toBe(850_000);
  });

  it("comes down where its observing connector declares other fields", async () => {
    await openAll();
    const { sample } = house;
    const hands = sampleHands(sample);
    const query = { name: "tickets.byName", key: () => "", labels: { name: "third" }, run: async () => [] } as const;
    const source = defineConnector({
      name: "sandbox-observer",
      side: "observes",
      secret: "SANDBOX_OBSERVE",
      open: async () => 0,
      close: async () => {},
    });
    const changed = { ...hands, records: [recordSource(source, [query])] };
    const capability = { effects: sample.project.effects };
    expect(connectorsOf(capability, changed)).not.toBe(connectorsOf(capability, hands));
    expect(await house.worker({ hands: changed }).runOnce()).toMatchObject({ demoted: 1 });
    expect((await demotion())?.facts).toMatchObject({ breach: "connector_changed" });
    expect(await threshold()).toBe(neverAutoPpm);
  });

  it("is opened by no signature for another definition than the worker has", async () => {
    await house.desk({ project: sampleProject({ dedupe: "key" }).project }).openSlice({ ...opening, thresholdPpm: 1 });
    expect(await house.worker().runOnce()).toMatchObject({ slices: 0, refused: 1 });
    expect(await threshold()).toBe(neverAutoPpm);
  });
});

// The last one: it moves the store's clock, and what is signed before a demotion of later opens nothing.
describe("a worker that is killed", () => {
  it("between the verdict and the demotion leaves neither, and the next one leaves both", { timeout: 120_000 }, async () => {
    await openAll();
    const decisionId = await closing("spoilt-4");
    const hold = await house.admin.connect();
    await hold.query("begin");
    await hold.query("select from countersign.slice where slice = 'all' for update");
    const child = spawnWorker(house, null);
    children.push(child);
    // It stands in the transaction of the verdict, before the slice that is held.
    await expect
      .poll(
        async () =>
          (
            await house.admin.query(
              "select from pg_stat_activity where usename = 'acting' and wait_event_type = 'Lock' and query like '%insert into countersign.slice%' and datname = current_database()",
            )
          ).rowCount,
        { timeout: 60_000 },
      )
      .toBe(1);
    await child.kill();
    await hold.query("rollback");
    hold.release();
    // The server ends the transaction of a client that is gone.
    await expect.poll(async () => (await house.story(decisionId)).at(-1), { timeout: 30_000 }).toBe("applying");
    expect(await threshold()).toBe(850_000);
    house.aheadMs = limits.operationLeaseMs + 30_000;
    await house.worker().runOnce();
    expect((await house.story(decisionId)).slice(-2)).toEqual(["observed failed", "escalated"]);
    expect(await threshold()).toBe(neverAutoPpm);
  });
});
