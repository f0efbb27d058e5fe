import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Principal } from "../../src/contract/principal.ts";
import { type CaseHouse, movesOf, openCaseHouse, people } from "./cases/house.ts";
import { allCases } from "./cases/steps.ts";

let house: CaseHouse;
beforeAll(async () => {
  house = await openCaseHouse(allCases);
  const worker = house.openWorker();
  await house.openSlice(worker);
  await house.openDecider();
  worker.start();
});
afterEach(() => {
  expect(house.faults).toEqual([]);
});
afterAll(async () => house?.close());

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const isEnded = ({ state }: { state: string }) => state === "ended";
const isWaiting = ({ waitsFor }: { waitsFor: { kind: string } | null }) => waitsFor?.kind === "event";
const tellAs = (principal: Principal, id: string, event: string, body: unknown = {}, key: string | null = null) =>
  house.desk.cases.tell({ principal, id, event, body, key });

describe("a case that waits", () => {
  it("goes on with the event, and knows who told it", async () => {
    const { id } = await house.start("parcel", { name: "p1" });
    await tellAs(people.wes, id, "arrived", { shelf: "B4" });
    await house.until(id, ({ step }) => step === "agree");
    await tellAs(people.carl, id, "agreed");
    const view = await house.until(id, isEnded);
    expect(movesOf(view)).toEqual(["wait", "wait -event:arrived-> agree", "agree -event:agreed-> closed"]);
    expect(view.data).toEqual({ name: "p1", by: ["wes", "carl"] });
    const told = await house.rows("select kind, to_kind, to_name, decision_id from countersign.notice where case_id = $1", [id]);
    expect(told).toEqual([{ kind: "outcome", to_kind: "principal", to_name: "cora", decision_id: null }]);
  });

  it("goes on when its time has come, days later, without anybody waiting that long", async () => {
    const { id } = await house.start("parcel", { name: "p2" });
    const { waitsFor, startedAt } = await house.until(id, isWaiting);
    expect(waitsFor).toMatchObject({ kind: "event", events: ["arrived"] });
    const until = (waitsFor?.kind === "event" ? waitsFor.until : null) ?? 0;
    expect(Math.abs(until - startedAt - 3 * dayMs)).toBeLessThan(60_000);
    house.time.aheadMs += 3 * dayMs - hourMs;
    const other = await house.start("graded", { texts: ["good"] });
    await house.until(other.id, isEnded);
    expect((await house.until(id, () => true)).step).toBe("wait");
    house.time.aheadMs += 2 * hourMs;
    expect(movesOf(await house.until(id, isEnded))).toEqual(["wait", "wait -time-> late"]);
  });

  it("keeps an event that comes before the step that waits for it", async () => {
    const { id } = await house.start("parcel", { name: "p3" });
    await tellAs(people.carl, id, "agreed");
    await tellAs(people.wes, id, "arrived", { shelf: "B4" });
    expect((await house.until(id, isEnded)).data).toMatchObject({ by: ["wes", "carl"] });
  });

  it("is moved by its own events alone, while another case's effect is being applied", async () => {
    const { id } = await house.start("parcel", { name: "p4" });
    const entered = Promise.withResolvers<void>();
    const let_go = Promise.withResolvers<void>();
    house.gate.during = async () => {
      entered.resolve();
      await let_go.promise;
    };
    const acting = await house.start("notified", { name: "held" });
    await entered.promise;
    await tellAs(people.wes, id, "arrived", { shelf: "B4" });
    await house.until(id, ({ step }) => step === "agree");
    const held = await house.until(acting.id, () => true);
    expect([held.step, held.moves.length]).toEqual(["tell", 1]);
    house.gate.during = async () => {};
    let_go.resolve();
    await house.until(acting.id, ({ step }) => step === "sign");
    expect(await house.lines("held")).toEqual(["notified"]);
  });

  it("tells its owner when it is late, once, and still goes on", async () => {
    const { id } = await house.start("parcel", { name: "p5" });
    await tellAs(people.wes, id, "arrived", { shelf: "B4" });
    await house.until(id, ({ step }) => step === "agree");
    house.time.aheadMs += 5 * dayMs;
    const late = await house.until(id, ({ state }) => state === "escalated");
    expect(late).toMatchObject({ code: "deadline", waitsFor: { kind: "event", events: ["agreed"] }, deadlineAt: null });
    await tellAs(people.carl, id, "agreed");
    const view = await house.until(id, isEnded);
    expect(movesOf(view)).toEqual([
      "wait",
      "wait -event:arrived-> agree",
      "escalated agree deadline",
      "agree -event:agreed-> closed",
    ]);
    const told = await house.rows("select to_name from countersign.notice where case_id = $1 and kind = 'escalated'", [id]);
    expect(told).toEqual([{ to_name: "office" }]);
  });
});

describe("an event", () => {
  it("is told by the roles that the case names, in person, and not by who started it where others are to say it", async () => {
    const { id } = await house.start("parcel", { name: "p6" });
    const refused: readonly [Principal, string, string][] = [
      [people.cora, "agreed", "forbidden"],
      [people.carl, "arrived", "forbidden"],
      [people.ada, "agreed", "forbidden"],
      [{ ...people.carl, onBehalfOf: "cora" }, "agreed", "forbidden"],
      [{ ...people.carl, onBehalfOf: "carl" }, "agreed", "not_found"],
      [people.gus, "agreed", "not_found"],
      [people.wes, "unheard_of", "bad_request"],
    ];
    for (const [principal, event, code] of refused)
      await expect(tellAs(principal, id, event), `${principal.id} ${event}`).rejects.toMatchObject({ code });
    await expect(tellAs(people.wes, id, "arrived", { shelf: 4 })).rejects.toMatchObject({ code: "input_invalid" });
    await expect(tellAs(people.wes, id, "arrived", { shelf: "x".repeat(17_000) })).rejects.toMatchObject({ code: "too_large" });
    await expect(tellAs(people.wes, house.common.ids.next(), "arrived", { shelf: "x" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(tellAs(people.oda, id, "retry")).rejects.toMatchObject({ code: "not_waiting" });
    expect(await house.rows("select 1 from countersign.case_event where run_id = $1", [id])).toEqual([]);
  });

  it("that is told twice under one key is one, and another one under it is refused", async () => {
    const { id } = await house.start("counting", {});
    const add = (by: number, key: string | null) => tellAs(people.wes, id, "add", { by }, key);
    expect([(await add(2, "a")).isNew, (await add(2, "a")).isNew]).toEqual([true, false]);
    await expect(add(3, "a")).rejects.toMatchObject({ code: "idempotency_conflict" });
    await add(2, null);
    await tellAs(people.wes, id, "stop");
    expect((await house.until(id, isEnded)).data).toMatchObject({ sum: 4 });
    await expect(tellAs(people.wes, id, "stop")).rejects.toMatchObject({ code: "case_ended" });
  });

  it("is not lost where many come at once and two workers take them up", async () => {
    const worker = house.openWorker();
    worker.start();
    const { id } = await house.start("counting", {});
    const told = Array.from({ length: 40 }, (_, by) => tellAs(people.wes, id, "add", { by }));
    await Promise.all(told);
    await tellAs(people.wes, id, "stop");
    expect((await house.until(id, isEnded)).data).toMatchObject({ sum: 780 });
  });

  it("is refused where a hundred wait that no step takes up", async () => {
    const { id } = await house.start("parcel", { name: "p7" });
    await house.until(id, isWaiting);
    for (let count = 0; count < 100; count += 1) await tellAs(people.carl, id, "agreed");
    await expect(tellAs(people.carl, id, "agreed")).rejects.toMatchObject({ code: "too_large" });
    await tellAs(people.carl, (await house.start("parcel", { name: "p8" })).id, "agreed");
  });
});

describe("a key", () => {
  it("is one case's, also where two handlers start it in the same instant", async () => {
    const started = await Promise.all(
      Array.from({ length: 8 }, () =>
        house.desk.cases.start({ principal: people.cora, case: "parcel", key: "order-1", input: { name: "k" } }),
      ),
    );
    expect(new Set(started.map(({ view }) => view.id)).size).toBe(1);
    expect(started.filter(({ isNew }) => isNew)).toHaveLength(1);
    await house.until(started[0]?.view.id ?? "", isWaiting);
    expect(
      await house.rows(
        "select 1 from countersign.case_step s join countersign.case_run r on r.id = s.run_id where r.key = 'order-1'",
      ),
    ).toHaveLength(1);
    const start = (principal: Principal, name: string, input: unknown) =>
      house.desk.cases.start({ principal, case: name, key: "order-1", input });
    await expect(start(people.cora, "parcel", { name: "other" })).rejects.toMatchObject({ code: "key_conflict" });
    await expect(start(people.carl, "parcel", { name: "k" })).rejects.toMatchObject({ code: "key_conflict" });
    expect((await start(people.cora, "counting", {})).isNew).toBe(true);
    expect((await start(people.gus, "parcel", { name: "k" })).isNew).toBe(true);
  });

  it.each(["", "x".repeat(101), "a/b", "a b", "-a", "ä"])("of the form `%s` is refused in words", async (key) => {
    const starting = house.desk.cases.start({ principal: people.cora, case: "counting", key, input: {} });
    await expect(starting).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("1 to 100 characters"),
    });
  });
});

describe("what a case holds", () => {
  it("is started with what fits, by whom it is open to", async () => {
    const start = (principal: Principal, name: string, input: unknown) =>
      house.desk.cases.start({ principal, case: name, key: null, input });
    await expect(start(people.cora, "parcel", { name: 4 })).rejects.toMatchObject({ code: "input_invalid" });
    await expect(start(people.cora, "parcel", { name: "x".repeat(70_000) })).rejects.toMatchObject({ code: "too_large" });
    await expect(start(people.wes, "parcel", { name: "x" })).rejects.toMatchObject({ code: "unknown_case" });
    await expect(start(people.cora, "nothing", {})).rejects.toMatchObject({ code: "unknown_case" });
  });

  it("may grow up to a limit, beyond which it is left to its owner as it was", async () => {
    const { id } = await house.start("counting", {});
    await tellAs(people.wes, id, "pad", { size: 60_000 });
    await house.until(id, ({ data }) => (data as { padding: string } | null)?.padding.length === 60_000);
    await tellAs(people.wes, id, "pad", { size: 70_000 });
    const view = await house.until(id, ({ state }) => state === "escalated");
    expect(view).toMatchObject({ code: "too_large", step: "count" });
    expect((view.data as { padding: string }).padding).toHaveLength(60_000);
  });

  it("is stored once: a step costs the same however much it is and however many went before", async () => {
    const { id } = await house.start("counting", {});
    await tellAs(people.wes, id, "pad", { size: 60_000 });
    for (let by = 1; by <= 30; by += 1) await tellAs(people.wes, id, "add", { by });
    await house.until(id, ({ moves }) => moves.length === 32);
    const sizes = await house.rows(
      "select pg_column_size(s.*)::int as size from countersign.case_step s where run_id = $1 and place > 1 order by place",
      [id],
    );
    expect(new Set(sizes.map(({ size }) => size)).size).toBe(1);
    expect(sizes[0]?.size).toBeLessThan(400);
    const [body] = await house.rows("select length(body) as size from countersign.case_run where id = $1", [id]);
    expect(body.size).toBeLessThan(70_000);
  });

  it("is nowhere in clear", async () => {
    const { id } = await house.start("parcel", { name: "Wilhelmina" });
    await tellAs(people.wes, id, "arrived", { shelf: "Wilhelmina" });
    await house.until(id, ({ step }) => step === "agree");
    const all = await house.rows(
      "select r::text || s::text || e::text as text from countersign.case_run r join countersign.case_step s on s.run_id = r.id join countersign.case_event e on e.run_id = r.id where r.id = $1",
      [id],
    );
    expect(all.length).toBeGreaterThan(0);
    const hex = Buffer.from("Wilhelmina").toString("hex");
    for (const { text } of all) expect([text.includes("Wilhelmina"), text.includes(hex)]).toEqual([false, false]);
  });

  it("is seen whole by who started it and who audits, as progress by who may tell it something, and by nobody else", async () => {
    const { id } = await house.start("parcel", { name: "seen" });
    await house.until(id, isWaiting);
    const seenBy = async (principal: Principal) =>
      house.desk.cases.one({ principal, id }).then(
        ({ data, moves }) => [data !== null, moves.length],
        (thrown) => thrown.code,
      );
    const listedBy = async (principal: Principal) =>
      (await house.desk.cases.list({ principal, case: "parcel", limit: 100 })).items.some((line) => line.id === id);
    for (const principal of [people.cora, people.aud, people.oda, { ...people.gus, tenant: "acme", onBehalfOf: "cora" }])
      expect([await seenBy(principal), await listedBy(principal)], principal.id).toEqual([[true, 1], true]);
    for (const principal of [people.carl, people.wes, people.ada])
      expect([await seenBy(principal), await listedBy(principal)], principal.id).toEqual([[false, 1], true]);
    const stranger = { ...people.carl, id: "zoe", roles: ["employee"] };
    for (const principal of [stranger, people.gus, { ...people.aud, onBehalfOf: "zoe" }])
      expect([await seenBy(principal), await listedBy(principal)], principal.id).toEqual(["not_found", false]);
  });
});
