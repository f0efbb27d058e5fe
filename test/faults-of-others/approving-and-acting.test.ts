import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { canonicalJson } from "../../src/contract/json.ts";
import { limits } from "../../src/contract/limits.ts";
import type { Proposal } from "../../src/contract/proposal.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import { environmentVault } from "../../src/vault/environment.ts";
import { createWorker, secretsOf, type Worker } from "../../src/worker.ts";
import { forgeApproval } from "../postgres/acting/forge.ts";
import { House, people } from "../postgres/acting/house.ts";
import { type AtPoint, sampleHands, sampleProject } from "../postgres/acting/project.ts";
import { shippedPolicy } from "../setup/policy.ts";

// Faults that other systems shipped around approving and acting, each as what must hold here. Those that other files hold already are
// listed in `faults.ts`.
let house: House;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(() => {
  house.aheadMs = 0;
});

const { ada } = people;
type Sample = ReturnType<typeof sampleProject>;

async function approved(name: string, note = "n", sample: Sample = house.sample): Promise<string> {
  const decisionId = await house.decide({ changes: [{ ...house.add(name, note), effect: sample.add as never }] });
  await house.desk({ project: sample.project }).approve({ principal: ada, decisionId });
  return decisionId;
}

/** A worker that a dead one's operations are free from after `takeOverMs`. */
function workerOf({ sample, at, takeOverMs }: { sample: Sample; at: AtPoint; takeOverMs: number }): Worker {
  const hands = sampleHands(sample, at);
  const env = { SANDBOX_WRITE: house.store.adminUrl, SANDBOX_OBSERVE: house.store.adminUrl };
  return createWorker({
    policy: shippedPolicy,
    ...{ project: sample.project, hands, database: house.acting, ids: house.ids, environment: "demo", takeOverMs },
    vault: environmentVault({ side: "acting", env, declared: secretsOf(hands) }),
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    ...{ pinnedKeys: [house.deskKey.open], policyKey: house.policyKey.secret, payloadKey: house.payloadKey },
    headKeeper: house.heads,
    onError: (thrown) => {
      throw thrown;
    },
  });
}

const patience = { timeout: 60_000 };

describe("an effect that takes longer than the lease under which it is sent", () => {
  it("keeps its lease and is not dispatched twice, however often other workers look", patience, async () => {
    const takeOverMs = 2_000;
    const sample = sampleProject({ timeoutMs: 30_000 });
    const decisionId = await approved("longer-than-its-lease", "n", sample);
    let sends = 0;
    const entered = Promise.withResolvers<void>();
    const isDone = Promise.withResolvers<void>();
    const at: AtPoint = async (point) => {
      if (point !== "arriving") return;
      sends += 1;
      entered.resolve();
      await isDone.promise;
    };
    const [first, second] = [workerOf({ sample, at, takeOverMs }), workerOf({ sample, at, takeOverMs })];
    const working = first.runOnce();
    await entered.promise;
    const text = `select state, fence::int as fence, created_at < clock_timestamp() - interval '${2.5 * takeOverMs} ms' as outlived
      from countersign.operation where decision_id = $1`;
    await vi.waitFor(
      async () => {
        expect(await second.runOnce()).toMatchObject({ reconciled: 0, reserved: 0 });
        expect((await house.admin.query(text, [decisionId])).rows).toEqual([{ state: "applying", fence: 1, outlived: true }]);
      },
      { timeout: 30_000, interval: 100 },
    );
    isDone.resolve();
    await working;
    expect(sends).toBe(1);
    expect(await house.story(decisionId)).toEqual(["decided", "approved", "applying", "applied", "observed complete"]);
    expect(await house.tickets("longer-than-its-lease")).toHaveLength(1);
    await Promise.all([first.stop(), second.stop()]);
  });
});

describe("an effect that hangs beyond its limit", () => {
  it("and is deaf to being aborted is unknown, due at once, and complete when a look finds it", async () => {
    const sample = sampleProject({ timeoutMs: 1_000 });
    const decisionId = await approved("hangs", "n", sample);
    const worker = house.worker({ sample, at: (point) => (point === "committed" ? new Promise(() => {}) : Promise.resolve()) });
    await worker.runOnce();
    const text = "select state, due_at <= clock_timestamp() as is_due from countersign.operation where decision_id = $1";
    expect((await house.admin.query(text, [decisionId])).rows).toEqual([{ state: "unknown", is_due: true }]);
    expect((await house.desk().decision({ principal: ada, decisionId })).state).toBe("unknown");
    expect(await worker.runOnce()).toMatchObject({ reconciled: 1 });
    expect((await house.story(decisionId)).slice(-2)).toEqual(["observed unknown", "observed complete"]);
    expect(await house.tickets("hangs")).toHaveLength(1);
  });

  it("and cannot be looked at either is looked at again until its deadline, and then a person is called: never forgotten", async () => {
    const sample = sampleProject({ timeoutMs: 1_000 });
    const decisionId = await approved("hangs-in-the-dark", "n", sample);
    const at: AtPoint = (point) => (point === "committed" || point === "observing" ? new Promise(() => {}) : Promise.resolve());
    const worker = house.worker({ sample, at });
    await worker.runOnce();
    for (house.aheadMs = 20_000; house.aheadMs < 60_000; house.aheadMs += 20_000) {
      expect(await worker.runOnce()).toMatchObject({ reconciled: 1 });
      expect(await house.states(decisionId)).toEqual(["unknown"]);
    }
    house.aheadMs = 61_000;
    await worker.runOnce();
    expect(await house.states(decisionId)).toEqual(["escalated"]);
    const text = "select to_name from countersign.notice where decision_id = $1 and kind = 'escalated'";
    expect((await house.admin.query(text, [decisionId])).rows).toContainEqual({ to_name: "service-desk" });
  });
});

describe("an approval", () => {
  it.each([
    ["a minute before it expires is applied", limits.approvalMs - 60_000, 1],
    ["a second after it expired is refused", limits.approvalMs + 1_000, 0],
  ] as const)("that a worker comes to %s", async (name, aheadMs, count) => {
    const decisionId = await approved(name);
    house.aheadMs = aheadMs;
    await house.worker().runOnce();
    expect(await house.tickets(name)).toHaveLength(count);
    expect((await house.story(decisionId)).at(-1)).toBe(count === 1 ? "observed complete" : "expired");
  });

  it("of £82,000 never pays £820,000: it is refused by digest, wherever the other amount came in", async () => {
    const digestOf = (amount: string) => sha256Digest.sha256(canonicalJson({ name: "payout", note: amount }));
    const other = { name: "payout", note: "820000" };
    const altered = (proposal: Proposal): Proposal => ({
      ...proposal,
      effects: proposal.effects.map((effect) => ({ ...effect, params: other, paramsDigest: digestOf("820000") })),
    });
    // The resumed run has other params under the digest of the proposal that was approved.
    const resumed = await house.decide({ changes: [house.add("payout", "82000")], alter: altered });
    await forgeApproval(house, { decisionId: resumed });
    // The resumed run is another decision, for which the signature over the first amount is put in.
    const another = await house.decide({ changes: [house.add("payout", "820000")] });
    const firstDigest = { paramsDigest: digestOf("82000") };
    await forgeApproval(house, {
      decisionId: another,
      grant: (good) => ({ ...good, subject: { ...good.subject, ...firstDigest } }),
    });
    await house.worker().runOnce();
    const rules = await Promise.all(
      [resumed, another].map(async (id) => {
        const last = (await house.entries(id)).at(-1);
        return `${last?.kind} ${last?.body["code"]} ${last?.body["rule"]}`;
      }),
    );
    expect(rules).toEqual(["refused approval_mismatch proposal_digest", "refused approval_mismatch params_digest"]);
    expect(await house.tickets("payout")).toEqual([]);
    // The same way in with the amount that was signed is carried out, so that the refusals mean something.
    await forgeApproval(house, { decisionId: await house.decide({ changes: [house.add("payout", "82000")] }) });
    await house.worker().runOnce();
    expect(await house.tickets("payout")).toMatchObject([{ note: "82000" }]);
  });

  it("answered with the opposite keeps its first answer, either way round, and the second is refused and on record", async () => {
    const desk = house.desk();
    const answers = {
      approve: (decisionId: string) => desk.approve({ principal: ada, decisionId }),
      reject: (decisionId: string) => desk.reject({ principal: ada, decisionId, reason: "no" }),
    };
    for (const [first, second, kinds] of [
      ["approve", "reject", ["decided", "approved", "refused approval_used"]],
      ["reject", "approve", ["decided", "rejected", "refused approval_used"]],
    ] as const) {
      const decisionId = await house.decide({ changes: [house.add(`opposite-${first}`)] });
      await answers[first](decisionId);
      await expect(answers[second](decisionId)).rejects.toMatchObject({ code: "approval_used" });
      expect(await house.story(decisionId)).toEqual(kinds);
      await house.worker().runOnce();
      expect(await house.tickets(`opposite-${first}`)).toHaveLength(first === "approve" ? 1 : 0);
    }
  });
});
