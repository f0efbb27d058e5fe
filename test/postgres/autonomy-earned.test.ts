import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AutonomyRule } from "../../src/contract/autonomy.ts";
import { isSampled } from "../../src/contract/is-sampled.ts";
import { neverAutoPpm } from "../../src/contract/words.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineProject } from "../../src/define/project.ts";
import { readJudged } from "../../src/evals/autonomy/read-judged.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import { House, people } from "./acting/house.ts";
import { writeJudged } from "./acting/judged.ts";
import { sampleProject } from "./acting/project.ts";

// The whole way: people decide, the evidence is counted from entries, an owner signs what was proposed, it is watched and comes down.
let house: House;
const { ada, oda } = people;
const sample = sampleProject();
const autonomy: AutonomyRule = { leastAgreementPpm: 900_000, auditPpm: 100_000 };
const capabilities = sample.project.capabilities.map((one) =>
  one.name === "tickets" ? defineCapability({ ...one, autonomy }) : one,
);
const earning = { ...sample, project: defineProject({ name: "sample", capabilities }) };
const desk = (environment = "demo") => house.desk({ project: earning.project, environment });
const work = () => house.worker({ sample: earning }).runOnce();
const of = { principal: oda, capability: "tickets", slice: "all" };
let made = 0;

const judged = (confidencePpm: number, counts: { agreed: number; rejected: number }) =>
  writeJudged(house, { confidencePpm, sample: earning, ...counts });

/** What is read counts only once nothing can come before it any more. */
async function viewed() {
  house.aheadMs += 3_000;
  const view = await desk().autonomy({ principal: oda });
  return { view, slice: view.slices.find(({ slice }) => slice === "all") };
}

async function threshold(): Promise<number | undefined> {
  const { rows } = await house.admin.query<{ ppm: number }>(
    "select threshold_ppm as ppm from countersign.slice where slice = 'all'",
  );
  return rows[0]?.ppm;
}

beforeAll(async () => {
  house = await House.build();
  await judged(950_000, { agreed: 20, rejected: 0 });
}, 400_000);
afterAll(() => house?.close());

describe("a slice", { timeout: 300_000 }, () => {
  it("proposes nothing while there is too little, and says how much is missing", async () => {
    const { slice } = await viewed();
    expect(slice).toMatchObject({ thresholdPpm: neverAutoPpm, decisions: 20, agreed: 20, proposal: null });
    expect(slice?.finding).toEqual({ kind: "not_enough", have: 20, need: 49 });
  });

  it("proposes the threshold above which people agree often enough, from their answers and what was seen", async () => {
    await judged(950_000, { agreed: 80, rejected: 0 });
    await judged(700_000, { agreed: 15, rejected: 15 });
    const { slice, view } = await viewed();
    expect(slice?.finding).toEqual({ kind: "proposed" });
    expect(slice?.proposal).toMatchObject({
      thresholdPpm: 950_000,
      wouldBeAuto: 100,
      agreed: 100,
      decisions: 130,
      barPpm: 900_000,
    });
    // Clopper and Pearson for 100 of 100 at 2.5 %: 0.025 to the power of 1/100.
    expect(slice?.proposal?.leastPpm).toBe(Math.floor(0.025 ** 0.01 * 1_000_000));
    expect(view.demotions).toEqual([]);
    expect(await desk().simulation({ ...of, thresholdPpm: 700_000 })).toMatchObject({ wouldBeAuto: 130, agreed: 115 });
    const low = await desk().simulation({ ...of, thresholdPpm: 700_000 });
    expect(low.wrong.map(({ judgement }) => judgement)).toEqual(Array(15).fill("rejected"));
    expect(low.leastPpm).toBeLessThan(low.barPpm);
  });

  it("is of the time from the oldest decision that was read, where there are more than are read", async () => {
    const of = { tenant: "acme", capability: "tickets", capabilityVersion: "1", environment: "demo", from: 0 };
    const until = Date.now() + house.aheadMs;
    const read = (most?: number) => house.deskStore.inTenant("acme", (tx) => readJudged(tx, { ...of, until }, most));
    const all = await read();
    expect(all).toMatchObject({ from: 0, decisions: { length: 130 } });
    const newest = all.decisions.slice(-40);
    expect(await read(40)).toEqual({ from: Math.min(...newest.map(({ at }) => at)), decisions: newest });
  });

  it("gives a calibration that rises, from the same answers", async () => {
    const { maps, id } = await desk().calibration({ principal: oda, capability: "tickets" });
    expect(id).toMatch(/^cal-[0-9a-f]{12}$/);
    expect(maps.map(({ decisions, agreed }) => [decisions, agreed])).toEqual([
      [130, 115],
      [130, 115],
    ]);
    const points = maps[0]?.points ?? [];
    expect(points.at(0)?.ppm).toBeLessThan(points.at(-1)?.ppm ?? 0);
  });

  it("is shown to nobody who does not review, audit or own", async () => {
    await expect(desk().autonomy({ principal: { ...people.erin, roles: ["employee"] } })).rejects.toMatchObject({
      code: "forbidden",
    });
  });

  it("is opened outside the demo by no word alone, and by no other evidence than was proposed", async () => {
    const { slice } = await viewed();
    const { digest = "", until = 0, thresholdPpm = 0 } = slice?.proposal ?? {};
    const signing = (proposal: { digest: string; until: number }, ppm = thresholdPpm) =>
      desk().openSlice({ ...of, thresholdPpm: ppm, proposal });
    await expect(signing({ digest: "0".repeat(64), until })).rejects.toMatchObject({ code: "evidence_changed" });
    await expect(signing({ digest, until: until - 86_400_001 })).rejects.toMatchObject({ code: "evidence_changed" });
    await expect(signing({ digest, until }, thresholdPpm - 1)).rejects.toMatchObject({ code: "evidence_changed" });
  });

  it("is opened by an owner's signature on what was proposed, which stands in the ledger with its evidence", async () => {
    const { slice } = await viewed();
    if (!slice?.proposal) throw new Error("there is a proposal");
    const { digest, until, thresholdPpm } = slice.proposal;
    const { entryIds } = await desk().openSlice({ ...of, thresholdPpm, proposal: { digest, until } });
    expect(await work()).toMatchObject({ slices: 1 });
    expect(await threshold()).toBe(950_000);
    const { rows } = await house.admin.query<{ body: string }>("select body from countersign.entry where id = $1", [entryIds[0]]);
    expect(JSON.parse(rows[0]?.body ?? "{}")).toMatchObject({
      subject: {
        thresholdPpm: 950_000,
        calibration: "weights-1",
        evidence: { digest, until, wouldBeAuto: 100, models: ["none"] },
      },
    });
    expect((await viewed()).slice).toMatchObject({ finding: { kind: "as_signed" }, isByHand: false, proposal: null });
  });

  it("goes alone above the threshold, but for the share that people look at", async () => {
    // The first look after the opening begins the watch.
    await work();
    const isDrawn = (decisionId: string) =>
      isSampled({ of: "audit", decisionId, ratePpm: autonomy.auditPpm, digest: sha256Digest });
    let [alone, drawn] = [0, 0];
    while (alone < 3 || drawn < 1) {
      made += 1;
      const decisionId = await house.decide({ changes: [house.add(`t-${made}`)], confidencePpm: 950_000, route: "auto" });
      await work();
      const refused = (await house.entries(decisionId)).find(({ kind }) => kind === "refused")?.body["rule"];
      expect(refused).toBe(isDrawn(decisionId) ? "audit_sample" : undefined);
      expect(await house.states(decisionId)).toEqual(isDrawn(decisionId) ? [] : ["complete"]);
      if (isDrawn(decisionId)) drawn += 1;
      else alone += 1;
    }
  });

  it.each(["{", '{"xid":"0","n":"0"}'])(
    "whose watch cannot be read says so once, and is watched anew by what comes from then on: %s",
    async (spoilt) => {
      await house.settled();
      await work();
      const kept = async () =>
        (await house.admin.query("select watch from countersign.slice where slice = 'all'")).rows[0]?.watch;
      expect(JSON.parse(await kept())).toMatchObject({ version: 1 });
      await house.admin.query("update countersign.slice set watch = $1 where slice = 'all'", [spoilt]);
      const told: unknown[] = [];
      const worker = house.worker({ sample: earning, onError: (thrown) => told.push(thrown) });
      expect(await worker.runOnce()).toMatchObject({ demoted: 0 });
      expect(told).toEqual([
        expect.objectContaining({ code: "payload_unreadable", message: expect.stringContaining("`all` of `tickets`") }),
      ]);
      const { version, xid, scores } = JSON.parse(await kept());
      expect([version, Number(xid) > 0, new Set(scores.came)]).toEqual([1, true, new Set([0])]);
      await worker.runOnce();
      expect(told).toHaveLength(1);
    },
  );

  it("comes down where confidences are spread otherwise than when it was earned", async () => {
    const others: string[] = [];
    for (let i = 0; i < 24; i += 1) {
      made += 1;
      others.push(await house.decide({ changes: [house.add(`t-${made}`)], confidencePpm: 999_000, route: "auto" }));
    }
    expect(await work()).toMatchObject({ demoted: 1 });
    const { view, slice } = await viewed();
    expect(view.demotions[0]).toMatchObject({ capability: "tickets", slice: "all", breach: "scores_drifted", fromPpm: 950_000 });
    // What was decided before proves nothing any more, and nothing of what showed it went alone.
    expect(slice).toMatchObject({ thresholdPpm: neverAutoPpm, decisions: 0, finding: { kind: "not_enough" } });
    for (const decisionId of others) expect(await house.states(decisionId)).toEqual([]);
  });

  it("comes down where people reject what was drawn for them more often than the bar allows", async () => {
    await desk().openSlice({ ...of, thresholdPpm: 900_000 });
    expect(await work()).toMatchObject({ slices: 1 });
    expect((await viewed()).slice).toMatchObject({ thresholdPpm: 900_000, isByHand: true });
    await work();
    for (let i = 0; i < 7; i += 1) {
      made += 1;
      const how = { confidencePpm: 950_000, route: "hitl_recommended", rule: "audit_sample" } as const;
      const decisionId = await house.decide({ changes: [house.add(`t-${made}`)], ...how });
      await desk().reject({ principal: ada, decisionId, reason: "not needed" });
    }
    await house.settled();
    expect(await work()).toMatchObject({ demoted: 1 });
    expect((await viewed()).view.demotions[0]).toMatchObject({ breach: "reviews_disagree", fromPpm: 900_000 });
  });
});
