import { describe, expect, it } from "vitest";
import { envelope, lendProjector, passage, projector } from "../../test/decide/samples.ts";
import { neverAutoPpm } from "../contract/words.ts";
import {
  cancelSwitch,
  countingIds,
  createTestDeps,
  fakeJournal,
  fixedClock,
  fixedContext,
  impatientDeadline,
  proposeForTest,
  testPrincipal,
  testRequest,
  testTime,
} from "./index.ts";

describe("the fixed context", () => {
  const context = () =>
    fixedContext({ passages: { rules: [passage, { ...passage, id: "rooms:1:2" }] }, records: { "rooms.all": [projector] } });
  const passages = { kind: "passages", name: "rules", query: "?", limit: 1, minimumScore: 0 } as const;
  const rows = { kind: "records", name: "room", query: "rooms.all", params: {}, maxAgeMs: 1 } as const;

  it("says that it is a fake and remembers what it was asked", async () => {
    const fake = context();
    await fake.findPassages(passages, envelope);
    await fake.readRecords(rows, envelope);
    expect(fake).toMatchObject({ isFake: true, asked: [passages, rows] });
  });

  it("gives each item to the need that asks, within its limit", async () => {
    expect((await context().findPassages(passages, envelope)).content).toEqual([{ ...passage, kind: "passage", need: "rules" }]);
    expect(await context().readRecords(rows, envelope)).toEqual([{ ...projector, need: "room", query: "rooms.all" }]);
  });

  it("has nothing under another name", async () => {
    expect((await context().findPassages({ ...passages, name: "laws" }, envelope)).content).toEqual([]);
    expect(await context().readRecords({ ...rows, query: "rooms.free" }, envelope)).toEqual([]);
  });
});

describe("what tests are given", () => {
  it("hashes and limits time for real, and opens nothing", async () => {
    const deps = createTestDeps({ capability: lendProjector() });
    expect(deps.digest.sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(await deps.slices.thresholdPpm({ tenant: "acme", capability: "x", capabilityVersion: "1", slice: "all" })).toBe(
      neverAutoPpm,
    );
    expect(await deps.deadline.within(1000, Promise.resolve(7))).toBe(7);
    await expect(deps.deadline.within(1, new Promise(() => {}))).rejects.toThrow("no answer within 1 ms");
    await expect(deps.deadline.within(1000, Promise.reject(new Error("own")))).rejects.toThrow("own");
    expect(deps.permit.mayUse(testPrincipal, { name: "x", openTo: ["employee"], effects: [] })).toMatchObject({
      kind: "permitted",
    });
    expect(deps.permit.mayUse(testPrincipal, { name: "x", openTo: [], effects: [] })).toMatchObject({ kind: "refused" });
  });

  it("takes what a test hands in", () => {
    const clock = fixedClock(5);
    expect(createTestDeps({ capability: lendProjector(), clock, canaries: ["c"] })).toMatchObject({ clock, canaries: ["c"] });
    expect(testRequest({ capability: "x", inputs: 1, cause: "e-1" })).toMatchObject({
      capability: "x",
      inputs: 1,
      cause: "e-1",
      principal: testPrincipal,
    });
  });

  it("says what is missing where a capability asks a model and the test has none", async () => {
    const context = fixedContext({});
    const record = await proposeForTest({ capability: lendProjector(), inputs: { text: "x", days: 1 }, deps: { context } });
    expect(record.stop).toMatchObject({ node: "llm_decision", detail: expect.stringContaining("this test has no model") });
  });

  it("has a clock that moves when told, and ids that count", () => {
    const clock = fixedClock(testTime);
    clock.advance(3);
    expect([clock.now(), clock.monotonic()]).toEqual([testTime + 3, testTime + 3]);
    const ids = countingIds(1);
    expect([ids.next(), ids.next()]).toEqual(["00000001-0000-7000-8000-000000000001", "00000001-0000-7000-8000-000000000002"]);
  });

  it("has a deadline that waits one turn of the event loop", async () => {
    expect(
      await impatientDeadline.within(
        1,
        Promise.resolve().then(() => 7),
      ),
    ).toBe(7);
    await expect(impatientDeadline.within(1, new Promise(() => {}))).rejects.toThrow("1 ms");
  });

  it("has a cancel that tells early and late listeners", () => {
    const { cancel, fire } = cancelSwitch();
    const told: string[] = [];
    cancel.onCancel(() => told.push("early"));
    expect([cancel.isCancelled(), told]).toEqual([false, []]);
    fire();
    fire();
    cancel.onCancel(() => told.push("late"));
    expect([cancel.isCancelled(), told]).toEqual([true, ["early", "late"]]);
  });

  it("has a journal that says that it is a fake and answers as told", async () => {
    const journal = fakeJournal({ open: { kind: "conflict" } });
    const request = testRequest({ capability: "x", inputs: 1 });
    expect(await journal.open(request, 0)).toEqual({ kind: "conflict" });
    expect(journal).toMatchObject({ isFake: true, opened: [request], closed: [] });
  });
});
