import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { House, people } from "./acting/house.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
  await house.desk().openSlice({ principal: people.oda, capability: "tickets", slice: "all", thresholdPpm: 850_000 });
  await house.worker().runOnce();
});
afterAll(() => house?.close());

/** Uses up transaction ids, in one transaction of many savepoints, until the next one is `short` of gaining a digit. */
async function comeClose(short: number): Promise<void> {
  const { rows } = await house.admin.query<{ next: string }>("select pg_snapshot_xmax(pg_current_snapshot())::text as next");
  const next = Number(rows[0]?.next);
  const burn = 10 ** String(next).length - next - short;
  await house.admin.query("create temporary table if not exists burnt (i integer)");
  await house.admin.query(`do $$ begin
    for i in 1..${Math.max(0, burn)} loop
      begin
        insert into burnt values (i);
      exception when others then raise;
      end;
      if i % 1000 = 0 then truncate burnt; end if;
    end loop; end $$`);
}

async function nextXid(): Promise<string> {
  const { rows } = await house.admin.query<{ next: string }>("select pg_snapshot_xmax(pg_current_snapshot())::text as next");
  return rows[0]?.next ?? "";
}

describe("policy", () => {
  it("signs each proposal once, also where the ids of transactions gain a digit between them", async () => {
    await comeClose(30);
    const before = await nextXid();
    const decisions: string[] = [];
    const decide = async () => {
      const changes = [house.add(`order-${decisions.length}`)];
      decisions.push(await house.decide({ changes, route: "auto", confidencePpm: 900_000 }));
    };
    while ((await nextXid()).length === before.length) await decide();
    expect(decisions.length).toBeGreaterThan(4);
    for (let i = 0; i < 6; i += 1) await decide();
    const worker = house.worker();
    for (let round = 0; round < 4; round += 1) await worker.runOnce();
    for (const decisionId of decisions) {
      expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying", "applied", "observed complete"]);
    }
  }, 120_000);

  it("reads more than one page of them and misses none", async () => {
    const decisions: string[] = [];
    for (let i = 0; i < 70; i += 1) {
      decisions.push(await house.decide({ changes: [house.add(`page-${i}`)], route: "auto", confidencePpm: 900_000 }));
    }
    const worker = house.worker();
    for (let round = 0; round < 12; round += 1) await worker.runOnce();
    const stories = await Promise.all(decisions.map((decisionId) => house.story(decisionId)));
    expect(stories.filter((story) => story.filter((step) => step === "approved").length !== 1)).toEqual([]);
  }, 120_000);
});
