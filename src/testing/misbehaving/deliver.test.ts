import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Asking,
  ask,
  bytesOf,
  eventsOf,
  isJson,
  type Seen,
  saidIn,
  see,
  valuesOf,
  ways,
} from "../../../test/testing/plain-client.ts";
import { type Answer, type MisbehavingModel, openMisbehavingModel, type Reply } from "../index.ts";

const text = '{"note":"Größe 😀 in more than one piece","days":3}';
const good: Reply = { kind: "reply", text };
const paths = { responses: "/v1/responses", chat: "/v1/chat/completions", messages: "/v1/messages" } as const;
const day = Date.UTC(2026, 2, 2, 9, 0, 7);

let answer: Answer = good;
let model: MisbehavingModel;
beforeEach(async () => {
  model = await openMisbehavingModel({ answers: () => answer });
});
afterEach(() => model.close());

/** What came over the wire for one answer. */
function seen(given: Answer, asking: Omit<Asking, "url">): Promise<Seen> {
  answer = given;
  return see({ ...asking, url: model.url });
}

describe.each(ways)("a packed reply at $protocol, $way", ({ protocol, stream }) => {
  it("is what it is called where it is packed once", async () => {
    const plain = await seen(good, { protocol, stream });
    const { body, headers } = await seen({ kind: "encoded", times: 1, of: good }, { protocol, stream });
    expect([body.length, headers.get("content-encoding")]).toEqual([plain.body.length, "gzip"]);
  });

  it("is called packed more often than a client unpacks", async () => {
    answer = { kind: "encoded", times: 3, of: good };
    const head = await new Promise((resolve) => {
      const asked = request(`${model.url}${paths[protocol]}`, { method: "POST" }, (response) => {
        response.on("error", () => {}).destroy();
        resolve(response.headers);
      });
      asked.end("{}");
    });
    expect(head).toMatchObject({ "content-encoding": "gzip,gzip,gzip", connection: "close" });
  });
});

describe.each(ways)("an error at $protocol, $way", ({ protocol, stream }) => {
  const on = { protocol, stream };

  it.each([400, 401, 429, 500, 503, 529])("an error has the status %i and the protocol's form", async (status) => {
    const { body, ...got } = await seen({ kind: "error", status }, on);
    expect(got).toMatchObject({ status, isCut: false });
    expect(JSON.parse(body)).toMatchObject({ error: { type: expect.any(String), message: expect.any(String) } });
    expect(Object(JSON.parse(body)).type).toBe(protocol === "messages" ? "error" : undefined);
  });

  it.each([
    ["seconds", { unit: "seconds", value: 7 }, "7", null],
    ["a date", { unit: "date", value: day }, "Mon, 02 Mar 2026 09:00:07 GMT", null],
    ["milliseconds", { unit: "ms", value: 1500 }, null, "1500"],
  ] as const)("an error says in %s when to come back", async (_form, retryAfter, inSeconds, inMs) => {
    const { headers } = await seen({ kind: "error", status: 429, retryAfter }, on);
    expect([headers.get("retry-after"), headers.get("retry-after-ms")]).toEqual([inSeconds, inMs]);
  });

  it("an error quotes the key where it is to, and only there", async () => {
    const asking = { ...on, key: "sk-canary-7" };
    expect((await seen({ kind: "error", status: 401, quotesKey: true }, asking)).body).toContain("sk-canary-7");
    expect((await seen({ kind: "error", status: 401 }, asking)).body).not.toContain("canary");
  });
});

describe.each(ways)("a body at $protocol, $way", ({ protocol, stream }) => {
  const on = { protocol, stream };

  it.each([
    ["application/json", "upstream connect error", 200],
    ["text/html; charset=utf-8", "<!doctype html><p>Sign in</p>", 200],
    ["text/plain", "bad gateway", 502],
  ])("a body may be none of the protocol's (%s)", async (contentType, body, status) => {
    const got = await seen({ kind: "raw", body, contentType, status }, on);
    expect([got.headers.get("content-type"), got.body, got.status]).toEqual([contentType, body, status]);
  });

  it("a redirect leads elsewhere", async () => {
    const got = await seen({ kind: "redirected", to: "http://127.0.0.1:9/x", status: 307 }, on);
    expect([got.status, got.headers.get("location")]).toEqual([307, "http://127.0.0.1:9/x"]);
  });

  it("one event is cut JSON, and the others are not", async () => {
    const got = await seen({ kind: "broken", how: "malformed_event", of: good }, on);
    const data = stream ? eventsOf(got.bytes) : [got.body];
    expect(got.isCut).toBe(false);
    expect(data.filter((one) => !isJson(one))).toHaveLength(1);
    if (stream) expect(data.length).toBe(eventsOf((await seen(good, on)).bytes).length);
  });

  it("a stream ends without its final event", async () => {
    const got = await seen({ kind: "broken", how: "no_final_event", of: good }, on);
    expect(got.isCut).toBe(false);
    const final = { responses: "response.completed", chat: "[DONE]", messages: "message_stop" }[protocol];
    expect(got.body).not.toContain(stream ? final : text);
    expect(isJson(got.body)).toBe(false);
    if (stream) expect(saidIn(valuesOf(got.bytes, true), on)).toBe(Buffer.from(text).toString("latin1"));
  });

  it("an error comes in the middle, with status 200", async () => {
    const got = await seen({ kind: "broken", how: "error_event", of: good }, on);
    const values = valuesOf(got.bytes, stream);
    expect(got).toMatchObject({ status: 200, isCut: false });
    expect(JSON.stringify(values.at(-1))).toContain("failed in the middle");
    expect(values.length > 1).toBe(stream);
  });
});

describe.each(ways)("a connection at $protocol, $way", ({ protocol, stream }) => {
  const on = { protocol, stream };

  it("the connection ends before the headers", async () => {
    answer = { kind: "dropped", atByte: null, of: good };
    await expect(ask({ url: model.url, ...on })).rejects.toThrow("fetch failed");
  });

  it.each([0, 1, 100, 222])("the connection ends at byte %i of the body", async (atByte) => {
    const right = await seen(good, on);
    const got = await seen({ kind: "dropped", atByte, of: good }, on);
    expect(got).toMatchObject({ status: 200, isCut: true });
    expect(withoutPlace(got.bytes)).toBe(withoutPlace(right.bytes.subarray(0, atByte)));
  });

  it("nothing comes at all", async () => {
    answer = { kind: "stalled", atByte: null, of: good };
    const asked = ask({ url: model.url, ...on });
    await model.received(1);
    await model.close();
    await expect(asked).rejects.toThrow("fetch failed");
  });

  it.each([0, 50])("nothing comes after byte %i of the body", async (atByte) => {
    answer = { kind: "stalled", atByte, of: good };
    const response = await ask({ url: model.url, ...on });
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    let come = 0;
    while (come < atByte) come += (await reader?.read())?.value?.length ?? Number.NaN;
    expect(come).toBe(atByte);
    const next = reader?.read();
    await model.close();
    await expect(next).rejects.toThrow("terminated");
  });

  it("a slow drip sends the first byte after its time", async () => {
    answer = { kind: "dripped", everyMs: 3_600_000, of: good };
    const response = await ask({ url: model.url, ...on });
    await model.close();
    expect(await bytesOf(response)).toEqual({ bytes: Buffer.alloc(0), isCut: true });
  });

  it("a text goes on for as long as the client stays", async () => {
    answer = { kind: "endless" };
    const leave = new AbortController();
    const response = await ask({ url: model.url, ...on, signal: leave.signal });
    let come = 0;
    for await (const chunk of response.body ?? []) {
      come += chunk.length;
      if (come > 20 * 1024 * 1024) break;
    }
    expect(come).toBeGreaterThan(20 * 1024 * 1024);
    leave.abort();
    expect(await model.requests[0]?.ended).toBe("cut");
  });
});

/** Ids tell which request of the server it was. */
function withoutPlace(bytes: Buffer): string {
  return bytes.toString("latin1").replaceAll(/0{23}[01]/g, "");
}

describe("a drip", () => {
  it("sends one byte at a time", async () => {
    answer = { kind: "dripped", everyMs: 0, of: good };
    const socket = connect(Number(new URL(model.url).port), "127.0.0.1");
    const body = JSON.stringify({ model: "m", stream: true });
    socket.write(`POST /v1/messages HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    const parts: Buffer[] = [];
    socket.on("data", (part) => parts.push(part));
    await once(socket, "close");
    const [, sent = ""] = Buffer.concat(parts).toString("latin1").split("\r\n\r\n", 2);
    const sizes =
      Buffer.concat(parts)
        .toString("latin1")
        .match(/\r\n1\r\n/g) ?? [];
    expect(sent).not.toBe("");
    const whole = await seen(good, { protocol: "messages", stream: true });
    expect(sizes.length).toBeGreaterThan(whole.bytes.length * 0.9);
  });
});
