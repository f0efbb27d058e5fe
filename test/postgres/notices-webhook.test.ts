import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mostAttempts } from "../../src/act/notify/back-off.ts";
import { webhook } from "../../src/act/notify/webhook.ts";
import { noticeKinds } from "../../src/contract/words.ts";
import { writeNotices } from "../../src/ledger/notices.ts";
import type { Worker } from "../../src/worker.ts";
import { House, people } from "./acting/house.ts";
import { sampleHands } from "./acting/project.ts";
import type { NotifyingChild } from "./notify/child.ts";
import { faults, notice, standing } from "./notify/notices.ts";
import { type Arrived, openReceiver, type Receiver } from "./notify/receiver.ts";

const key = Buffer.alloc(32, 7);
const secrets = { NOTICE_SECRET: `whsec_${key.toString("base64")}` };

let house: House;
let receiver: Receiver;
beforeAll(async () => {
  house = await House.build();
});
afterAll(() => house?.close());
beforeEach(async () => {
  house.aheadMs = 0;
  receiver = await openReceiver();
});
afterEach(async () => {
  await receiver.close();
  // What one test leaves unsent is no business of the next one.
  await house.admin.query("update countersign.notice set state = 'failed' where state = 'waiting'");
});

function notifying({
  url = receiver.url,
  onError = faults().onError,
}: {
  url?: string;
  onError?: (thrown: unknown) => void;
} = {}): Worker {
  const hands = { ...sampleHands(house.sample), notify: [webhook({ url, secret: "NOTICE_SECRET" })] };
  return house.worker({ hands, secrets, onError });
}

/** Verifies as the receiver's side of Standard Webhooks does, by other means than what signed. */
async function isGenuine({ headers, body }: Arrived): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
  const signatures = String(headers["webhook-signature"]).split(" ");
  const checked = signatures.map(async (one) => {
    const [version, value = ""] = one.split(",");
    return version === "v1" && (await crypto.subtle.verify(algorithm, imported, Buffer.from(value, "base64"), signed));
  });
  return (await Promise.all(checked)).includes(true);
}

describe("a notice", () => {
  it("about a case names the case, and its decision where there is one", async () => {
    const caseId = house.ids.next();
    const about = { tenant: "acme", kind: "escalated", caseId, to: { kind: "owner", name: "office" } } as const;
    for (const decisionId of [null, house.ids.next()]) {
      const told = { ...about, entryId: house.ids.next(), decisionId };
      await house.acting.inTenant("acme", (tx) => writeNotices({ tx, notices: [told] }));
      await notifying().runOnce();
      const body = JSON.parse(receiver.got.at(-1)?.body ?? "{}");
      expect(body).toMatchObject({ kind: "escalated", decisionId, caseId, path: `/v1/cases/${caseId}` });
    }
  });

  it.each(noticeKinds)("of the kind %s is sent once, signed, with ids and a path and nothing else", async (kind) => {
    const decisionId = await notice(house, { kind, to: { kind: "role", name: 'a"b\r\nx: y' } });
    const worker = notifying();
    expect(await worker.runOnce()).toMatchObject({ told: 1 });
    house.aheadMs = 3_600_000;
    expect(await worker.runOnce()).toMatchObject({ told: 0 });
    const [row] = await standing(house, decisionId);
    expect(row).toMatchObject({ state: "sent", attempts: 1 });
    expect(receiver.got).toHaveLength(1);
    const [arrived] = receiver.got as [Arrived];
    expect(await isGenuine(arrived)).toBe(true);
    expect(await isGenuine({ ...arrived, body: `${arrived.body} ` })).toBe(false);
    expect(arrived.headers).toMatchObject({
      "webhook-id": row?.id,
      "idempotency-key": row?.id,
      "content-type": "application/json",
    });
    expect(JSON.parse(arrived.body)).toEqual({
      id: row?.id,
      kind,
      tenant: "acme",
      decisionId,
      to: { kind: "role", name: 'a"b\r\nx: y' },
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      path: `/${kind === "waiting_review" ? "review" : "decisions"}/${decisionId}`,
    });
    expect(Math.abs(Number(arrived.headers["webhook-timestamp"]) * 1000 - Date.now())).toBeLessThan(60_000);
  });

  it("of an effect that a person approved reaches whoever listens, without what the decision holds", async () => {
    const decisionId = await house.decide({ changes: [house.add("confidential-name")] });
    const worker = notifying();
    await worker.runOnce();
    await house.desk().approve({ principal: people.ada, decisionId });
    await worker.runOnce();
    await worker.runOnce();
    expect(receiver.got.map(({ body }) => JSON.parse(body).kind)).toEqual(["waiting_review", "outcome"]);
    expect(receiver.got.map(({ body }) => body).join()).not.toContain("confidential");
  });

  it("stays in the outbox where the project has no channel", async () => {
    const decisionId = await notice(house);
    expect(await house.worker().runOnce()).toMatchObject({ told: 0 });
    expect(await standing(house, decisionId)).toMatchObject([{ state: "waiting", attempts: 0 }]);
  });
});

describe("a receiver", () => {
  it("that fails and then takes it is sent the same again, not before its time", async () => {
    const decisionId = await notice(house);
    receiver.answer = () => (receiver.got.length === 1 ? 500 : 200);
    const { said, onError } = faults();
    const worker = notifying({ onError });
    await worker.runOnce();
    await worker.runOnce();
    expect(await standing(house, decisionId)).toMatchObject([{ state: "waiting", attempts: 1 }]);
    house.aheadMs = 6_000;
    await worker.runOnce();
    expect(await standing(house, decisionId)).toMatchObject([{ state: "sent", attempts: 2 }]);
    const [first, second, ...more] = receiver.got;
    expect(more).toEqual([]);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("status 500");
    for (const secret of [secrets.NOTICE_SECRET, String(receiver.port), "words that nobody reads"])
      expect(said.join()).not.toContain(secret);
  });

  it("that says 410 is not asked again about it", async () => {
    const decisionId = await notice(house);
    receiver.answer = () => 410;
    const worker = notifying();
    await worker.runOnce();
    house.aheadMs = 3_600_000;
    await worker.runOnce();
    expect(receiver.got).toHaveLength(1);
    expect(await standing(house, decisionId)).toMatchObject([{ state: "failed", attempts: 1 }]);
  });

  it("that redirects is not followed", async () => {
    const decisionId = await notice(house);
    receiver.answer = () => 302;
    await notifying().runOnce();
    expect(receiver.got).toHaveLength(1);
    expect(await standing(house, decisionId)).toMatchObject([{ state: "waiting" }]);
  });

  it("that was dead is told when it lives", async () => {
    const { port, url } = receiver;
    await receiver.close();
    const decisionId = await notice(house);
    const { said, onError } = faults();
    const worker = notifying({ url, onError });
    await worker.runOnce();
    expect(await standing(house, decisionId)).toMatchObject([{ state: "waiting", attempts: 1 }]);
    expect(said[0]).toContain("ECONNREFUSED");
    receiver = await openReceiver(port);
    house.aheadMs = 6_000;
    await worker.runOnce();
    expect(receiver.got).toHaveLength(1);
    expect(await standing(house, decisionId)).toMatchObject([{ state: "sent", attempts: 2 }]);
  });

  it("that never takes it is given up", async () => {
    const decisionId = await notice(house);
    receiver.answer = () => null;
    const { said, onError } = faults();
    const worker = notifying({ onError });
    for (let attempt = 0; attempt <= mostAttempts; attempt += 1) {
      await worker.runOnce();
      house.aheadMs += 24 * 3_600_000;
    }
    expect(receiver.got).toHaveLength(mostAttempts);
    expect(said.filter((line) => line.includes("given up"))).toHaveLength(1);
    expect(await standing(house, decisionId)).toMatchObject([{ state: "failed", attempts: mostAttempts }]);
  });

  it("that does not answer holds up neither the end of the worker nor the notice", async () => {
    const decisionId = await notice(house);
    const held = Promise.withResolvers<number>();
    receiver.answer = () => held.promise;
    const worker = notifying();
    worker.start();
    await expect.poll(() => receiver.got.length).toBe(1);
    await worker.stop();
    held.resolve(200);
    expect(await standing(house, decisionId)).toMatchObject([{ state: "waiting", attempts: 1 }]);
  });
});

describe("a notice whose sends ended their workers each time", () => {
  it("is given up without another send", async () => {
    const decisionId = await notice(house);
    await house.admin.query("update countersign.notice set attempts = $2 where decision_id = $1", [decisionId, mostAttempts]);
    const { said, onError } = faults();
    expect(await notifying({ onError }).runOnce()).toMatchObject({ told: 1 });
    expect(receiver.got).toEqual([]);
    expect(said).toHaveLength(1);
    expect(await standing(house, decisionId)).toMatchObject([{ state: "failed" }]);
  });
});

describe("several workers", () => {
  it("that send in the same instant send each notice once", async () => {
    const decisions = await Promise.all(Array.from({ length: 16 }, () => notice(house)));
    const all = Promise.withResolvers<number>();
    // Nobody is answered before both have sent a batch, so both are at it together.
    receiver.answer = () => {
      if (receiver.got.length === decisions.length) all.resolve(200);
      return all.promise;
    };
    const told = await Promise.all([notifying().runOnce(), notifying().runOnce()]);
    expect(told.map((counts) => counts.told)).toEqual([8, 8]);
    expect(new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(16);
    expect(receiver.got).toHaveLength(16);
    for (const decisionId of decisions) expect(await standing(house, decisionId)).toMatchObject([{ state: "sent", attempts: 1 }]);
  });

  it("of which one is killed between its send and its record send again with the same id, when its time is over", async () => {
    const decisionId = await notice(house);
    const held = Promise.withResolvers<number | null>();
    receiver.answer = () => held.promise;
    const env = { SANDBOX_WRITE: house.store.adminUrl, SANDBOX_OBSERVE: house.store.adminUrl, ...secrets };
    const settings: NotifyingChild = {
      ...{ url: receiver.url, actingUrl: house.store.urls.acting, env },
      ...{ pinnedKeys: [house.deskKey.open], policyKey: house.policyKey.secret },
    };
    const child = spawn(process.execPath, [fileURLToPath(new URL("./notify/child.ts", import.meta.url))], {
      env: { ...process.env, SETTINGS: JSON.stringify(settings) },
      stdio: ["ignore", "inherit", "inherit"],
    });
    await expect.poll(() => receiver.got.length, { timeout: 15_000 }).toBe(1);
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    held.resolve(null);
    expect(await standing(house, decisionId)).toMatchObject([{ state: "waiting", attempts: 1 }]);
    receiver.answer = () => 200;
    const worker = notifying();
    expect(await worker.runOnce()).toMatchObject({ told: 0 });
    house.aheadMs = 61_000;
    expect(await worker.runOnce()).toMatchObject({ told: 1 });
    const ids = receiver.got.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await standing(house, decisionId)).toMatchObject([{ state: "sent", attempts: 2 }]);
  });
});
