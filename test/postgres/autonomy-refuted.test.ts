import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AutonomyRule } from "../../src/contract/autonomy.ts";
import { limits } from "../../src/contract/limits.ts";
import { neverAutoPpm } from "../../src/contract/words.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineProject } from "../../src/define/project.ts";
import { House, people } from "./acting/house.ts";
import { writeJudged } from "./acting/judged.ts";
import { sampleProject } from "./acting/project.ts";
import { spoilTickets } from "./acting/spoil.ts";

// What is known by now counts: evidence that was refuted since opens nothing, and what an owner or a definition takes back is taken back.
let house: House;
const { ada, oda } = people;
const sample = sampleProject();
const usual: AutonomyRule = { leastAgreementPpm: 900_000, auditPpm: 100_000 };
const of = { principal: oda, capability: "tickets", slice: "all" };

/** The sample with something else of its capability. */
function sampleOf(part: { readonly autonomy?: AutonomyRule; readonly version?: string }): typeof sample {
  const capabilities = sample.project.capabilities.map((one) =>
    one.name === "tickets" ? defineCapability({ ...one, autonomy: usual, ...part }) : one,
  );
  return { ...sample, project: defineProject({ name: "sample", capabilities }) };
}

const earning = sampleOf({});
const desk = (of = earning) => house.desk({ project: of.project });
const work = (of = earning) => house.worker({ sample: of }).runOnce();

async function viewed() {
  house.aheadMs += 3_000;
  const { slices } = await desk().autonomy({ principal: oda });
  return slices.find(({ slice }) => slice === "all");
}

async function proposed() {
  const proposal = (await viewed())?.proposal;
  if (!proposal) throw new Error("a threshold is proposed");
  return proposal;
}

const sign = ({ thresholdPpm, digest, until }: Awaited<ReturnType<typeof proposed>>) =>
  desk().openSlice({ ...of, thresholdPpm, proposal: { digest, until } });

async function standing() {
  const { rows } = await house.admin.query<{ ppm: number; version: string }>(
    "select threshold_ppm as ppm, capability_version as version from countersign.slice where slice = 'all' order by version",
  );
  return rows;
}

const thresholds = async () => (await standing()).map(({ ppm }) => ppm);

/** A decision whose effect the target will spoil, signed by a person. */
async function failing(name: string): Promise<string> {
  await house.admin.query("insert into sandbox.ticket (name, note, status, sent) values ($1, 'n', 'open', '')", [name]);
  const decisionId = await house.decide({ changes: [house.closing(name)], confidencePpm: 950_000 });
  await desk().approve({ principal: ada, decisionId });
  return decisionId;
}

async function fail(decisionId: string): Promise<void> {
  await work();
  expect((await house.story(decisionId)).slice(-2)).toEqual(["observed failed", "escalated"]);
}

beforeAll(async () => {
  house = await House.build();
  await spoilTickets(house);
  await writeJudged(house, { confidencePpm: 950_000, sample: earning, agreed: 55, rejected: 0 });
}, 400_000);
afterAll(() => house?.close());

describe("a slice that was never opened", { timeout: 300_000 }, () => {
  it("is not opened by a signature that a breach came after", async () => {
    const proposal = await proposed();
    const decisionId = await failing("spoilt-1");
    const signed = await sign(proposal);
    // Somebody slow holds the signature until the verdict is there.
    const slow = await house.admin.connect();
    await slow.query("begin");
    await slow.query("select from countersign.approval where id = $1 for update", [signed.approvalIds[0]]);
    try {
      expect(await thresholds()).toEqual([]);
      await fail(decisionId);
    } finally {
      await slow.query("rollback");
      slow.release();
    }
    expect(await thresholds()).toEqual([neverAutoPpm]);
    expect(await work()).toMatchObject({ slices: 0, refused: 1 });
    expect(await thresholds()).toEqual([neverAutoPpm]);
  });

  it("is not signed on a proposal that breaches refuted since", async () => {
    await writeJudged(house, { confidencePpm: 950_000, sample: earning, agreed: 30, rejected: 0 });
    const before = await proposed();
    await fail(await failing("spoilt-2"));
    await expect(sign(before)).rejects.toMatchObject({ code: "evidence_changed" });
    expect(await thresholds()).toEqual([neverAutoPpm]);
  });

  it("is not signed on a proposal that people's answers refuted since, which are no breach", async () => {
    await writeJudged(house, { confidencePpm: 950_000, sample: earning, agreed: 50, rejected: 0 });
    const waiting: string[] = [];
    for (let i = 0; i < 20; i += 1)
      waiting.push(await house.decide({ changes: [house.add(`refuted-${i}`)], confidencePpm: 950_000 }));
    const before = await proposed();
    for (const decisionId of waiting) await desk().reject({ principal: ada, decisionId, reason: "not needed" });
    await expect(sign(before)).rejects.toMatchObject({ code: "evidence_changed" });
    expect((await viewed())?.finding).toMatchObject({ kind: "below_bar" });
  });
});

describe("a slice that was earned", { timeout: 300_000 }, () => {
  it("is watched by what it was earned by: decisions that another rule kept back move no watch", async () => {
    await writeJudged(house, { confidencePpm: 950_000, sample: earning, agreed: 600, rejected: 0 });
    await sign(await proposed());
    expect(await work()).toMatchObject({ slices: 1 });
    await house.settled();
    await work();
    for (let i = 0; i < 60; i += 1)
      await house.decide({ changes: [house.add(`kept-${i}`)], confidencePpm: 400_000, rule: "risk_high" });
    await house.settled();
    expect(await work()).toMatchObject({ demoted: 0 });
    expect(await thresholds()).toEqual([950_000]);
  });

  it("lets nothing through where fewer are shown to people than was signed, and comes down", async () => {
    const fewer = sampleOf({ autonomy: { ...usual, auditPpm: 0 } });
    const decisionId = await house.decide({ changes: [house.add("t-audit")], confidencePpm: 950_000, route: "auto" });
    expect(await work(fewer)).toMatchObject({ demoted: 1 });
    expect(await house.states(decisionId)).toEqual([]);
    expect((await desk().autonomy({ principal: oda })).demotions).toEqual([]);
    expect((await viewed())?.thresholdPpm).toBe(neverAutoPpm);
    expect((await desk().autonomy({ principal: oda })).demotions[0]).toMatchObject({ breach: "rule_changed" });
  });

  it("comes down where the bar is raised above its evidence, and its decisions stay evidence", async () => {
    const again = await proposed();
    expect(again.thresholdPpm).toBe(950_000);
    await sign(again);
    expect(await work()).toMatchObject({ slices: 1 });
    expect(await work(sampleOf({ autonomy: { ...usual, leastAgreementPpm: 999_000 } }))).toMatchObject({ demoted: 1 });
    expect(await thresholds()).toEqual([neverAutoPpm]);
    expect((await proposed()).thresholdPpm).toBe(950_000);
  });

  it("comes down where an operation of it can be read by nobody any more and is left to people", async () => {
    await sign(await proposed());
    expect(await work()).toMatchObject({ slices: 1 });
    const decisionId = await house.decide({ changes: [house.add("t-lost")], confidencePpm: 950_000 });
    await desk().approve({ principal: ada, decisionId });
    const lost = async (point: string) => {
      if (point === "observing") throw new Error("connection lost");
    };
    await house.worker({ sample: earning, at: lost, onError: () => {} }).runOnce();
    // Nothing that this project has comes to these parameters.
    await house.admin.query(
      `alter table countersign.operation disable trigger user;
       update countersign.operation set params_digest = repeat('f', 64) where decision_id = '${decisionId}';
       alter table countersign.operation enable trigger user`,
    );
    house.aheadMs += limits.operationLeaseMs + 30_000;
    await work();
    expect((await house.story(decisionId)).at(-1)).toBe("escalated");
    expect(await thresholds()).toEqual([neverAutoPpm]);
  });
});

describe("an owner's close while versions roll", { timeout: 300_000 }, () => {
  it("is carried out by a worker of another version, and holds for every version", async () => {
    const next = sampleOf({ version: "2" });
    for (const one of [earning, next]) {
      await desk(one).openSlice({ ...of, thresholdPpm: 850_000 });
      expect(await work(one)).toMatchObject({ slices: 1 });
    }
    expect(await thresholds()).toEqual([850_000, 850_000]);
    await desk(next).openSlice({ ...of, thresholdPpm: neverAutoPpm });
    expect(await work(earning)).toMatchObject({ slices: 1, refused: 0 });
    expect(await standing()).toEqual([
      { ppm: neverAutoPpm, version: "1" },
      { ppm: neverAutoPpm, version: "2" },
    ]);
  });
});
