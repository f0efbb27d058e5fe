import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

let house: DeskHouse;
beforeAll(async () => {
  house = await openDeskHouse();
});
afterAll(() => house.close());

type Name = Parameters<typeof keyOf>[0];

async function call(
  method: string,
  path: string,
  { as, body, headers = {}, url = house.url }: { as?: Name; body?: unknown; headers?: Record<string, string>; url?: string } = {},
) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(as === undefined ? {} : { authorization: `Bearer ${keyOf(as)}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get("content-type"), text, json: JSON.parse(text) };
}

async function proposed(text: string): Promise<string> {
  const { json } = await call("POST", "/v1/ask", { as: "ada", body: { text } });
  return json.decision.id;
}

describe("the way of a request", () => {
  it("goes from a sentence to a waiting proposal, a signature by somebody else, and the story of both", async () => {
    const asked = await call("POST", "/v1/ask", { as: "ada", body: { text: "a note" } });
    expect(asked.status).toBe(201);
    expect(asked.json).toMatchObject({ kind: "decided", decision: { state: "waiting", requestedBy: "ada" } });
    const id = asked.json.decision.id;
    const reviews = await call("GET", "/v1/reviews", { as: "ben" });
    expect(reviews.json.items.map((view: { id: string }) => view.id)).toContain(id);
    const approved = await call("POST", `/v1/reviews/${id}/approve`, { as: "ben", body: {} });
    expect(approved.status).toBe(200);
    expect(approved.json).toMatchObject({ id, state: "signed", effects: [{ approvedBy: "ben", dedupe: "key" }] });
    const story = await call("GET", `/v1/decisions/${id}/story`, { as: "ada" });
    expect(story.json.items.map((entry: { kind: string }) => entry.kind)).toEqual(["decided", "approved"]);
    const again = await call("POST", `/v1/reviews/${id}/approve`, { as: "ben", body: {} });
    expect(again).toMatchObject({ status: 409, type: "application/problem+json", json: { code: "approval_used" } });
  });

  it("may be rejected with a reason, and not without one", async () => {
    const id = await proposed("a note to reject");
    const empty = await call("POST", `/v1/reviews/${id}/reject`, { as: "ben", body: { reason: "  " } });
    expect(empty).toMatchObject({ status: 400, json: { code: "bad_request" } });
    const rejected = await call("POST", `/v1/reviews/${id}/reject`, { as: "ben", body: { reason: "not now" } });
    expect(rejected).toMatchObject({ status: 200, json: { id, state: "rejected_by_person" } });
  });

  it("is listed for who asked, newest first, and for nobody else", async () => {
    const first = await proposed("a note, the first");
    const second = await proposed("a note, the second");
    const mine = await call("GET", "/v1/decisions?limit=4", { as: "ada" });
    const ids = mine.json.items.map((view: { id: string }) => view.id);
    expect(ids.indexOf(second)).toBeLessThan(ids.indexOf(first));
    const others = await call("GET", "/v1/decisions", { as: "cleo" });
    expect(others.json.items).toEqual([]);
  });

  it("begins once for one idempotency key, through the desk", async () => {
    const begin = () =>
      call("POST", "/v1/decisions", {
        as: "ada",
        body: { capability: "keep_notes", inputs: { text: "once" } },
        headers: { "idempotency-key": "k-1" },
      });
    const [first, second] = [await begin(), await begin()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json.id).toBe(first.json.id);
  });
});

describe("who may what", () => {
  it("is nobody without a key, with a wrong key, or for another tenant", async () => {
    expect(await call("GET", "/v1/reviews")).toMatchObject({ status: 401, json: { code: "unauthenticated" } });
    expect(await call("GET", "/v1/reviews", { headers: { authorization: "Bearer not-a-key-at-all" } })).toMatchObject({
      status: 401,
    });
    expect(
      await call("POST", "/v1/ask", { as: "ada", body: { text: "a note" }, headers: { "countersign-tenant": "globex" } }),
    ).toMatchObject({ status: 403, json: { code: "wrong_tenant" } });
    const id = await proposed("a note of acme");
    expect(await call("GET", `/v1/decisions/${id}`, { as: "gus" })).toMatchObject({ status: 404 });
    expect(await call("POST", `/v1/reviews/${id}/approve`, { as: "gus", body: {} })).toMatchObject({ status: 404 });
  });

  it("is not the requester for signing, nor anybody but an owner for a slice", async () => {
    const id = await proposed("a note of my own");
    expect(await call("POST", `/v1/reviews/${id}/approve`, { as: "ada", body: {} })).toMatchObject({
      status: 403,
      json: { code: "approver_not_permitted" },
    });
    const slice = { capability: "keep_notes", slice: "all", thresholdPpm: 900_000 };
    expect(await call("POST", "/v1/slices", { as: "ben", body: slice })).toMatchObject({ status: 403 });
    const opened = await call("POST", "/v1/slices", { as: "cleo", body: slice });
    expect(opened).toMatchObject({ status: 201, json: { approvalId: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
    expect(await call("POST", "/v1/slices", { as: "cleo", body: { ...slice, thresholdPpm: -1 } })).toMatchObject({ status: 400 });
  });
});

describe("what cannot be taken", () => {
  it.each([
    ["not JSON", "{", 400, "bad_json"],
    ["another form", { words: "a" }, 400, "bad_request"],
    ["NUL", '{"text":"a\\u0000"}', 400, "bad_text"],
    ["a lone surrogate", '{"text":"\\ud800"}', 400, "bad_text"],
    ["a megabyte", { text: "a".repeat(1_000_000) }, 413, "too_large"],
  ])("is %s, refused at the desk as a problem", async (_, body, status, code) => {
    expect(await call("POST", "/v1/ask", { as: "ada", body })).toMatchObject({
      status,
      type: "application/problem+json",
      json: { code },
    });
  });

  it("is an id that does not exist, an unknown route, and a capability that nobody defined", async () => {
    for (const path of ["/v1/decisions/nothing", "/v1/decisions/01a229e5-6e4e-713e-a936-47334b83ad5e", "/v1/nothing"]) {
      expect(await call("GET", path, { as: "ada" })).toMatchObject({ status: 404, json: { code: "not_found" } });
    }
    const unknown = await call("POST", "/v1/decisions", { as: "ada", body: { capability: "fly", inputs: {} } });
    expect(unknown).toMatchObject({ status: 404, type: "application/problem+json", json: { code: "unknown_capability" } });
  });
});

describe("forwarding", () => {
  it("passes the decider's key and headers on, and status, kind and body back as they came", async () => {
    const remote = createServer();
    await once(remote.listen(0, "127.0.0.1"), "listening");
    const url = await house.openDeskBefore(`http://127.0.0.1:${portOf(remote.address())}`);
    const body = '{"code":"record_unavailable","detail":"as it came",  "extra":[1]}';
    const seen = once(remote, "request").then(async ([request, response]) => {
      response.writeHead(502, { "content-type": "application/problem+json" }).end(body);
      return { ...request.headers, body: await textOf(request) };
    });
    const headers = { "idempotency-key": "k-7", prefer: "wait=5", cookie: "a=b", "x-other": "c" };
    const answer = await call("POST", "/v1/ask", { as: "ada", body: { text: "héllo" }, headers, url });
    expect(answer).toMatchObject({ status: 502, type: "application/problem+json", text: body });
    const arrived = await seen;
    expect(arrived).toMatchObject({
      authorization: expect.stringMatching(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/),
      "idempotency-key": "k-7",
      prefer: "wait=5",
      body: '{"text":"héllo"}',
    });
    expect(Object.keys(arrived)).not.toEqual(expect.arrayContaining(["cookie"]));
    expect(Object.keys(arrived)).not.toEqual(expect.arrayContaining(["x-other"]));
    remote.close();
    remote.closeAllConnections();
  });

  it("says that the service is unavailable where nothing, or something else, answers", async () => {
    const remote = createServer((_, response) => response.end("<html>"));
    await once(remote.listen(0, "127.0.0.1"), "listening");
    const address = `http://127.0.0.1:${portOf(remote.address())}`;
    const url = await house.openDeskBefore(address);
    const ask = () => call("POST", "/v1/ask", { as: "ada", body: { text: "a note" }, url });
    expect(await ask()).toMatchObject({ status: 503, json: { code: "service_unavailable" } });
    remote.close();
    remote.closeAllConnections();
    const gone = await ask();
    expect(gone).toMatchObject({ status: 503, json: { code: "service_unavailable" } });
    expect(gone.text).not.toContain(address);
    expect(gone.json.detail).toContain("nothing was decided");
  });

  it("does not say that nothing was decided where the decider had the request and gave no answer", async () => {
    const remote = createServer((request) => request.socket.destroy());
    await once(remote.listen(0, "127.0.0.1"), "listening");
    const url = await house.openDeskBefore(`http://127.0.0.1:${portOf(remote.address())}`);
    const asked = { as: "ada", body: { text: "a note" }, url } as const;
    const answer = await call("POST", "/v1/ask", asked);
    expect(answer).toMatchObject({ status: 503, json: { code: "service_unavailable" } });
    expect(answer.json.detail).toMatch(/may have decided.*look at your decisions/);
    const keyed = await call("POST", "/v1/ask", { ...asked, headers: { "idempotency-key": "k-silent" } });
    expect(keyed.json.detail).toMatch(/may have decided.*same `Idempotency-Key`/);
    const looked = await call("POST", "/v1/knowledge", { ...asked, body: { query: "a note" } });
    expect(looked.json.detail).not.toContain("decided");
    remote.close();
  });
});

function portOf(address: ReturnType<ReturnType<typeof createServer>["address"]>): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}
