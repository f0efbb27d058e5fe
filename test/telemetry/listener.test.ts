import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { metricsVariables } from "../../src/cli/metrics-place.ts";
import { type Listening, listen } from "../../src/server/listen.ts";
import { checkMetricsKey, metricsRoutes } from "../../src/server/metrics.ts";

const key = "a-key-of-the-scraper-4711-long-enough";
let listening: Listening;
beforeAll(async () => {
  const app = metricsRoutes({ text: async () => "countersign_process_up 1\n", key, log: () => {} });
  expect(app.rows.filter(({ by }) => by !== "none")).toEqual([{ method: "GET", path: "/metrics", by: "key" }]);
  listening = await listen({ app, host: "127.0.0.1", port: 0 });
});
afterAll(() => listening?.close());

const get = (headers: Record<string, string> = {}, path = "/metrics") => fetch(`${listening.url}${path}`, { headers });

describe("/metrics", () => {
  it("is told to whoever brings the key, in the text form of Prometheus", async () => {
    const response = await get({ authorization: `Bearer ${key}` });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await response.text()).toBe("countersign_process_up 1\n");
  });

  it.each<[string, Record<string, string>]>([
    ["nobody", {}],
    ["another key", { authorization: `Bearer ${key.slice(0, -1)}x` }],
    ["the beginning of the key", { authorization: `Bearer ${key.slice(0, -1)}` }],
    ["the key by another scheme", { authorization: `Basic ${key}` }],
    ["the key in another header", { "x-api-key": key }],
  ])("is refused to %s", async (_who, headers) => {
    const response = await get(headers);
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain("process_up");
  });

  it("is all there is besides health, and takes no other method", async () => {
    expect((await get({}, "/healthz")).status).toBe(200);
    expect((await get({ authorization: `Bearer ${key}` }, "/v1/decisions")).status).toBe(404);
    const post = await fetch(`${listening.url}/metrics`, { method: "POST", headers: { authorization: `Bearer ${key}` } });
    expect(post.status).toBe(405);
  });
});

it.each(["", "short", "has a space in it and is long enough"])("no key that can be guessed is taken: %j", (bad) => {
  expect(() => checkMetricsKey(bad)).toThrow(/24 to 200 printable/);
});

it("`start` gives each process a port of its own, and none where none is set", () => {
  const env = { COUNTERSIGN_METRICS_PORT: "9464", COUNTERSIGN_METRICS_KEY: key };
  const ports = (["deciding", "desk", "acting", "ingesting"] as const).map(
    (role) => metricsVariables(env, role)["COUNTERSIGN_METRICS_PORT"],
  );
  expect(ports).toEqual(["9464", "9465", "9466", "9467"]);
  expect(metricsVariables({}, "desk")).toEqual({});
  expect(() => metricsVariables({ COUNTERSIGN_METRICS_PORT: "65535" }, "desk")).toThrow(/three after it/);
  expect(() => metricsVariables({ COUNTERSIGN_METRICS_PORT: "many" }, "desk")).toThrow(/not a port/);
});
