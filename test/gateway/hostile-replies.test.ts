import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { cancelSwitch } from "../../src/testing/index.ts";
import { canaryKey, requestFor, type Way, ways } from "./provider-ways.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Wire {
  readonly url: string;
  /** What the client asked for, head and body. */
  readonly asked: string[];
  /** One for each connection, resolved when the client has ended it. */
  readonly left: Promise<unknown>[];
}

/** A server that answers each request with these bytes, whatever they are; after them it sends `filler` for as long as the client stays. */
async function wireOf(bytes: Buffer | string, filler?: Buffer): Promise<Wire> {
  const [asked, left, sockets]: [string[], Promise<unknown>[], Socket[]] = [[], [], []];
  const server = createServer((socket) => {
    sockets.push(socket);
    left.push(new Promise((resolve) => socket.once("close", resolve)));
    socket
      .on("error", () => {})
      .once("data", (head) => {
        asked.push(head.toString());
        socket.write(bytes);
        if (filler === undefined) return void socket.end();
        const fill = () => void (!socket.destroyed && socket.write(filler) && setImmediate(fill));
        socket.on("drain", fill);
        fill();
      });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, asked, left };
}

const { cancel } = cancelSwitch();
const complete = (way: Way, { url }: Wire) => way.source(`${url}/v1`).open(canaryKey).complete(requestFor(way.model), cancel);
const wayOf = (title: string) => ways.filter((way) => way.title === title);
const head = (way: Way, more = "") =>
  `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: ${way.stream ? "text/event-stream" : "application/json"}\r\n${more}\r\n`;
const events = (...told: readonly (object | string)[]) =>
  told.map((one) => `data: ${typeof one === "string" ? one : JSON.stringify(one)}\n\n`).join("");

const good = '{"days":3,"note":"ok"}';
const packed = { fault: "unusable", problem: "the provider's reply is packed, which it was not asked to be" };

describe.each(ways.map((way) => [way.title, way] as const))("a packed reply, %s", (_, way) => {
  it.each(["gzip", "gzip,gzip,gzip,gzip,gzip,gzip", "br", "zzz", `${"gzip,".repeat(500)}gzip`])(
    "is refused before it is read, and its connection ends: %s",
    async (encoding) => {
      const wire = await wireOf(head(way, `Content-Encoding: ${encoding}\r\n`), Buffer.alloc(65_536, "x"));
      expect(await complete(way, wire)).toMatchObject(packed);
      await Promise.all(wire.left);
      expect(wire.left.length).toBe(1);
    },
  );

  it("was not asked for", async () => {
    const wire = await wireOf(head(way));
    await complete(way, wire);
    expect(wire.asked[0]).toMatch(/\r\naccept-encoding: identity\r\n/i);
  });

  it("says no more than its status where it is an error's", async () => {
    const wire = await wireOf(
      Buffer.concat([Buffer.from("HTTP/1.1 503 No\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n"), gzipSync("x")]),
    );
    expect(await complete(way, wire)).toMatchObject({ fault: "overloaded" });
  });
});

describe("a reply that is no text", () => {
  const chat = (text: string) => ({ id: "x", created: 1, model: "m", choices: [{ index: 0, ...JSON.parse(text) }] });
  const bodies = {
    whole: JSON.stringify(
      chat(JSON.stringify({ finish_reason: "stop", message: { role: "assistant", content: '{"note":"M@ller"}' } })),
    ),
    streamed: events(
      chat(JSON.stringify({ delta: { content: '{"note":"M@ller"}' }, finish_reason: null })),
      chat(JSON.stringify({ delta: {}, finish_reason: "stop" })),
      "[DONE]",
    ),
  };

  it.each(["whole", "streamed"] as const)("is refused: Latin-1 in a chat completion that comes %s", async (how) => {
    for (const way of wayOf(`openai chat by schema, ${how}`)) {
      const bytes = Buffer.from(bodies[how], "latin1");
      bytes[bytes.indexOf("@")] = 0xfc;
      const wire = await wireOf(Buffer.concat([Buffer.from(head(way)), bytes]));
      expect(await complete(way, wire)).toMatchObject({ fault: "unusable", problem: "the provider's reply is no UTF-8" });
      const plain = await wireOf(head(way) + bodies[how]);
      expect(await complete(way, plain)).toMatchObject({ text: '{"note":"M@ller"}', stopReason: "end" });
    }
  });

  it("is refused: it ends inside a character", async () => {
    for (const way of wayOf("openai chat by schema, whole")) {
      const wire = await wireOf(Buffer.concat([Buffer.from(head(way) + bodies.whole), Buffer.from([0xe2, 0x82])]));
      expect(await complete(way, wire)).toMatchObject({ fault: "unusable", problem: "the provider's reply is no UTF-8" });
    }
  });
});

describe("a reply that contradicts itself", () => {
  const piece = (content: string, finish_reason: string | null) => ({
    ...{ id: "x", created: 1, model: "m" },
    choices: [{ index: 0, delta: { content }, finish_reason }],
  });
  const response = {
    ...{ id: "r", object: "response", created_at: 1, model: "m", status: "incomplete", incomplete_details: null, error: null },
    output: [
      {
        ...{ type: "message", id: "m", role: "assistant", status: "incomplete" },
        content: [{ type: "output_text", text: good, annotations: [] }],
      },
    ],
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const input = '{"days":30,"days":3,"note":"ok"}';
  const message = {
    ...{ id: "a", type: "message", role: "assistant", model: "m", content: [], stop_reason: null },
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const twoEnds = "the provider's stream ends for two reasons";
  const noReason = "the provider's reply is not complete and does not say why";

  it.each([
    ["openai chat by schema, streamed", "`length`, then `stop`", events(piece(good, "length"), piece("", "stop")), twoEnds],
    ["compatible by schema, streamed", "`length`, then `stop`", events(piece(good, "length"), piece("", "stop")), twoEnds],
    ["openai responses by schema, whole", "incomplete without a reason", JSON.stringify(response), noReason],
    [
      "openai responses by schema, streamed",
      "incomplete without a reason",
      events({ type: "response.incomplete", sequence_number: 0, response: { ...response, status: "completed" } }),
      noReason,
    ],
    [
      "anthropic by tool, streamed",
      "an input as a value, with a key twice",
      events(
        { type: "message_start", message },
        `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"reply","input":${input}}}`,
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 3 } },
        { type: "message_stop" },
      ),
      "the provider's stream begins with a tool's input as a value",
    ],
  ])("is refused: %s, %s", async (title, _what, body, problem) => {
    const [way] = wayOf(String(title));
    if (way === undefined) throw new Error(`there is no way ${title}`);
    expect(await complete(way, await wireOf(head(way) + body))).toMatchObject({ fault: "unusable", problem });
  });

  it("is none where a reason comes twice", async () => {
    for (const way of wayOf("openai chat by schema, streamed")) {
      const wire = await wireOf(head(way) + events(piece(good, "stop"), piece("", "stop"), "[DONE]"));
      expect(await complete(way, wire)).toMatchObject({ text: good, stopReason: "end" });
    }
  });
});
