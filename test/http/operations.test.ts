import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callerOf, policyWithout } from "./boards-house.ts";
import { type DeskHouse, openDeskHouse } from "./desk-house.ts";

// The list of operations: what it tells of each, how it is paged and filtered, and that what may not be seen is in no list and no count.
let house: DeskHouse;
const { call, waiting, pages } = callerOf(() => house);
/** Operation ids, oldest first: three of ada's, and one of cleo's, which no reviewer sees. */
const begun: string[] = [];
let hidden: string;

beforeAll(async () => {
  house = await openDeskHouse({ isDemo: false, policy: policyWithout() });
  for (const state of ["escalated", "complete", "unknown"] as const) {
    const id = await waiting("ada", `note of ${state}`);
    begun.push(await house.acting.begin(id, { state }));
  }
  hidden = await house.acting.begin(await waiting("cleo", "a note of the owner"), { state: "escalated" });
}, 120_000);
afterAll(() => house?.close());

describe("the list of operations", () => {
  it("is newest first, in pages that leave out nothing and repeat nothing", async () => {
    const whole = await call("audra", "/operations");
    expect(whole.status).toBe(200);
    expect(whole.json.items.map(({ id }: { id: string }) => id)).toEqual([hidden, ...begun.toReversed()]);
    const paged = await pages("audra", "/operations?limit=3");
    expect(paged.map((page) => page.length)).toEqual([3, 1]);
    expect(paged.flat()).toEqual(whole.json.items);
  });

  it("tells what of each is known, in the words of its decision", async () => {
    const { json } = await call("ben", "/operations?state=escalated");
    expect(json.items).toHaveLength(1);
    expect(json.items[0]).toMatchObject({
      ...{
        id: begun[0],
        effect: "keep_note",
        capability: "keep_notes",
        state: "escalated",
        sentence: "Keep the note note of escalated",
      },
      ...{ risk: "low", sideEffect: "mutating", reversible: true, dedupe: "key", generation: 1, attempts: 0, nextLookAt: null },
      ...{ key: `key-${begun[0]}`, resolvable: ["happened", "not_happened", "compensate"], resolution: null, stopped: null },
    });
  });

  it("is narrowed by state, effect and capability", async () => {
    const ids = async (query: string) =>
      (await call("ben", `/operations?${query}`)).json.items.map(({ id }: { id: string }) => id);
    expect(await ids("state=complete")).toEqual([begun[1]]);
    expect(await ids("state=complete,unknown")).toEqual([begun[2], begun[1]]);
    expect(await ids("effect=keep_note&capability=keep_notes")).toEqual(begun.toReversed());
    expect(await ids("effect=mail_note")).toEqual([]);
    expect(await ids("capability=word_note")).toEqual([]);
  });

  it("shows a reviewer nothing of a decision that policy keeps from reviewers, in no page and no count", async () => {
    expect((await pages("ben", "/operations?limit=1")).flat().map(({ id }) => id)).toEqual(begun.toReversed());
    expect((await call("ben", `/operations/${hidden}`)).status).toBe(404);
    expect((await call("audra", `/operations/${hidden}`)).status).toBe(200);
    const counted = async (as: "ben" | "audra") => (await call(as, "/operations/summary")).json;
    const byState = (lines: { state: string; count: number }[]) =>
      Object.fromEntries(lines.map(({ state, count }) => [state, count]));
    expect(byState((await counted("ben")).open)).toEqual({ escalated: 1, unknown: 1 });
    expect(byState((await counted("audra")).open)).toEqual({ escalated: 2, unknown: 1 });
    expect(byState((await counted("ben")).ended)).toEqual({ complete: 1 });
    expect((await counted("ben")).oldestOpenAt).toBeLessThanOrEqual(Date.now());
  });

  it("is closed to whoever neither approves, audits nor owns, and empty to another tenant", async () => {
    for (const path of ["/operations", "/operations/summary", `/operations/${begun[0]}`]) {
      expect((await call("ada", path)).status).toBe(403);
      expect((await call("bot2", path)).status).toBe(403);
    }
    expect((await call("gus", "/operations")).json).toEqual({ items: [], next: null });
    expect((await call("gus", `/operations/${begun[0]}`)).status).toBe(404);
    expect((await call("gus", "/operations/summary")).json).toMatchObject({ open: [], ended: [], oldestOpenAt: null });
  });

  it("refuses what it cannot read", async () => {
    for (const query of [
      "state=done",
      "state=",
      "cursor=x",
      `cursor=${Buffer.from("[1]").toString("base64url")}`,
      "effect=",
      "other=1",
    ])
      expect([query, (await call("ben", `/operations?${query}`)).status]).toEqual([query, 400]);
    for (const id of [randomUUID(), "x"]) expect((await call("ben", `/operations/${id}`)).status).toBe(404);
  });
});

describe("one operation", () => {
  it("has its course beside it", async () => {
    const { json } = await call("ben", `/operations/${begun[0]}`);
    expect(json).toMatchObject({ id: begun[0], approvals: [], course: { operationId: begun[0], ends: [{ kind: "escalated" }] } });
    expect(json.since).toBe(json.course.ends[0].at);
    expect(json.before).toEqual({ note: 'old <i>"note"</i>', colour: "blue" });
  });

  it("says by which stop nothing of it is sent", async () => {
    const stop = { scope: "capability", name: "keep_notes", reason: "a try" };
    await call("cleo", "/halts", { ...stop, stop: true });
    expect((await call("ben", `/operations/${begun[0]}`)).json.stopped).toBe("capability");
    await call("cleo", "/halts", { ...stop, stop: false });
    expect((await call("ben", `/operations/${begun[0]}`)).json.stopped).toBeNull();
  });
});
