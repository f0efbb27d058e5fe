import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { keys, openService, type Service } from "./decider-house.ts";

// `Prefer: wait`: callers wait for a verdict without keeping the database busy, and never for longer than they are there.
const mostWaiting = 2;
let service: Service;
beforeAll(async () => {
  service = await openService({ mostWaiting });
});
afterAll(() => service?.close());
beforeEach(() => Object.assign(service.looks, { views: 0, marks: 0 }));

const within = { timeout: 15_000 };

describe.each([
  ["the decider", () => service.deciderUrl],
  ["the desk", () => service.deskUrl],
] as const)("at %s", (door, url) => {
  let number = 0;
  /** A decision that was signed and moves no further here; the same request again gives it back. */
  async function signed() {
    number += 1;
    const key = `${door.replace(" ", "-")}-${number}`;
    const { json } = await service.send(`${url()}/v1/decisions`, sentAs(key));
    await service.send(`${service.deskUrl}/v1/reviews/${json.id}/approve`, { key: keys.eve, body: "{}" });
    return { id: String(json.id), again: (seconds: number) => timed(key, seconds) };
  }
  async function timed(key: string, seconds: number) {
    const begun = performance.now();
    const { json } = await service.send(`${url()}/v1/decisions`, sentAs(key, seconds));
    return { state: json.state, ms: performance.now() - begun };
  }
  const sentAs = (key: string, seconds?: number) => ({
    body: JSON.stringify({ capability: "note", inputs: { text: "wait for it" } }),
    headers: { "idempotency-key": key, ...(seconds === undefined ? {} : { prefer: `wait=${seconds}` }) },
  });
  /** Begins to wait for a decision; `leave` hangs up. */
  async function waiting(key: string): Promise<{ leave: () => void }> {
    const { body, headers } = sentAs(key, 25);
    const authorization = await service.bearer(url(), keys.ada);
    const all = { ...headers, authorization, "content-type": "application/json" };
    const sent = request(`${url()}/v1/decisions`, { method: "POST", headers: all });
    sent.on("error", () => {});
    sent.end(body);
    return { leave: () => sent.destroy() };
  }

  test("looks at a mark while nothing happens, seldom, and opens the decision once", async () => {
    const { again } = await signed();
    expect(await again(3)).toMatchObject({ state: "signed" });
    expect(service.looks.views).toBe(1);
    expect(service.looks.marks).toBeGreaterThan(2);
    expect(service.looks.marks).toBeLessThan(10);
  });

  test("tells the verdict once it is there", async () => {
    const { id, again } = await signed();
    const answer = again(25);
    await expect.poll(() => service.looks.marks, within).toBeGreaterThan(1);
    await service.observe(id);
    const { state, ms } = await answer;
    expect(state).toBe("done");
    expect(ms).toBeLessThan(20_000);
    expect(service.looks.views).toBe(2);
  });

  test("answers at once where too many wait, and lets others wait once those have hung up", async () => {
    const { again } = await signed();
    const key = `${door.replace(" ", "-")}-${number}`;
    const first = await Promise.all(Array.from({ length: mostWaiting }, () => waiting(key)));
    await expect.poll(() => service.looks.views, within).toBe(mostWaiting);
    const { state, ms } = await again(25);
    expect(state).toBe("signed");
    expect(ms).toBeLessThan(10_000);
    for (const caller of first) caller.leave();
    await expect.poll(async () => (await again(1)).ms, within).toBeGreaterThan(900);
  });
});
