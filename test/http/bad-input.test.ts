import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodies, decide } from "./decider-bad-bodies.ts";
import { keys, openService, type Service } from "./decider-house.ts";
import { expectProblem } from "./problem.ts";

// What people, programs and attackers send by mistake or on purpose, at both doors. Each is told a code and what to do; nothing of
// it is written but what the ledger is meant to keep.
let service: Service;
let decisionId: string;
beforeAll(async () => {
  service = await openService();
  const made = await service.send(`${service.deciderUrl}/v1/decisions`, {
    body: JSON.stringify({ capability: "note", inputs: { text: "a first note" } }),
  });
  expect(made.json).toMatchObject({ state: "waiting" });
  decisionId = made.json.id;
});
afterAll(() => service?.close());

const doors = [
  ["the decider", () => service.deciderUrl],
  ["the desk", () => service.deskUrl],
] as const;

describe.each(doors)("%s", (_name, url) => {
  test.each(bodies)("refuses %s and writes nothing", async (_what, body, code) => {
    const before = await service.rows();
    expectProblem(await service.send(`${url()}/v1/decisions`, { body }), code);
    expect(await service.rows()).toEqual(before);
  });

  test.each([
    ["text/plain", "bad_json"],
    ["application/x-www-form-urlencoded", "bad_json"],
    ["multipart/form-data; boundary=x", "bad_json"],
    ["application/json; charset=utf-16", "bad_json"],
    ["application/jsonp", "bad_json"],
  ] as const)("refuses the type `%s` and writes nothing", async (type, code) => {
    const before = await service.rows();
    expectProblem(
      await service.send(`${url()}/v1/decisions`, { body: decide('{"text":"x"}'), headers: { "content-type": type } }),
      code,
    );
    expect(await service.rows()).toEqual(before);
  });

  test.each(["application/json; charset=UTF-8", 'application/json;charset="utf-8"', "Application/JSON"])(
    "takes the type `%s`",
    async (type) => {
      const taken = await service.send(`${url()}/v1/decisions`, {
        body: decide('{"text":"x"}'),
        headers: { "content-type": type },
      });
      expect(taken.status, taken.text).toBe(201);
    },
  );

  test("records the refusal of inputs that do not fit, and says where", async () => {
    for (const inputs of [
      '{"text":""}',
      '{"text":7}',
      "{}",
      "[]",
      "null",
      '"x"',
      '{"text":"x","pages":0.5}',
      `{"text":"${"x".repeat(501)}"}`,
      '{"text":"x","unknown":1}',
    ]) {
      const before = await service.rows();
      const refused = await service.send(`${url()}/v1/decisions`, { body: decide(inputs) });
      expectProblem(refused, "input_invalid");
      const { decisionId: id, entryId } = refused.json.facts;
      const seen = await service.send(`${service.deciderUrl}/v1/decisions/${id}`, { method: "GET" });
      expect(seen.json).toMatchObject({ id, entryId, state: "stopped", stop: { reason: "input_invalid" } });
      const after = await service.rows();
      expect([(after["entry"] ?? 0) - (before["entry"] ?? 0), (after["intent"] ?? 0) - (before["intent"] ?? 0)]).toEqual([1, 1]);
    }
  });

  test("takes keys that look like methods as data and refuses them as inputs that do not fit", async () => {
    expectProblem(
      await service.send(`${url()}/v1/decisions`, { body: decide('{"text":"x","constructor":{"prototype":{"isAdmin":true}}}') }),
      "input_invalid",
    );
    expect(Object.hasOwn(Object.prototype, "isAdmin")).toBe(false);
  });

  test("refuses a question that is empty, too long or no text, and writes nothing", async () => {
    for (const [body, code] of [
      ['{"text":7}', "bad_request"],
      ["{}", "bad_request"],
      [`{"text":"${"x".repeat(20_001)}"}`, "bad_request"],
      ['{"text":"\\ud83d"}', "bad_text"],
    ] as const) {
      const before = await service.rows();
      expectProblem(await service.send(`${url()}/v1/ask`, { body }), code);
      expect(await service.rows()).toEqual(before);
    }
  });

  test.each([
    ["no key", null],
    ["a key that nobody has", "key-of-nobody-at-all"],
    ["an empty key", ""],
    ["a key that is too short", "k"],
    ["a key of 10,000 characters", "k".repeat(10_000)],
    ["a key and more", `${keys.ada} ${keys.bob}`],
  ])("refuses %s on every route, and never says the key", async (_what, key) => {
    const before = await service.rows();
    for (const [method, path, body] of [
      ["POST", "/v1/decisions", decide('{"text":"x"}')],
      ["POST", "/v1/ask", '{"text":"x"}'],
      ["GET", `/v1/decisions/${decisionId}`, undefined],
      ["GET", `/v1/decisions/${decisionId}/story`, undefined],
    ] as const) {
      const refused = await service.send(`${url()}${path}`, { method, key, ...(body === undefined ? {} : { body }) });
      expectProblem(refused, "unauthenticated");
      expect(refused.headers.get("www-authenticate")).toBe("Bearer");
      if (key !== null && key !== "" && key !== "k") expect(refused.text).not.toContain(key);
    }
    expect(await service.rows()).toEqual(before);
  });

  test("refuses another scheme of authorization", async () => {
    for (const authorization of [`Basic ${btoa(`ada:${keys.ada}`)}`, keys.ada, `bearer ${keys.ada}`, `Bearer  ${keys.ada}`]) {
      expectProblem(
        await service.send(`${url()}/v1/decisions/${decisionId}`, { method: "GET", key: null, headers: { authorization } }),
        "unauthenticated",
      );
    }
  });

  test("refuses a request that names another tenant, before anything is read", async () => {
    for (const tenant of ["globex", "", "acme,globex", "ACME"]) {
      const before = await service.rows();
      expectProblem(
        await service.send(`${url()}/v1/decisions`, { body: decide('{"text":"x"}'), headers: { "countersign-tenant": tenant } }),
        "wrong_tenant",
      );
      expect(await service.rows()).toEqual(before);
    }
    expect(
      (await service.send(`${url()}/v1/decisions/${decisionId}`, { method: "GET", headers: { "countersign-tenant": "acme" } }))
        .status,
    ).toBe(200);
  });

  test.each([
    ["does not exist", () => "01a00000-0000-7000-8000-000000000000"],
    ["has 10,000 characters", () => "a".repeat(10_000)],
    ["holds slashes", () => "../../healthz"],
    ["holds quotes", () => `' or "1"='1`],
    ["holds an emoji", () => "\u{1F642}"],
    ["holds a NUL", () => "a\0b"],
    ["holds a newline", () => `${decisionId}\n${decisionId}`],
    ["is in upper case", () => decisionId.toUpperCase()],
    ["is a prefix", () => decisionId.slice(0, 35)],
    ["is a list", () => `${decisionId},${decisionId}`],
  ])("finds nothing by an id that %s", async (_what, id) => {
    for (const path of [`/v1/decisions/${encodeURIComponent(id())}`, `/v1/decisions/${encodeURIComponent(id())}/story`]) {
      expectProblem(await service.send(`${url()}${path}`, { method: "GET" }), "not_found");
    }
  });

  test("finds nothing by the id of another tenant or of a colleague, as by one that does not exist", async () => {
    const missing = await service.send(`${url()}/v1/decisions/01a00000-0000-7000-8000-000000000000`, { method: "GET" });
    for (const key of [keys.gil, keys.bob]) {
      const refused = await service.send(`${url()}/v1/decisions/${decisionId}`, { method: "GET", key });
      expectProblem(refused, "not_found");
      expect(refused.json.detail).toBe(missing.json.detail);
    }
  });

  test("answers a broken escape in a path, and a route that does not exist", async () => {
    expectProblem(await service.send(`${url()}/v1/decisions/%E0%A4%A`, { method: "GET" }), "not_found");
    for (const path of ["/v1/nothing", "/v2/decisions", "/v1/decisions/x/y/z", "/v1", "/.env", "/v1/decisions%00"])
      expectProblem(await service.send(`${url()}${path}`, { method: "GET" }), "not_found");
  });

  test("says which methods a route takes", async () => {
    for (const [method, path, allow] of [
      ["DELETE", `/v1/decisions/${decisionId}`, "GET, HEAD"],
      ["PUT", "/v1/ask", "POST"],
      ["GET", "/v1/ask", "POST"],
      ["PATCH", "/healthz", "GET, HEAD"],
      ["POST", `/v1/decisions/${decisionId}/story`, "GET, HEAD"],
      ["OPTIONS", "/v1/ask", "POST"],
      ["PROPFIND", "/v1/ask", "POST"],
    ] as const) {
      const refused = await service.send(`${url()}${path}`, { method, ...(method === "POST" ? { body: "{}" } : {}) });
      expectProblem(refused, "method_not_allowed");
      expect(refused.headers.get("allow"), `${method} ${path}`).toBe(allow);
    }
    expect((await fetch(`${url()}/healthz`, { method: "HEAD" })).status).toBe(200);
  });

  test("refuses an idempotency key that cannot be kept, and writes nothing", async () => {
    for (const key of ["", "x".repeat(201), "with space", "käse"]) {
      const before = await service.rows();
      const refused = await service.send(`${url()}/v1/decisions`, {
        body: decide('{"text":"x"}'),
        headers: { "idempotency-key": key },
      });
      expectProblem(refused, "bad_request");
      expect(await service.rows()).toEqual(before);
    }
  });

  test("answers a body that is larger than it says, or says to be larger than it may be", async () => {
    const before = await service.rows();
    expect(await service.streamed(`${url()}/v1/decisions`, 2_000_000)).toMatchObject({
      status: 413,
      body: expect.stringContaining("too_large"),
    });
    expect(await service.rows()).toEqual(before);
  });
});

describe("the desk", () => {
  test.each([
    ["approve", "{}"],
    ["reject", '{"reason":"no"}'],
  ])("finds nothing to %s by an id that is none, and lets nobody answer who may not", async (action, body) => {
    const before = await service.rows();
    for (const id of ["01a00000-0000-7000-8000-000000000000", "a".repeat(10_000), "..%2F..%2Fhealthz", "%00", "%F0%9F%99%82"])
      expectProblem(await service.send(`${service.deskUrl}/v1/reviews/${id}/${action}`, { key: keys.eve, body }), "not_found");
    expectProblem(
      await service.send(`${service.deskUrl}/v1/reviews/${decisionId}/${action}`, { key: keys.gil, body }),
      "not_found",
    );
    expect(await service.rows()).toEqual(before);
    // That somebody tried who may see the decision and may not answer it is recorded, and nothing else.
    expectProblem(
      await service.send(`${service.deskUrl}/v1/reviews/${decisionId}/${action}`, { key: keys.ada, body }),
      "approver_not_permitted",
    );
    expect(await service.rows()).toEqual({ ...before, entry: (before["entry"] ?? 0) + 1 });
  });

  test("refuses an answer whose body is not one", async () => {
    const before = await service.rows();
    for (const [action, body, code] of [
      ["approve", "", "bad_json"],
      ["approve", '{"by":"eve"}', "bad_request"],
      ["approve", "[]", "bad_request"],
      ["reject", "{}", "bad_request"],
      ["reject", '{"reason":""}', "bad_request"],
      ["reject", '{"reason":"  \\n "}', "bad_request"],
      ["reject", `{"reason":"${"x".repeat(2_001)}"}`, "bad_request"],
      ["reject", '{"reason":"\\u0000"}', "bad_text"],
      ["reject", '{"reason":"a","reason":"b"}', "bad_json"],
    ] as const) {
      expectProblem(await service.send(`${service.deskUrl}/v1/reviews/${decisionId}/${action}`, { key: keys.eve, body }), code);
    }
    expect(await service.rows()).toEqual(before);
  });

  test("refuses thresholds that are none, and whoever does not own the set-up", async () => {
    const before = await service.rows();
    const slice = (own: object) => JSON.stringify({ capability: "note", slice: "all", thresholdPpm: 900_000, ...own });
    for (const own of [
      { thresholdPpm: -1 },
      { thresholdPpm: 0.5 },
      { thresholdPpm: "900000" },
      { thresholdPpm: 1e21 },
      { slice: "" },
      { slice: "x".repeat(500) },
      { capability: "" },
      { extra: 1 },
    ]) {
      expectProblem(await service.send(`${service.deskUrl}/v1/slices`, { key: keys.eve, body: slice(own) }), "bad_request");
    }
    expectProblem(
      await service.send(`${service.deskUrl}/v1/slices`, { key: keys.eve, body: slice({ slice: "a\0b" }) }),
      "bad_text",
    );
    expectProblem(await service.send(`${service.deskUrl}/v1/slices`, { key: keys.ada, body: slice({}) }), "forbidden");
    expect(await service.rows()).toEqual(before);
  });

  test("refuses an emergency stop that is none, and whoever does not own the set-up", async () => {
    const before = await service.rows();
    const halt = (own: object) => JSON.stringify({ scope: "effect", name: "add_note", stop: true, reason: "doubles", ...own });
    const send = (body: string, key: string = keys.eve) => service.send(`${service.deskUrl}/v1/halts`, { key, body });
    for (const [body, code] of [
      ["", "bad_json"],
      ["[]", "bad_request"],
      [halt({ scope: "world" }), "bad_request"],
      [halt({ scope: "tenant", name: "globex" }), "bad_request"],
      [halt({ name: "" }), "bad_request"],
      [halt({ name: null }), "bad_request"],
      [halt({ name: "x".repeat(64) }), "bad_request"],
      [halt({ name: ["add_note"] }), "bad_request"],
      [halt({ name: "add_note\u0000" }), "bad_text"],
      [halt({ stop: "false" }), "bad_request"],
      [halt({ stop: undefined }), "bad_request"],
      [halt({ reason: "  " }), "bad_request"],
      [halt({ reason: "x".repeat(2_001) }), "bad_request"],
      [halt({ reason: "\ud800" }), "bad_text"],
      [halt({ by: "gil" }), "bad_request"],
      [halt({ name: "' or 1=1 --" }), "effect_unknown"],
      [halt({ scope: "capability", name: "constructor" }), "unknown_capability"],
      [halt({ stop: false }), "not_stopped"],
    ] as const)
      expectProblem(await send(body), code);
    expectProblem(await send(halt({}), keys.ada), "forbidden");
    expectProblem(await service.send(`${service.deskUrl}/v1/halts`, { method: "GET" }), "forbidden");
    expectProblem(await service.send(`${service.deskUrl}/v1/halts`, { method: "GET", key: null }), "unauthenticated");
    expect(await service.rows()).toEqual(before);
  });

  test("refuses a word on what was left to people that is none, and one on what was not", async () => {
    const before = await service.rows();
    const found = (own: object) =>
      JSON.stringify({ effectIndex: 0, outcome: "happened", reason: "seen", evidence: "line 3", ...own });
    const send = (body: string, { key = keys.eve, id = decisionId }: { key?: string; id?: string } = {}) =>
      service.send(`${service.deskUrl}/v1/decisions/${id}/resolve`, { key, body });
    for (const [body, code] of [
      ["", "bad_json"],
      ["null", "bad_request"],
      [found({ effectIndex: -1 }), "bad_request"],
      [found({ effectIndex: 0.5 }), "bad_request"],
      [found({ effectIndex: "0" }), "bad_request"],
      [found({ effectIndex: 1e9 }), "bad_request"],
      [found({ outcome: "done" }), "bad_request"],
      [found({ outcome: undefined }), "bad_request"],
      [found({ reason: "" }), "bad_request"],
      [found({ reason: "x".repeat(2_001) }), "bad_request"],
      [found({ evidence: " \n" }), "bad_request"],
      [found({ evidence: "x".repeat(4_001) }), "bad_request"],
      [found({ evidence: "\u0000" }), "bad_text"],
      [found({ by: "gil" }), "bad_request"],
      [found({ effectIndex: 1 }), "not_found"],
      [found({}), "not_waiting"],
    ] as const)
      expectProblem(await send(body), code);
    for (const id of ["01a00000-0000-7000-8000-000000000000", "a".repeat(10_000), "..%2F..%2Fhealthz", "%00"])
      expectProblem(await send(found({}), { id }), "not_found");
    expectProblem(await send(found({}), { key: keys.gil }), "not_found");
    expect(await service.rows()).toEqual(before);
    expectProblem(await send(found({}), { key: keys.ada }), "approver_not_permitted");
    expect(await service.rows()).toEqual({ ...before, entry: (before["entry"] ?? 0) + 1 });
  });

  test("lists no more than it may, whatever is asked", async () => {
    for (const limit of ["-1", "0", "1e9", "x", "99999", "%00", "'"]) {
      const listed = await service.send(`${service.deskUrl}/v1/decisions?limit=${limit}`, { method: "GET" });
      expect(listed.status).toBe(200);
      expect(listed.json.items.length).toBeLessThanOrEqual(100);
    }
  });
});

test("after all that the ledger verifies, nothing is half done and no fault was met", async () => {
  for (const report of await service.verify()) expect(report).toMatchObject({ broken: null, unsealed: { count: 0 } });
  expect(await service.openIntents()).toBe(0);
  expect(service.faults).toEqual([]);
});
