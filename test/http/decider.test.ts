import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { keys, openService, type Service } from "./decider-house.ts";

// Requests that come again, at once, or whose sender goes away: at the decider and through the desk.
let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterEach(() => service.letGo());
afterAll(() => service?.close());

const body = (text: string) => JSON.stringify({ capability: "note", inputs: { text } });
const within = { timeout: 15_000 };

describe.each([
  ["the decider", () => service.deciderUrl],
  ["the desk", () => service.deskUrl],
] as const)("%s", (door, url) => {
  const keyOf = (name: string) => `${name}-${door.replace(" ", "-")}`;
  const decide = (text: string, idempotencyKey: string, key: string = keys.ada) =>
    service.send(`${url()}/v1/decisions`, { key, body: body(text), headers: { "idempotency-key": idempotencyKey } });

  test("answers a request that comes again with the decision that it made, however the body is written", async () => {
    const key = keyOf("again");
    const first = await decide("buy milk", key);
    const before = await service.rows();
    const again = await decide("buy milk", key);
    const spaced = await service.send(`${url()}/v1/decisions`, {
      body: '{ "inputs": { "text": "buy\\u0020milk" },\n "capability": "note" }',
      headers: { "idempotency-key": key },
    });
    expect([first.status, again.status, spaced.status]).toEqual([201, 201, 201]);
    expect([again.json.id, spaced.json.id]).toEqual([first.json.id, first.json.id]);
    expect(await service.rows()).toEqual(before);
  });

  test("refuses the same key with another body, and the earlier request stands", async () => {
    const key = keyOf("conflict");
    const first = await decide("buy milk", key);
    const before = await service.rows();
    const other = await decide("buy cream", key);
    expect(other).toMatchObject({ status: 409, json: { code: "idempotency_conflict" } });
    expect(await service.rows()).toEqual(before);
    expect((await decide("buy milk", key)).json.id).toBe(first.json.id);
  });

  test("keeps the keys of two people, and of two tenants, apart", async () => {
    const key = keyOf("people");
    const made = [
      await decide("buy milk", key),
      await decide("buy milk", key, keys.bob),
      await decide("buy milk", key, keys.gil),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(made.map(({ json }) => json.id)).size).toBe(3);
    expect((await decide("buy cream", key, keys.gil)).status).toBe(409);
  });

  test("decides once when the same request comes ten times at the same instant", async () => {
    const key = keyOf("instant");
    service.hold();
    const all = Promise.all(Array.from({ length: 10 }, () => decide("buy milk", key)));
    await expect.poll(() => service.reached(), within).toBe(1);
    service.letGo();
    const answers = await all;
    const ids = await service.decisionsOf(key);
    expect(ids).toHaveLength(1);
    for (const { status, json } of answers) {
      if (status === 201) expect(json.id).toBe(ids[0]);
      else
        expect({ status, code: json.code, of: json.facts.decisionId }).toEqual({ status: 409, code: "in_progress", of: ids[0] });
    }
    expect(answers.some(({ status }) => status === 201)).toBe(true);
  });

  test("answers `in_progress` with the decision's id while the first is being decided", async () => {
    const key = keyOf("progress");
    service.hold();
    const first = decide("buy milk", key);
    await expect.poll(() => service.reached(), within).toBe(1);
    const second = await decide("buy milk", key);
    expect(second).toMatchObject({ status: 409, json: { code: "in_progress" } });
    service.letGo();
    expect((await first).json.id).toBe(second.json.facts.decisionId);
    const seen = await service.send(`${service.deciderUrl}/v1/decisions/${second.json.facts.decisionId}`, { method: "GET" });
    expect(seen.json).toMatchObject({ state: "waiting" });
  });

  test("goes on deciding and records it when the caller goes away in the middle", async () => {
    const key = keyOf("gone");
    service.hold();
    await leaveInTheMiddle(`${url()}/v1/decisions`, { body: body("buy milk"), key, when: () => service.reached() === 1 });
    service.letGo();
    await expect.poll(async () => (await decide("buy milk", key)).status, within).toBe(201);
    const ids = await service.decisionsOf(key);
    expect(ids).toHaveLength(1);
    expect((await service.send(`${service.deciderUrl}/v1/decisions/${ids[0]}`, { method: "GET" })).json).toMatchObject({
      state: "waiting",
      stop: null,
    });
  });

  test("begins nothing when the caller goes away before the body is whole", async () => {
    const before = await service.rows();
    await sendHalf(url());
    expect((await fetch(`${url()}/healthz`)).ok).toBe(true);
    expect(await service.rows()).toEqual(before);
  });

  test("asks with an idempotency key of the greatest length, and the same again", async () => {
    const key = keyOf("long").padEnd(200, "x");
    const ask = () =>
      service.send(`${url()}/v1/ask`, { body: '{"text":"please write a note"}', headers: { "idempotency-key": key } });
    const first = await ask();
    expect(first, first.text).toMatchObject({ status: 201, json: { kind: "decided" } });
    const before = await service.rows();
    expect((await ask()).json.decision.id).toBe(first.json.decision.id);
    expect(await service.rows()).toEqual(before);
  });

  test("tells one's own decision and its story, under one id everywhere", async () => {
    const { json } = await decide("buy milk", keyOf("story"));
    const one = await service.send(`${url()}/v1/decisions/${json.id}`, { method: "GET" });
    const story = await service.send(`${url()}/v1/decisions/${json.id}/story`, { method: "GET" });
    expect(one.json).toMatchObject({ id: json.id, entryId: json.entryId, tenant: "acme", requestedBy: "ada", isScripted: true });
    expect(story.json.items).toMatchObject([{ id: json.entryId, kind: "decided", writer: "deciding" }]);
    expect(one.headers.get("cache-control")).toBe("no-store");
  });
});

test("after all that the ledger verifies, nothing is half done and no fault was met", async () => {
  await expect.poll(() => service.openIntents(), within).toBe(0);
  for (const report of await service.verify()) expect(report).toMatchObject({ broken: null, unsealed: { count: 0 } });
  expect(service.faults).toEqual([]);
});

/** Sends a request and drops the connection once `when` holds, before an answer came. */
async function leaveInTheMiddle(
  url: string,
  { body, key, when }: { body: string; key: string; when: () => boolean },
): Promise<void> {
  const headers = {
    authorization: await service.bearer(url, keys.ada),
    "content-type": "application/json",
    "idempotency-key": key,
  };
  const sent = request(url, { method: "POST", headers });
  const closed = new Promise<void>((resolve) => sent.on("close", () => resolve()));
  sent.on("error", () => {});
  sent.end(body);
  await expect.poll(when, within).toBe(true);
  sent.destroy();
  await closed;
}

/** Promises 1,000 bytes, sends a whole request's worth of fewer, and hangs up. */
async function sendHalf(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const lines = [
    "POST /v1/decisions HTTP/1.1",
    "host: x",
    `authorization: ${await service.bearer(url, keys.ada)}`,
    "content-type: application/json",
    "content-length: 1000",
    "",
    body("half"),
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(lines.join("\r\n"), () => socket.end()));
    socket.on("error", reject).on("close", () => resolve());
    socket.resume();
  });
}
