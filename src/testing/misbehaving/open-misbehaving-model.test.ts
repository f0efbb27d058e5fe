import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { ask, bytesOf } from "../../../test/testing/plain-client.ts";
import { type Answer, openMisbehavingModel, type Reply } from "../index.ts";
import type { ProtocolName } from "./protocol.ts";

const good: Reply = { kind: "reply", text: '{"days":3}' };

describe("the misbehaving model", () => {
  it("answers request by request, the last answer again and again", async () => {
    const model = await openMisbehavingModel({ answers: [{ kind: "error", status: 503 }, good] });
    const statuses: number[] = [];
    for (const protocol of ["chat", "messages", "responses"] as const)
      statuses.push((await ask({ url: model.url, protocol })).status);
    expect(statuses).toEqual([503, 200, 200]);
    await model.close();
  });

  it("answers as a function says that sees the request", async () => {
    const answers = ({ protocol }: { protocol: ProtocolName | null }, place: number): Answer => ({
      ...good,
      text: `${place} ${protocol}`,
    });
    const model = await openMisbehavingModel({ answers });
    expect(await (await ask({ url: model.url, protocol: "chat" })).text()).toContain('"0 chat"');
    expect(await (await ask({ url: model.url, protocol: "messages" })).text()).toContain('"1 messages"');
    await model.close();
  });

  it("keeps what it received, without the credential", async () => {
    const model = await openMisbehavingModel({ answers: [good] });
    for (const protocol of ["responses", "chat", "messages"] as const)
      await (await ask({ url: model.url, protocol, key: "sk-canary", stream: true })).text();
    expect(model.requests).toMatchObject([
      { protocol: "responses", method: "POST", path: "/v1/responses", hasCredential: true, isStreaming: true },
      { protocol: "chat", path: "/v1/chat/completions", body: { model: "model-2026-01-01" } },
      { protocol: "messages", path: "/v1/messages", headers: { "anthropic-version": "2023-06-01" }, hasCredential: true },
    ]);
    expect(model.requests[0]?.text).toBe(JSON.stringify(model.requests[0]?.body));
    expect(JSON.stringify(model.requests)).not.toContain("canary");
    await model.close();
  });

  it("tells a request without a credential from one that has it", async () => {
    const model = await openMisbehavingModel({ answers: [good] });
    await fetch(`${model.url}/v1/chat/completions`, { method: "POST", body: "{}" });
    expect(model.requests[0]).toMatchObject({ hasCredential: false });
    await model.close();
  });

  it("refuses what no protocol of its own understands, and keeps the answer for the next", async () => {
    const model = await openMisbehavingModel({ answers: [good, { kind: "error", status: 500 }] });
    expect((await fetch(`${model.url}/v1/models?key=1`)).status).toBe(404);
    expect((await fetch(`${model.url}/v1/messages`, { method: "POST", body: "[1]" })).status).toBe(400);
    expect(model.requests).toMatchObject([
      { protocol: null, path: "/v1/models", body: null },
      { protocol: "messages", body: [1] },
    ]);
    expect((await ask({ url: model.url, protocol: "chat" })).status).toBe(200);
    await model.close();
  });

  it("says when a request has come, and how it ended", async () => {
    const model = await openMisbehavingModel({ answers: [good, { kind: "stalled", atByte: null, of: good }] });
    await (await ask({ url: model.url, protocol: "chat" })).text();
    expect(await (await model.received(1)).ended).toBe("answered");
    const leave = new AbortController();
    const second = model.received(2);
    const left = ask({ url: model.url, protocol: "chat", signal: leave.signal });
    const { ended } = await second;
    leave.abort();
    await expect(left).rejects.toThrow("aborted");
    expect(await ended).toBe("cut");
    await model.close();
    await expect(model.received(3)).rejects.toThrow("closed before request 3 came");
  });

  it("refuses to open without an answer", async () => {
    await expect(openMisbehavingModel({ answers: [] })).rejects.toMatchObject({ code: "definition_invalid" });
  });

  it("ends the connection and says so at the close when the function for answers throws", async () => {
    const answers = () => {
      throw new Error("no such answer");
    };
    const model = await openMisbehavingModel({ answers });
    await expect(ask({ url: model.url, protocol: "chat" })).rejects.toThrow();
    await expect(model.close()).rejects.toThrow("no such answer");
  });

  it("ends every connection when it closes, whatever state that is in", async () => {
    const held: readonly Answer[] = [
      { kind: "stalled", atByte: null, of: good },
      { kind: "stalled", atByte: 0, of: good },
      { kind: "stalled", atByte: 20, of: good },
      { kind: "dripped", everyMs: 3_600_000, of: good },
      { kind: "endless" },
    ];
    const model = await openMisbehavingModel({ answers: held });
    const exchanges = held.map((_answer, at) =>
      ask({ url: model.url, protocol: "responses", stream: at % 2 === 0 }).then(bytesOf, () => ({ isCut: true })),
    );
    await model.received(held.length);
    const halfAsked = connect(Number(new URL(model.url).port), "127.0.0.1");
    await once(halfAsked, "connect");
    const halfClosed = new Promise((resolve) => halfAsked.on("error", () => {}).on("close", resolve));
    halfAsked.write("POST /v1/responses HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{");
    const waiting = model.received(held.length + 1);
    await Promise.all([model.close(), model.close()]);
    await halfClosed;
    expect((await Promise.all(exchanges)).map(({ isCut }) => isCut)).toEqual(held.map(() => true));
    await expect(waiting).rejects.toThrow("closed before");
    await expect(ask({ url: model.url, protocol: "chat" })).rejects.toThrow();
  });

  it("keeps no process alive once it is closed: not by a timer, and not by a connection", () => {
    const script = `
      const { openMisbehavingModel } = await import(${JSON.stringify(new URL("../index.ts", import.meta.url).href)});
      const of = { kind: "reply", text: "{}" };
      const model = await openMisbehavingModel({ answers: [{ kind: "dripped", everyMs: 3600000, of }] });
      await fetch(model.url + "/v1/messages", { method: "POST", body: "{}" });
      await model.close();
      console.log("closed");
    `;
    const { stdout, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { timeout: 15_000 });
    expect({ stdout: stdout.toString(), signal }).toEqual({ stdout: "closed\n", signal: null });
  });
});
