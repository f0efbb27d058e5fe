import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callerOf } from "./boards-house.ts";
import { type DeskHouse, openDeskHouse } from "./desk-house.ts";

// How reviewing goes: what people's answers took is kept beside them, and a person's speed is told to nobody else.
let house: DeskHouse;
const { call, waiting } = callerOf(() => house);
beforeAll(async () => {
  house = await openDeskHouse({ isDemo: false });
}, 120_000);
afterAll(() => house?.close());

const own = async (as: "ben" | "bea", capability = "keep_notes") =>
  (await call(as, "/reviews/health")).json.own.find((one: { capability: string }) => one.capability === capability);

describe("one's own answers", () => {
  it("are counted with what they took, in the transaction that records them", async () => {
    await call("ben", `/reviews/${await waiting("ada", "one")}/approve`, { viewedMs: 4_000 });
    await call("ben", `/reviews/${await waiting("ada", "two")}/approve`, { viewedMs: 8_000 });
    await call("ben", `/reviews/${await waiting("ada", "three")}/reject`, { reason: "no", viewedMs: 30_000 });
    const seen = await own("ben");
    expect(seen).toMatchObject({ answered: 3, approved: 2, rejected: 1, edited: 0, mayBeTooAlike: null });
    expect(seen.viewed).toEqual({ least: 4_000, quarter: 6_000, median: 8_000, threeQuarters: 19_000, most: 30_000, of: 3 });
    expect(seen.waited.of).toBe(3);
    expect(seen.waited.least).toBeGreaterThanOrEqual(0);
  });

  it("count an edit as one, and one that was refused not at all", async () => {
    const { json } = await call("ada", "/decisions", { capability: "word_note", inputs: { text: "a word" } });
    const edited = await call("ben", `/reviews/${json.id}/edit`, { decision: { note: "a better word" }, viewedMs: 1_000 });
    expect(edited.status).toBe(201);
    expect(await own("ben", "word_note")).toMatchObject({ answered: 1, edited: 1 });
    const mine = await waiting("ben", "my own");
    expect((await call("ben", `/reviews/${mine}/approve`, {})).status).toBe(403);
    expect((await own("ben")).answered).toBe(3);
  });

  it("say with how many of them a second person agreed", async () => {
    const [signed, rejected] = [await waiting("ada", "grave one"), await waiting("ada", "grave two")];
    for (const id of [signed, rejected]) await call("bea", `/reviews/${id}/approve`, {});
    await call("ben", `/reviews/${signed}/approve`, {});
    await call("ben", `/reviews/${rejected}/reject`, { reason: "no" });
    expect((await own("bea")).secondLooks).toEqual({ of: 2, agreed: 1 });
    expect((await own("ben")).secondLooks).toEqual({ of: 0, agreed: 0 });
  });

  it("are nobody else's to see: the load tells counts by name, and no time", async () => {
    const { json } = await call("audra", "/reviews/health");
    expect(json.own).toEqual([]);
    expect(json.loadToday).toEqual([
      { id: "bea", name: "Bea Holm", answered: 2 },
      { id: "ben", name: "Ben Okoro", answered: 6 },
    ]);
    expect(json.capabilities).toContainEqual({
      ...{ capability: "keep_notes", reviewers: 2, answered: 7, leastADay: 2, mostADay: 5, secondLooks: { of: 2, agreed: 1 } },
    });
    const others = JSON.stringify([json.capabilities, json.loadToday]);
    for (const time of ["viewed", "waited", "median"]) expect(others).not.toContain(time);
    expect((await call("ada", "/reviews/health")).status).toBe(403);
    expect((await call("gus", "/reviews/health")).json).toMatchObject({ own: [], loadToday: [], capabilities: [] });
  });

  it("stand in no entry of the ledger", async () => {
    const { rows } = await house.owner.query("select count(*)::int as n from countersign.entry where strpos(body, 'viewed') > 0");
    expect(rows[0].n).toBe(0);
  });
});

describe("the warning that a queue may be too alike", () => {
  const answer = (principal: string, count: number, viewedMs: number) =>
    house.owner.query(
      `insert into countersign.review_answer (tenant, entry_id, decision_id, principal, capability, answer, waited_ms, viewed_ms)
       select 'acme', gen_random_uuid(), gen_random_uuid(), $1, 'alike', 'approved', 1, $3 from generate_series(1, $2)`,
      [principal, count, viewedMs],
    );

  it("needs fifty answers, and tells of others only all together", async () => {
    await answer("bea", 49, 3_000);
    expect((await own("bea", "alike")).mayBeTooAlike).toBeNull();
    await answer("bea", 1, 3_000);
    expect((await own("bea", "alike")).mayBeTooAlike).toEqual({ of: 50, approved: 50, medianViewedMs: 3_000, others: null });
    await answer("ben", 10, 60_000);
    expect((await own("bea", "alike")).mayBeTooAlike.others).toBeNull();
    await answer(randomUUID(), 5, 60_000);
    expect((await own("bea", "alike")).mayBeTooAlike.others).toEqual({ reviewers: 2, answered: 15, approved: 15 });
  });

  it("does not come to whoever takes their time", async () => {
    await answer("ben", 60, 60_000);
    expect((await own("ben", "alike")).mayBeTooAlike).toBeNull();
  });

  it("takes no time that is none", async () => {
    const id = await waiting("ada", "a last one");
    for (const viewedMs of [-1, 1.5, "4", 86_400_001])
      expect((await call("ben", `/reviews/${id}/approve`, { viewedMs })).status).toBe(400);
    expect((await call("ben", "/reviews/health?days=0")).status).toBe(400);
  });
});
