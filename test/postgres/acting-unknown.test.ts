import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dedupes } from "../../src/contract/words.ts";
import { House, people } from "./acting/house.ts";
import { type AtPoint, type Point, sampleHands, sampleProject } from "./acting/project.ts";

let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});

const { ada } = people;
const settleMs = 5_000;

/** Throws the first `times` times a point is passed. */
function breaksAt(broken: Point, times = 1): AtPoint {
  let left = times;
  return async (point) => {
    if (point !== broken || left === 0) return;
    left -= 1;
    throw new Error(`connection lost at ${broken}`);
  };
}

async function approved(name: string): Promise<string> {
  const decisionId = await house.decide({ changes: [house.add(name)] });
  await house.desk().approve({ principal: ada, decisionId });
  return decisionId;
}

describe("a reply that is lost", () => {
  it("after the target committed leaves the operation unknown, and a look makes it complete with exactly one row", async () => {
    const decisionId = await approved("lost");
    const worker = house.worker({ at: breaksAt("committed") });
    await worker.runOnce();
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying", "observed unknown"]);
    expect(await house.states(decisionId)).toEqual(["unknown"]);
    expect((await house.desk().decision({ principal: ada, decisionId })).state).toBe("unknown");
    expect(await worker.runOnce()).toMatchObject({ reconciled: 1 });
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying", "observed unknown", "observed complete"]);
    expect(await house.tickets("lost")).toHaveLength(1);
    house.aheadMs = 120_000;
    expect(await worker.runOnce()).toMatchObject({ reconciled: 0 });
    expect(await house.tickets("lost")).toHaveLength(1);
  });

  it("before anything arrived is sent again only when `not there` is proof, under the same key", async () => {
    const decisionId = await approved("never-arrived");
    const keys: string[] = [];
    const first = house.worker({ at: breaksAt("arriving") });
    await first.runOnce();
    await first.runOnce();
    expect(await house.tickets("never-arrived")).toEqual([]);
    expect(await house.states(decisionId)).toEqual(["unknown"]);
    house.aheadMs = settleMs + 1_000;
    await first.runOnce();
    keys.push(...(await house.tickets("never-arrived")).map((ticket) => ticket.sent));
    expect(keys).toHaveLength(1);
    const attempts = (await house.entries(decisionId)).filter((entry) => entry.kind === "applying");
    expect(attempts.map(({ body }) => [body["attempt"], body["generation"], body["fence"]])).toEqual([
      [1, 1, 1],
      [2, 1, 3],
    ]);
    expect((await house.story(decisionId)).at(-1)).toBe("observed complete");
  });

  it("keeps the idempotency key over every send", async () => {
    const decisionId = await approved("same-key");
    const seen: string[] = [];
    const sample = house.sample;
    const hands = sampleHands(sample);
    const [adding, closing] = hands.hands;
    if (adding === undefined || closing === undefined) throw new Error("the sample has two hands");
    const spying = {
      ...adding,
      apply: {
        ...adding.apply,
        bind: async (clients: Parameters<typeof adding.apply.bind>[0]) => {
          const run = await adding.apply.bind(clients);
          return async (...[params, options]: Parameters<typeof run>) => {
            seen.push(options.idempotencyKey);
            if (seen.length < 3) throw new Error("nothing arrived");
            return run(params, options);
          };
        },
      },
    };
    const worker = house.worker({ hands: { ...hands, hands: [spying, closing] } });
    for (let round = 0; round < 4; round += 1) {
      await worker.runOnce();
      house.aheadMs += settleMs + 1_000;
    }
    expect(new Set(seen).size).toBe(1);
    expect(seen).toHaveLength(3);
    expect((await house.story(decisionId)).at(-1)).toBe("observed complete");
  });
});

describe("a call that takes too long", () => {
  it("is aborted, is unknown, and is looked for", async () => {
    const sample = sampleProject({ timeoutMs: 1_000 });
    const decisionId = await house.decide({ changes: [{ ...house.add("slow"), effect: sample.add as never }] });
    await house.desk({ project: sample.project }).approve({ principal: ada, decisionId });
    let isAborted = false;
    const at: AtPoint = (point, signal) =>
      point !== "committed"
        ? Promise.resolve()
        : new Promise((resolve) =>
            signal?.addEventListener("abort", () => {
              isAborted = true;
              resolve();
            }),
          );
    const worker = house.worker({ sample, at });
    await worker.runOnce();
    expect(isAborted).toBe(true);
    expect((await house.story(decisionId)).at(-1)).toBe("observed unknown");
    await worker.runOnce();
    expect((await house.story(decisionId)).at(-1)).toBe("observed complete");
    expect(await house.tickets("slow")).toHaveLength(1);
  });
});

describe("a world that moved between approval and send", () => {
  it("refuses what is stale, sends nothing, and frees the key for a new approval", async () => {
    const decisionId = await approved("moved");
    await house.admin.query("insert into sandbox.ticket (name, note, status, sent) values ('moved', 'by another', 'open', '-')");
    await house.worker().runOnce();
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying", "refused stale_before_state"]);
    expect(await house.tickets("moved")).toHaveLength(1);
    await house.admin.query("delete from sandbox.ticket where name = 'moved'");
    const again = await approved("moved");
    await house.worker().runOnce();
    expect((await house.story(again)).at(-1)).toBe("observed complete");
    const { rows } = await house.admin.query(
      "select generation from countersign.operation where key = 'ticket:moved' order by generation",
    );
    expect(rows).toEqual([{ generation: 1 }, { generation: 2 }]);
  });

  it("refuses what cannot be read before, and what a requirement forbids", async () => {
    const unread = await approved("unread");
    await house.worker({ at: breaksAt("before") }).runOnce();
    expect((await house.story(unread)).at(-1)).toBe("refused record_unavailable");
    expect(await house.tickets("unread")).toEqual([]);
    const forbidden = await approved("forbidden");
    await house.worker().runOnce();
    expect((await house.story(forbidden)).at(-1)).toBe("refused precondition_failed");
  });
});

describe("done means seen", () => {
  it("what was accepted and cannot be read is not done; it is once it is seen", async () => {
    const decisionId = await approved("unseen");
    const worker = house.worker({ at: breaksAt("observing") });
    await worker.runOnce();
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying", "applied", "observed unknown"]);
    expect((await house.desk().decision({ principal: ada, decisionId })).state).not.toBe("done");
    house.aheadMs = 10_000;
    await worker.runOnce();
    expect((await house.story(decisionId)).at(-1)).toBe("observed complete");
  });

  it("what was accepted and is not there is never sent again, and a person is called at the deadline", async () => {
    const decisionId = await approved("vanished");
    const worker = house.worker({
      at: async (point) => {
        if (point === "observing") await house.admin.query("delete from sandbox.ticket where name = 'vanished'");
      },
    });
    await worker.runOnce();
    for (house.aheadMs = 10_000; house.aheadMs < 60_000; house.aheadMs += 10_000) await worker.runOnce();
    expect(await house.states(decisionId)).toEqual(["incomplete"]);
    house.aheadMs = 61_000;
    await worker.runOnce();
    expect(await house.story(decisionId)).toEqual([
      ...["decided", "approved", "applying", "applied", "observed incomplete"],
      ...["observed incomplete", "escalated"],
    ]);
    expect(await house.tickets("vanished")).toEqual([]);
  });

  it("a change that must not be is a failure for a person at once", async () => {
    const decisionId = await house.decide({ changes: [house.add("pair"), house.closing("pair")] });
    await house.desk().approve({ principal: ada, decisionId });
    const hands = sampleHands(house.sample);
    const [adding, closing] = hands.hands;
    if (adding === undefined || closing === undefined) throw new Error("the sample has two hands");
    const apply: typeof closing.apply = {
      ...closing.apply,
      bind: async () => async () => {
        await house.admin.query("update sandbox.ticket set status = 'closed', note = 'overwritten' where name = 'pair'");
        return { targetId: null };
      },
    };
    await house.worker({ hands: { ...hands, hands: [adding, { ...closing, apply }] } }).runOnce();
    const last = (await house.entries(decisionId)).slice(-2);
    expect(last).toMatchObject([
      { kind: "observed", body: { verdict: "failed", forbidden: ["note"] } },
      { kind: "escalated", body: { reason: "forbidden_change", owner: "service-desk" } },
    ]);
  });
});

describe("an unknown that stays unknown", () => {
  it("freezes the key and calls a person at the deadline", async () => {
    const decisionId = await approved("dark");
    const worker = house.worker({
      at: async (point) => {
        if (point === "committed" || point === "observing") throw new Error("no answer");
      },
    });
    await worker.runOnce();
    house.aheadMs = 30_000;
    await worker.runOnce();
    expect(await house.states(decisionId)).toEqual(["unknown"]);
    house.aheadMs = 61_000;
    await worker.runOnce();
    expect((await house.entries(decisionId)).at(-1)?.body).toMatchObject({ reason: "not_readable_by_deadline" });
    house.aheadMs = 0;
    const again = await approved("dark");
    await house.worker({ at: async () => {} }).runOnce();
    expect((await house.story(again)).at(-1)).toBe("refused key_conflict");
    expect(await house.tickets("dark")).toHaveLength(1);
  });

  it.each(dedupes)("is sent again at a target with dedupe `%s` only where that can help", async (dedupe) => {
    const sample = sampleProject({ dedupe });
    const name = `dedupe-${dedupe}`;
    const decisionId = await house.decide({ changes: [{ ...house.add(name), effect: sample.add as never }] });
    await house.desk({ project: sample.project }).approve({ principal: ada, decisionId });
    const worker = house.worker({ sample, at: breaksAt("arriving") });
    await worker.runOnce();
    house.aheadMs = settleMs + 1_000;
    await worker.runOnce();
    expect(await house.tickets(name)).toHaveLength(dedupe === "none" ? 0 : 1);
    expect(await house.states(decisionId)).toEqual([dedupe === "none" ? "escalated" : "complete"]);
  });

  it("is not sent again once its approval has expired", async () => {
    const decisionId = await approved("expired-meanwhile");
    const worker = house.worker({ at: breaksAt("arriving") });
    await worker.runOnce();
    await house.admin.query("update countersign.operation set deadline_at = now() + interval '1 day' where decision_id = $1", [
      decisionId,
    ]);
    house.aheadMs = 4 * 60 * 60 * 1000 + 1_000;
    await worker.runOnce();
    expect((await house.story(decisionId)).at(-1)).toBe("refused approval_expired");
    expect(await house.tickets("expired-meanwhile")).toEqual([]);
  });
});
