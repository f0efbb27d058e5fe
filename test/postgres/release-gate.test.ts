import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { recordRelease } from "../../src/act/release/record-release.ts";
import { judgeRelease } from "../../src/approve/judge-release.ts";
import type { AnyEffect } from "../../src/contract/effect.ts";
import { type CellResult, isReleased, type ReleaseReport, releaseCells } from "../../src/contract/release.ts";
import { neverAutoPpm, type WriterRole, writerRoles } from "../../src/contract/words.ts";
import { contractDigest } from "../../src/define/contract-digest.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import { House, people } from "./acting/house.ts";
import { sampleProject } from "./acting/project.ts";

let house: House;
const { oda } = people;

beforeAll(async () => {
  house = await House.build();
  await house.desk().openSlice({ principal: oda, capability: "tickets", slice: "all", thresholdPpm: 850_000 });
  await house.worker().runOnce();
});
afterAll(() => house?.close());

/** Keeps a run over one of the sample's effects, in which one cell came out so. */
async function keepRun(
  effect: string,
  state: CellResult["state"],
  { version = "1", definition = "0".repeat(64), environments = ["demo"] }: Partial<ReleaseReport> = {},
): Promise<string> {
  const cells = releaseCells.map(
    (cell): CellResult => ({ cell, state: cell === "duplicate_submit" ? state : "passed", says: "-" }),
  );
  const report: ReleaseReport = { effect, version, environments, definition, isPassed: isReleased(cells), cells };
  return house.acting.inTenant("acme", (tx) => recordRelease(tx, report, house.ids));
}

async function autoStory(name: string): Promise<string[]> {
  const decisionId = await house.decide({ changes: [house.add(name)], route: "auto" });
  await house.worker().runOnce();
  return house.story(decisionId);
}

async function thresholds(): Promise<number[]> {
  const { rows } = await house.admin.query<{ ppm: number }>(
    "select threshold_ppm as ppm from countersign.slice where tenant = 'acme'",
  );
  return rows.map(({ ppm }) => ppm);
}

const done = ["decided", "approved", "applying", "applied", "observed complete"];

describe("an effect that failed a cell of the release matrix", () => {
  it("goes through nowhere without a person, by its newest run, and again when a run has passed", async () => {
    expect(await autoStory("untested-in-the-demo")).toEqual(done);
    await keepRun("add_ticket", "failed");
    const decisionId = await house.decide({ changes: [house.add("failed-a-cell")], route: "auto" });
    await house.worker().runOnce();
    expect(await house.story(decisionId)).toEqual(["decided", "refused policy_refuses"]);
    expect((await house.entries(decisionId))[1]?.body).toMatchObject({ rule: "release_failed" });
    expect(await house.tickets("failed-a-cell")).toEqual([]);
    await keepRun("add_ticket", "passed");
    expect(await autoStory("passed-again")).toEqual(done);
    await keepRun("add_ticket", "no_sample");
    expect(await autoStory("lacks-a-sample")).toEqual(["decided", "refused policy_refuses"]);
    await keepRun("add_ticket", "not_applicable");
    expect(await autoStory("does-not-apply")).toEqual(done);
  });

  it("of another version or name says nothing", async () => {
    await keepRun("add_ticket", "failed", { version: "2" });
    await keepRun("another_effect", "failed");
    expect(await autoStory("another-version")).toEqual(done);
  });

  it("stops what policy signed before and nothing was sent for yet", async () => {
    const name = "signed-before";
    const decisionId = await house.decide({ changes: [house.add(name), house.closing(name)], route: "auto" });
    // The reply to the first gets lost, so the second, signed as well, is not begun yet.
    const lost = async (point: string) => (point === "committed" ? Promise.reject(new Error("reply lost")) : undefined);
    await house.worker({ at: lost }).runOnce();
    expect((await house.story(decisionId)).filter((step) => step === "approved")).toHaveLength(2);
    await keepRun("close_ticket", "failed");
    house.aheadMs += 10_000;
    await house.worker().runOnce();
    await house.worker().runOnce();
    const refused = (await house.entries(decisionId)).find(({ kind }) => kind === "refused");
    expect(refused?.body).toMatchObject({ effectIndex: 1, code: "policy_refuses", rule: "release_failed" });
    expect(await house.tickets(name)).toMatchObject([{ status: "open" }]);
    await keepRun("close_ticket", "passed");
  });

  it("lets nobody open a slice of its capability, and everybody who may close one", async () => {
    await keepRun("close_ticket", "failed");
    const set = async (thresholdPpm: number) => {
      const opening = { principal: oda, capability: "tickets", slice: "all", thresholdPpm };
      await house.desk().openSlice(opening);
      return house.worker().runOnce();
    };
    expect(await set(700_000)).toMatchObject({ slices: 0, refused: 1 });
    expect(await thresholds()).toEqual([850_000]);
    expect(await set(neverAutoPpm)).toMatchObject({ slices: 1, refused: 0 });
    expect(await thresholds()).toEqual([neverAutoPpm]);
    await keepRun("close_ticket", "passed");
    expect(await set(700_000)).toMatchObject({ slices: 1 });
  });
});

describe("an effect that was never released", () => {
  const effect: AnyEffect = { ...sampleProject().add.erased, name: "never_run" };
  const judge = (environment: string, as: Partial<AnyEffect> = {}) =>
    house.acting.inTenant("acme", (tx) => judgeRelease({ tx, effects: [{ ...effect, ...as }], measure: { environment } }));
  const released = { definition: contractDigest(effect, sha256Digest), environments: ["demo", "production"] };
  const missing = { code: "policy_refuses", rule: "release_missing" };

  it("goes through in the demo alone", async () => {
    expect(await judge("demo")).toBeNull();
    expect(await judge("production")).toMatchObject(missing);
    await keepRun("never_run", "passed", released);
    expect(await judge("production")).toBeNull();
    await keepRun("never_run", "failed", released);
    expect(await judge("production")).toMatchObject({ rule: "release_failed" });
    expect(await judge("demo")).toMatchObject({ rule: "release_failed" });
  });

  it("is also one that was released for other environments", async () => {
    await keepRun("never_run", "passed", { ...released, environments: ["demo", "staging"] });
    expect(await judge("production")).toMatchObject(missing);
    expect(await judge("staging")).toBeNull();
  });

  it.each<[string, Partial<AnyEffect>]>([
    ["other params", { params: z.strictObject({ name: z.string() }) }],
    ["more environments", { environments: ["demo", "production"] }],
    ["another way against sending twice", { dedupe: "none" }],
    ["another time to settle", { settleMs: 0 }],
    ["another deadline", { expect: { ...effect.expect, deadlineMs: 1 } }],
    ["more that may change", { expect: { ...effect.expect, mayChange: ["id", "sent", "status"] } }],
    ["a tolerance", { before: { ...effect.before, tolerance: { amount: { ppm: 1 } } } }],
    ["more sends", { recovery: { maxSends: 9, partial: [] } }],
    ["another limit an hour", { limits: { perHour: 9 } }],
    ["another effect that undoes it", { compensate: { effect, params: () => null } }],
    ["weaker sources", { paramRules: {} }],
    ["no precondition any more", { requires: [] }],
  ])("is also one that has %s now, under the same version", async (_what, as) => {
    await keepRun("never_run", "passed", released);
    expect(await judge("production")).toBeNull();
    expect(await judge("production", as)).toMatchObject(missing);
    expect(await judge("demo", as)).toBeNull();
  });

  it("is not one whose functions are written otherwise, as a build writes them", async () => {
    await keepRun("never_run", "passed", released);
    expect(await judge("production", { describe: () => "-", owner: "somebody-else" })).toBeNull();
  });
});

describe.each(writerRoles)("of the runs that are kept, the role %s", (role: WriterRole) => {
  const attempt = async (sql: string): Promise<unknown> => {
    const client = new pg.Client({ connectionString: house.store.urls[role], options: "-c search_path=countersign" });
    await client.connect();
    try {
      return (await client.query(sql)).rowCount;
    } catch (thrown) {
      return thrown instanceof pg.DatabaseError ? thrown.code : thrown;
    } finally {
      await client.end();
    }
  };

  it("reads all, and writes new ones only where it is the acting one", async () => {
    const id = await keepRun("by_roles", "failed");
    expect(await attempt(`select from release where id = '${id}'`)).toBe(1);
    const columns = "id, effect, version, environments, definition, passed, cells";
    const insert = `insert into release (${columns}) values ('${house.ids.next()}', 'by_roles', '1', '{}', repeat('0', 64), true, '[]')`;
    expect(await attempt(insert)).toBe(role === "acting" ? 1 : "42501");
    expect(await attempt(`update release set passed = true where id = '${id}'`)).toBe("42501");
    expect(await attempt(`delete from release where id = '${id}'`)).toBe("42501");
    expect(await attempt("truncate release")).toBe("42501");
  });
});

it("keeps a run as it is, whoever's hand slips", async () => {
  const id = await keepRun("by_owner", "failed");
  for (const sql of [
    "update countersign.release set passed = true",
    "delete from countersign.release",
    "truncate countersign.release",
  ])
    await expect(house.admin.query(sql)).rejects.toMatchObject({ code: "CS001" });
  const { rows } = await house.admin.query("select passed, cells from countersign.release where id = $1", [id]);
  expect(rows[0].passed).toBe(false);
  expect(JSON.parse(rows[0].cells)).toContainEqual({ cell: "duplicate_submit", state: "failed", says: "-" });
});
