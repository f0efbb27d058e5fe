import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CountersignError, errorCodes, isCountersignError } from "../contract/errors.ts";
import { type Client, createClient } from "./index.ts";

const id = "0197a2b4-0000-7000-8000-000000000001";
const apiKey = "CANARY_key_of_maria";

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}
interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

let server: Server;
let baseUrl: string;
let seen: Seen[];
let answer: Answer | "never" | "break";

beforeEach(async () => {
  seen = [];
  answer = { status: 200, body: "{}" };
  server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { method = "", url: path = "", headers } = request;
    seen.push({ method, path, headers, body: text === "" ? undefined : JSON.parse(text) });
    if (answer === "never") return;
    if (answer === "break") return void response.socket?.destroy();
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("each method", () => {
  it.each<[string, (client: Client) => Promise<unknown>, string, unknown]>([
    [
      "decide",
      (client) => client.decide({ capability: "replace-device", inputs: { device: "LT-1" } }),
      "POST /v1/decisions",
      { capability: "replace-device", inputs: { device: "LT-1" } },
    ],
    ["ask", (client) => client.ask({ text: "My laptop is worn out" }), "POST /v1/ask", { text: "My laptop is worn out" }],
    ["decision", (client) => client.decision(id), `GET /v1/decisions/${id}`, undefined],
    ["approve", (client) => client.approve(id), `POST /v1/reviews/${id}/approve`, {}],
    [
      "reject",
      (client) => client.reject(id, "not yet 36 months old"),
      `POST /v1/reviews/${id}/reject`,
      { reason: "not yet 36 months old" },
    ],
    ["edit", (client) => client.edit(id, { size: 2 }), `POST /v1/reviews/${id}/edit`, { decision: { size: 2 } }],
    ["withdraw", (client) => client.withdraw(id), `POST /v1/reviews/${id}/withdraw`, {}],
    ["take", (client) => client.take(id), `POST /v1/reviews/${id}/take`, {}],
    ["release", (client) => client.release(id), `POST /v1/reviews/${id}/release`, {}],
    [
      "resolve",
      (client) => client.resolve(id, { effectIndex: 1, outcome: "happened", reason: "seen", evidence: "line 3" }),
      `POST /v1/decisions/${id}/resolve`,
      { effectIndex: 1, outcome: "happened", reason: "seen", evidence: "line 3" },
    ],
    ["health", (client) => client.health(), "GET /healthz", undefined],
  ])("%s sends its request with the key and returns the body", async (_name, call, route, body) => {
    answer = { status: 201, body: '{"id":"x"}' };
    expect(await call(createClient({ baseUrl, apiKey }))).toEqual({ id: "x" });
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([route]);
    expect(seen[0]?.body).toEqual(body);
    expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${apiKey}`, accept: "application/json" });
    expect(seen[0]?.headers).not.toHaveProperty("idempotency-key");
    expect(seen[0]?.headers).not.toHaveProperty("prefer");
    expect(seen[0]?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
  });

  const halting = { scope: "effect", name: "mail", reason: "doubles" } as const;
  it.each<[string, (client: Client) => Promise<unknown>, string, unknown]>([
    ["story", (client) => client.story(id), `GET /v1/decisions/${id}/story`, undefined],
    ["halts", (client) => client.halts(), "GET /v1/halts", undefined],
    ["halt", (client) => client.halt(halting), "POST /v1/halts", { ...halting, stop: true }],
    ["resume", (client) => client.resume(halting), "POST /v1/halts", { ...halting, stop: false }],
  ])("%s returns the items of the list", async (_name, call, route, body) => {
    answer = { status: 200, body: '{"items":[{"id":"x"}]}' };
    expect(await call(createClient({ baseUrl, apiKey }))).toEqual([{ id: "x" }]);
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([route]);
    expect(seen[0]?.body).toEqual(body);
    answer = { status: 200, body: '{"rows":[]}' };
    await expect(call(createClient({ baseUrl, apiKey }))).rejects.toMatchObject({ code: "service_unavailable" });
  });

  it.each<[string, (client: Client) => Promise<unknown>, string]>([
    ["reviews", (client) => client.reviews(), "GET /v1/reviews"],
    ["reviews from a place on", (client) => client.reviews({ limit: 5, cursor: "abc" }), "GET /v1/reviews?limit=5&cursor=abc"],
    ["decisions", (client) => client.decisions({ of: "all", state: "done" }), "GET /v1/decisions?of=all&state=done"],
    ["cases", (client) => client.cases({ case: "loan" }), "GET /v1/cases?case=loan"],
  ])("%s returns a page of the list", async (_name, call, route) => {
    answer = { status: 200, body: '{"items":[{"id":"x"}],"next":"y"}' };
    expect(await call(createClient({ baseUrl, apiKey }))).toEqual({ items: [{ id: "x" }], next: "y" });
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([route]);
    answer = { status: 200, body: '{"rows":[]}' };
    await expect(call(createClient({ baseUrl, apiKey }))).rejects.toMatchObject({ code: "service_unavailable" });
  });

  it("sends the token of a session with what changes something, and with nothing else", async () => {
    const client = createClient({ baseUrl, sessionToken: () => "the-token" });
    await client.session();
    await client.endSession();
    expect(seen.map(({ headers }) => headers["countersign-token"])).toEqual([undefined, "the-token"]);
    expect(seen[0]?.headers).not.toHaveProperty("authorization");
  });

  it("sends the idempotency key and the time to wait", async () => {
    const client = createClient({ baseUrl, apiKey });
    await client.decide({ capability: "a", inputs: {}, idempotencyKey: "k-1", waitSeconds: 10 });
    await client.ask({ text: "a", idempotencyKey: "k-2", waitSeconds: 0 });
    expect(seen.map(({ headers }) => [headers["idempotency-key"], headers["prefer"]])).toEqual([
      ["k-1", "wait=10"],
      ["k-2", "wait=0"],
    ]);
  });

  it("speaks to a service below a path and sends no key where it has none", async () => {
    await createClient({ baseUrl: `${baseUrl}/countersign/` }).health();
    expect(seen[0]?.path).toBe("/countersign/healthz");
    expect(seen[0]?.headers).not.toHaveProperty("authorization");
  });
});

describe("an error", () => {
  it.each(Object.keys(errorCodes) as (keyof typeof errorCodes)[])("of the code %s comes back as it was thrown", async (code) => {
    const facts = { name: "LT-1", count: 2, ok: false, none: null, many: ["a"], odd: { deep: 1 }, mixed: ["a", 1] };
    const problem = {
      type: `/errors#${code}`,
      title: "t",
      status: errorCodes[code].status,
      code,
      detail: "what came",
      next: "do this",
      facts,
    };
    answer = { status: problem.status, body: JSON.stringify(problem), headers: { "content-type": "application/problem+json" } };
    const thrown = await errorOf(createClient({ baseUrl, apiKey }).reviews());
    expect(thrown).toMatchObject({ name: "CountersignError", code, message: "what came" });
    expect(thrown.facts).toEqual({ name: "LT-1", count: 2, ok: false, none: null, many: ["a"] });
  });

  it("says what its code means where the answer has no detail", async () => {
    answer = { status: 409, body: '{"code":"not_waiting","facts":7}' };
    const error = { message: errorCodes.not_waiting.means, facts: {} };
    await expect(createClient({ baseUrl }).approve(id)).rejects.toMatchObject(error);
  });

  it.each<[string, Answer | "break"]>([
    ["a page of a proxy", { status: 502, body: "<html>Bad Gateway</html>" }],
    ["a code that is not in the list", { status: 400, body: '{"code":"toString"}' }],
    ["an answer that is no object", { status: 200, body: '"hello"' }],
    ["an answer that is no JSON", { status: 200, body: "{" }],
    ["an empty answer", { status: 200, body: "" }],
    ["a connection that breaks", "break"],
  ])("is `service_unavailable` for %s", async (_what, given) => {
    answer = given;
    await expect(createClient({ baseUrl, apiKey }).decision(id)).rejects.toMatchObject({ code: "service_unavailable" });
  });

  it("is `service_unavailable` where nobody listens, and names the address", async () => {
    const client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey });
    await expect(client.health()).rejects.toMatchObject({
      code: "service_unavailable",
      message: expect.stringContaining("`http://127.0.0.1:1`"),
    });
  });

  it("is `service_unavailable` where no answer comes in time", async () => {
    answer = "never";
    const call = createClient({ baseUrl, apiKey, timeoutMs: 50 }).health();
    await expect(call).rejects.toMatchObject({ code: "service_unavailable", message: expect.stringContaining("in time") });
  });

  it("comes instead of following a redirect with the key", async () => {
    answer = { status: 307, body: "", headers: { location: `${baseUrl}/elsewhere` } };
    await expect(createClient({ baseUrl, apiKey }).ask({ text: "a" })).rejects.toMatchObject({ code: "service_unavailable" });
    expect(seen.map(({ path }) => path)).toEqual(["/v1/ask"]);
  });
});

describe("what cannot be sent", () => {
  it.each(["ftp://a.example", "a.example", "", "http://user:CANARY_pw@a.example"])(
    "is refused at the start as an address: %j",
    (address) => {
      expect(shownBy(() => createClient({ baseUrl: address, apiKey }))).toMatch(/configuration_invalid/);
    },
  );

  it.each(["", "CANARY_ key", "CANARY_\r\nx-role: admin", "CANARY_é"])("is refused at the start as a key: %j", (key) => {
    expect(shownBy(() => createClient({ baseUrl, apiKey: key }))).toMatch(/configuration_invalid/);
  });

  it.each(["..", ".", "", "a/b", "%2e%2e", `${id}?x=1`, `${id}#x`])(
    "is the id %j, which is the id of nothing",
    async (strange) => {
      const client = createClient({ baseUrl, apiKey });
      for (const call of [
        () => client.decision(strange),
        () => client.story(strange),
        () => client.approve(strange),
        () => client.reject(strange, "no"),
        () => client.withdraw(strange),
        () => client.take(strange),
        () => client.release(strange),
      ])
        await expect(call()).rejects.toMatchObject({ code: "not_found" });
      expect(seen).toEqual([]);
    },
  );

  it("is an idempotency key, a wait or inputs of a wrong form", async () => {
    const client = createClient({ baseUrl, apiKey });
    for (const idempotencyKey of ["", "a b", "a\nb", "k".repeat(201)])
      await expect(client.ask({ text: "a", idempotencyKey })).rejects.toMatchObject({ code: "bad_request" });
    for (const waitSeconds of [-1, 1.5, Number.NaN, 3_601])
      await expect(client.ask({ text: "a", waitSeconds })).rejects.toMatchObject({ code: "bad_request" });
    await expect(client.decide({ capability: "a", inputs: { price: 1n } })).rejects.toMatchObject({ code: "unserialisable" });
    expect(seen).toEqual([]);
  });

  it("never brings the key into an error", async () => {
    for (const given of [
      "break",
      { status: 500, body: "{}" },
      { status: 307, body: "", headers: { location: "http://[" } },
    ] as const) {
      answer = given;
      const thrown = await createClient({ baseUrl, apiKey })
        .health()
        .catch((error: unknown) => error);
      expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain("CANARY_");
    }
  });
});

async function errorOf(call: Promise<unknown>): Promise<CountersignError> {
  const thrown = await call.catch((error: unknown) => error);
  if (isCountersignError(thrown)) return thrown;
  throw new Error("no error of ours was thrown");
}

function shownBy(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    const shown = inspect(thrown, { depth: 9, showHidden: true });
    expect(shown).not.toContain("CANARY_");
    return shown;
  }
  return "nothing was thrown";
}
