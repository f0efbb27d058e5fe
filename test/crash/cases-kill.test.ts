import { afterAll, beforeAll, expect, it } from "vitest";
import { type CaseHouse, movesOf, openCaseHouse, people } from "../postgres/cases/house.ts";
import { type ChildWorker, spawnCaseWorker } from "../postgres/cases/spawn.ts";
import { allCases } from "../postgres/cases/steps.ts";

let house: CaseHouse;
const children: ChildWorker[] = [];
beforeAll(async () => {
  house = await openCaseHouse(allCases);
  await house.openSlice(house.openWorker());
  await house.openDecider();
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await house?.close();
});

/** Ids are asked for in every move: for the row of the move, the decision that is wanted, branches. The cases need many more than these. */
const halts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

it("loses nothing and doubles nothing where workers are killed in the midst of moves and between them", {
  timeout: 600_000,
}, async () => {
  const graded = await Promise.all(Array.from({ length: 8 }, () => house.start("graded", { texts: ["poor", "worse", "good"] })));
  const notified = await Promise.all(["n1", "n2", "n3"].map((name) => house.start("notified", { name })));
  const spread = await house.start("spread", { sizes: [1, 2, 3] });
  for (const haltAt of halts) {
    const child = spawnCaseWorker(house, haltAt);
    children.push(child);
    await child.prints("halted");
    await child.kill();
  }
  // What a killed worker held of an effect is taken over when its lease is over.
  house.time.aheadMs += 60_000;
  house.openWorker().start();
  for (const { id } of graded) {
    const view = await house.until(id, ({ state }) => state === "ended");
    const rounds = ["draft -answered-> grade", "grade -answered-> draft"];
    expect(movesOf(view)).toEqual(["draft", ...rounds, ...rounds, "draft -answered-> grade", "grade -answered-> good"]);
  }
  for (const { id } of notified) {
    const view = await house.until(id, ({ step, waitsFor }) => step === "sign" && waitsFor?.kind === "decision");
    expect(movesOf(view)).toEqual(["tell", "tell -done-> sign"]);
  }
  expect(await Promise.all(["n1", "n2", "n3"].map(house.lines))).toEqual([["notified"], ["notified"], ["notified"]]);
  const { parts } = await house.until(spread.id, ({ parts }) => parts.length > 0);
  expect(parts).toHaveLength(3);
  for (const part of parts)
    await house.desk.cases.tell({ principal: people.wes, id: part.id, event: "ended", body: { well: true }, key: null });
  // One decision was wanted for each step that decides, and one was made for each.
  const [wanted] = await house.rows("select count(*)::int as count from countersign.wanted");
  expect(wanted.count).toBe(graded.length * 6 + notified.length * 2);
  await house.until(spread.id, ({ state }) => state === "ended");
  const [made] = await house.rows("select count(*)::int as count from countersign.intent where idempotency_key like 'wanted:%'");
  expect(made.count).toBe(wanted.count);
});
