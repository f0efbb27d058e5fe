import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Dedupe, dedupes } from "../../src/contract/words.ts";
import { House, people } from "../postgres/acting/house.ts";
import { type AtPoint, type Point, sampleProject } from "../postgres/acting/project.ts";
import { spawnWorker } from "../postgres/acting/spawn.ts";
import { killWorkerAt } from "./one-consequence/killed-worker.ts";
import { openTarget, type Target, targetSql } from "./one-consequence/target.ts";

// Law 6: one business key, one consequence. The sandbox has no constraint of its own, so every double shows as a row; where a kind of
// target is at stake, it offers what that kind promises and nothing more. (Stopped in mid-call: test/postgres/acting-crash.slow.test.ts;
// free again after it was undone: test/postgres/acting-undo.test.ts.)
let house: House;
const targets: Target[] = [];
beforeAll(async () => {
  house = await House.build();
  await house.admin.query(targetSql);
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});
afterEach(async () => {
  await Promise.all(targets.splice(0).map((target) => target.close()));
});

type Sample = ReturnType<typeof sampleProject>;

async function decided(name: string, note = "n", sample: Sample = house.sample): Promise<string> {
  return house.decide({ changes: [{ ...house.add(name, note), effect: sample.add as never }] });
}

async function approved(name: string, note = "n", sample: Sample = house.sample): Promise<string> {
  const decisionId = await decided(name, note, sample);
  await house.desk({ project: sample.project }).approve({ principal: people.ada, decisionId });
  return decisionId;
}

const endOf = async (decisionId: string) => (await house.story(decisionId)).at(-1);

/** The generations of the operations under a name. */
async function generations(name: string): Promise<number[]> {
  const text = "select generation from countersign.operation where key = $1 order by generation";
  return (await house.admin.query<{ generation: number }>(text, [`ticket:${name}`])).rows.map(({ generation }) => generation);
}

/** Works until long after every deadline, as often as a restless operator would. */
async function workForLong(at: AtPoint): Promise<void> {
  const workers = [house.worker({ at, onError: () => {} }), house.worker({ at, onError: () => {} })];
  for (house.aheadMs = 0; house.aheadMs < 100_000; house.aheadMs += 4_000)
    await Promise.all(workers.map((worker) => worker.runOnce()));
}

function openKind(dedupe: Dedupe, at?: AtPoint): { sample: Sample; target: Target } {
  const sample = sampleProject({ dedupe });
  const target = openTarget({ sample, dedupe, url: house.store.adminUrl, ...(at === undefined ? {} : { at }) });
  targets.push(target);
  return { sample, target };
}

describe("law 6: an operation is never applied twice", () => {
  test.each<[Point, number]>([
    ["committed", 1],
    ["committed", 2],
    ["arriving", 1],
    ["arriving", 2],
    ["observing", 1],
    ["observing", 3],
  ])("when the point `%s` fails %i times", async (broken, times) => {
    const name = `${broken}-${times}`;
    await approved(name);
    let left = times;
    await workForLong(async (point) => {
      if (point !== broken || left === 0) return;
      left -= 1;
      throw new Error("connection lost");
    });
    expect(left).toBe(broken === "committed" ? times - 1 : 0);
    expect(await house.tickets(name)).toHaveLength(1);
  });

  test("when a change that was sent shows late, within the settle time", async () => {
    const decisionId = await approved("late");
    let sends = 0;
    const worker = house.worker({
      at: async (point) => {
        if (point !== "arriving") return;
        sends += 1;
        if (sends === 1) throw new Error("no answer yet; it is still on its way");
      },
    });
    await worker.runOnce();
    await worker.runOnce();
    await house.admin.query("insert into sandbox.ticket (name, note, status, sent) values ('late', 'n', 'open', 'arrived late')");
    house.aheadMs = 6_000;
    await worker.runOnce();
    expect(await house.states(decisionId)).toEqual(["complete"]);
    expect(await house.tickets("late")).toMatchObject([{ sent: "arrived late" }]);
  });
});

describe("law 6: at a target of any kind, and over the death of a worker's process", () => {
  const cases = dedupes.flatMap((dedupe) => [[dedupe, "arriving"] as const, [dedupe, "committed"] as const]);
  test.each(cases)("`%s`, killed at `%s`: one consequence, or none and a person", { timeout: 60_000 }, async (dedupe, point) => {
    const { sample, target } = openKind(dedupe);
    const name = `killed-${dedupe}-${point}`;
    const decisionId = await approved(name, "n", sample);
    await killWorkerAt(point, { house, dedupe });
    expect(await house.tickets(name)).toHaveLength(point === "committed" ? 1 : 0);
    const workers = [house.worker({ sample, hands: target.hands }), house.worker({ sample, hands: target.hands })];
    for (house.aheadMs = 0; house.aheadMs < 75_000; house.aheadMs += 15_000)
      await Promise.all(workers.map((worker) => worker.runOnce()));
    // Where the target cannot help, what may have happened is never sent again.
    const isLost = dedupe === "none" && point === "arriving";
    expect(await house.tickets(name)).toHaveLength(isLost ? 0 : 1);
    expect(await house.states(decisionId)).toEqual([isLost ? "escalated" : "complete"]);
    expect(target.sends).toHaveLength(point === "committed" || isLost ? 0 : 1);
  });

  test("`fence`: a send of an overtaken worker that arrives between the look and the next send is refused by the target", async () => {
    const late = Promise.withResolvers<void>();
    const { sample, target } = openKind("fence", async (point) => (point === "arriving" ? late.promise : undefined));
    const decisionId = await approved("overtaken", "n", sample);
    const overtaken = house.worker({ sample, hands: target.hands, onError: () => {} }).runOnce();
    await vi.waitFor(() => expect(target.sends).toHaveLength(1));
    const after = openTarget({
      ...{ sample, dedupe: "fence", url: house.store.adminUrl },
      at: async (point) => {
        if (point !== "arriving") return;
        late.resolve();
        await overtaken;
      },
    });
    targets.push(after);
    const worker = house.worker({ sample, hands: after.hands });
    for (house.aheadMs = 20_000; house.aheadMs <= 40_000; house.aheadMs += 10_000) await worker.runOnce();
    expect([target.sends, after.sends].map((sends) => sends.map(({ fence }) => fence))).toEqual([[1], [2]]);
    expect(await house.tickets("overtaken")).toHaveLength(1);
    expect(await house.states(decisionId)).toEqual(["complete"]);
  });

  test("what committed, lost its reply and shows late is sent again under the same key, which the target honours: no second consequence", async () => {
    let isLost = false;
    const { sample, target } = openKind("key", async (point) => {
      if (point !== "committed" || isLost) return;
      isLost = true;
      throw new Error("the reply is lost");
    });
    const [adding, closing] = target.hands.hands;
    if (adding === undefined || closing === undefined) throw new Error("the sample has two hands");
    // A copy that is behind: it shows nothing before the second send.
    const bind: typeof adding.observe.bind = async (clients) => {
      const look = await adding.observe.bind(clients);
      return async (...rest) => (target.sends.length < 2 ? null : look(...rest));
    };
    const behind = { ...adding, observe: { ...adding.observe, bind } };
    const decisionId = await approved("behind", "n", sample);
    const worker = house.worker({ sample, hands: { ...target.hands, hands: [behind, closing] } });
    for (house.aheadMs = 0; house.aheadMs <= 20_000; house.aheadMs += 10_000) await worker.runOnce();
    expect(await house.states(decisionId)).toEqual(["complete"]);
    expect(target.sends).toHaveLength(2);
    expect(new Set(target.sends.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(await house.tickets("behind")).toHaveLength(1);
  });
});

describe("law 6: one key", () => {
  test("that is approved four times in the same instant is applied once, by two workers and by three processes", {
    timeout: 60_000,
  }, async () => {
    const decisions = [await approved("quadruple"), await approved("quadruple")];
    decisions.push(await approved("quadruple"), await approved("quadruple"));
    const processes = [1, 2, 3].map(() => spawnWorker(house, null));
    const [one, two] = [house.worker(), house.worker()];
    await Promise.all([one.runOnce(), two.runOnce(), ...processes.map((process) => process.prints("round done"))]);
    await house.worker().runOnce();
    expect(await house.tickets("quadruple")).toHaveLength(1);
    expect(await generations("quadruple")).toEqual([1]);
    // Each of the four is told that it is done; three by the one operation of another.
    expect(new Set(await Promise.all(decisions.map(endOf)))).toEqual(new Set(["observed complete"]));
    const begun = await Promise.all(decisions.map(async (id) => (await house.story(id)).includes("applying")));
    expect(begun.filter(Boolean)).toHaveLength(1);
  });

  test("that is asked for with other params at once has one consequence: whichever is second is refused", async () => {
    const decisions = [await approved("amount", "10"), await approved("amount", "1000")];
    await Promise.all([house.worker().runOnce(), house.worker().runOnce()]);
    await house.worker().runOnce();
    expect(await house.tickets("amount")).toHaveLength(1);
    expect((await Promise.all(decisions.map(endOf))).sort()).toEqual(["observed complete", "refused key_conflict"]);
  });

  test("is one tenant's: another tenant's stands beside it", async () => {
    const ours = await approved("both");
    const theirs = await house.decide({ changes: [house.add("both")], tenant: "globex" });
    await house.desk().approve({ principal: people.gus, decisionId: theirs });
    await house.worker().runOnce();
    expect([await endOf(ours), await endOf(theirs)]).toContain("observed complete");
    const text = "select tenant, generation from countersign.operation where key = 'ticket:both' order by tenant";
    expect((await house.admin.query(text)).rows).toEqual(["acme", "globex"].map((tenant) => ({ tenant, generation: 1 })));
  });

  test("is held while nobody knows what became of it, and frozen once a person was called: nothing is sent under it", async () => {
    const sample = sampleProject({ dedupe: "none" });
    const first = await approved("frozen", "n", sample);
    const dark = house.worker({ sample, at: breakAt("committed", "observing") });
    await dark.runOnce();
    expect(await house.states(first)).toEqual(["unknown"]);
    const [same, other] = [await approved("frozen", "n", sample), await approved("frozen", "m", sample)];
    await dark.runOnce();
    expect([await endOf(same), await endOf(other)]).toEqual(["approved", "refused key_conflict"]);
    house.aheadMs = 61_000;
    await dark.runOnce();
    expect(await house.states(first)).toEqual(["escalated"]);
    house.aheadMs = 62_000;
    await house.worker({ sample }).runOnce();
    expect(await endOf(same)).toBe("refused key_conflict");
    expect(await generations("frozen")).toEqual([1]);
    expect(await house.tickets("frozen")).toHaveLength(1);
  });
});

describe("law 6: a key is free again only for a new signature, as a new generation under another idempotency key", () => {
  const keyOf = async (name: string) => (await house.tickets(name)).map(({ sent }) => sent);

  test("after nothing was sent", async () => {
    await house.admin.query("insert into sandbox.ticket (name, note, status, sent) values ('stale', 'other', 'open', '-')");
    const stale = await approved("stale");
    await house.worker().runOnce();
    expect(await endOf(stale)).toBe("refused stale_before_state");
    await house.admin.query("delete from sandbox.ticket where name = 'stale'");
    await house.worker().runOnce();
    expect(await house.tickets("stale")).toEqual([]);
    const again = await approved("stale");
    await house.worker().runOnce();
    expect(await endOf(again)).toBe("observed complete");
    expect(await generations("stale")).toEqual([1, 2]);
  });

  test("after a person found that it had not happened", async () => {
    const sample = sampleProject({ dedupe: "none" });
    const { sample: kind, target } = openKind("none", breakAt("arriving"));
    const lost = await approved("absent", "n", kind);
    const worker = house.worker({ sample: kind, hands: target.hands });
    await worker.runOnce();
    house.aheadMs = 61_000;
    await worker.runOnce();
    const finding = { effectIndex: 0, outcome: "not_happened", reason: "looked it up", evidence: "the target's screen" } as const;
    await house.desk().resolve({ principal: people.amy, decisionId: lost, ...finding });
    await worker.runOnce();
    expect(await endOf(lost)).toBe("refused found_not_applied");
    const [again, third] = [await approved("absent", "n", sample), await approved("absent", "n", sample)];
    await house.worker({ sample }).runOnce();
    expect(new Set([await endOf(again), await endOf(third)])).toEqual(new Set(["observed complete"]));
    expect(await generations("absent")).toEqual([1, 2]);
    expect(await keyOf("absent")).not.toContain(target.sends[0]?.idempotencyKey);
    expect(await keyOf("absent")).toHaveLength(1);
  });
});

function breakAt(...points: readonly Point[]): AtPoint {
  return async (point) => {
    if (points.includes(point)) throw new Error("no answer");
  };
}
