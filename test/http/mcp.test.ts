import { readFile } from "node:fs/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { offeredTools } from "../../src/server/mcp/tools.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

let house: DeskHouse;
const opened: Client[] = [];
beforeAll(async () => {
  house = await openDeskHouse({ isDemo: false });
}, 120_000);
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await house?.close();
});

async function connected(apiKey: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${apiKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${house.url}/mcp`), { requestInit }));
  opened.push(client);
  return client;
}

interface Called {
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly text: string }[];
}
const call = async (client: Client, name: string, args: object): Promise<Called> =>
  (await client.callTool({ name, arguments: { ...args } })) as unknown as Called; // the tools answer with text

const decisionOf = ({ structuredContent = {} }: Called) => structuredContent["decision"] as { id: string; state: string }; // as `ask` answers

describe("MCP at the desk", () => {
  it("offers asking, proposing and reading, and nothing that signs, applies, stops or resolves", async () => {
    const client = await connected(keyOf("ada"));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(offeredTools.map(({ name }) => name));
    expect(
      tools.map(({ name }) => name).filter((name) => /approve|sign|reject|apply|halt|resum|resolv|slice/.test(name)),
    ).toEqual([]);
    for (const { annotations } of tools) expect(annotations?.destructiveHint).toBe(false);
    const page = await readFile(new URL("../../docs/mcp-server.md", import.meta.url), "utf8");
    const told = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = ""]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(told.sort()).toEqual(offeredTools.map(({ name }) => name).sort());
    const begin = tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name);
    expect(begin).toEqual(["ask", "propose_decision"]);
  });

  it("leads from a question to a proposal that a person signs elsewhere, and tells how it stands", async () => {
    const client = await connected(keyOf("ada"));
    const asked = await call(client, "ask", { text: "a note over MCP", idempotencyKey: "mcp-1" });
    const decision = decisionOf(asked);
    expect(decision.state).toBe("waiting");
    const again = await call(client, "ask", { text: "a note over MCP", idempotencyKey: "mcp-1" });
    expect(decisionOf(again).id).toBe(decision.id);
    await createClient({ baseUrl: house.url, apiKey: keyOf("ben") }).approve(decision.id);
    const read = await call(client, "read_decision", { id: decision.id });
    expect(read.structuredContent).toMatchObject({ id: decision.id, state: "signed" });
    const explained = await call(client, "explain_decision", { id: decision.id });
    expect(explained.structuredContent).toMatchObject({ sight: "requester", asked: { by: "ada" } });
  });

  it("looks up passages and facts, and compares texts", async () => {
    const client = await connected(keyOf("ada"));
    expect((await call(client, "search", { query: "laptop" })).structuredContent).toMatchObject({ content: [] });
    const facts = await call(client, "facts_at", { subject: "employee:e-1", at: "2026-03-01T00:00:00Z" });
    expect(facts.structuredContent).toEqual({ items: [] });
    const said = "the lamp on the desk is broken since monday";
    const texts = [
      { id: "a", text: said },
      { id: "b", text: said },
    ];
    const found = await call(client, "find_redundancy", { texts });
    expect(found.structuredContent).toMatchObject({ sharePpm: 500_000, segments: [{ id: "b", of: { id: "a" } }] });
  });

  it("answers a fault with its code and what to do, as an error of the tool", async () => {
    const client = await connected(keyOf("ada"));
    const unknown = await call(client, "propose_decision", { capability: "no_such", inputs: {} });
    expect(unknown).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("unknown_capability: ") }] });
    expect(await call(client, "facts_at", { subject: "employee:e-1" })).toMatchObject({ isError: true });
  });

  it("says of a fault which decision it is about, and lists the caller's own", async () => {
    const client = await connected(keyOf("ada"));
    const asked = decisionOf(await call(client, "ask", { text: "a note to find again" }));
    const { structuredContent = {} } = await call(client, "list_decisions", { limit: 5 });
    const items = structuredContent["items"] as readonly { id: string }[];
    expect(items.map(({ id }) => id)).toContain(asked.id);
    const invalid = await call(client, "propose_decision", { capability: "keep_notes", inputs: { text: "" } });
    expect(invalid.content[0]?.text).toMatch(/^input_invalid: .*"decisionId":"[0-9a-f-]{36}"/);
  });

  it("searches as of now or before, and asks for facts as far back as there are dates", async () => {
    const client = await connected(keyOf("ada"));
    const ahead = await call(client, "search", { query: "laptop", at: "2999-01-01T00:00:00Z" });
    expect(ahead).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("reference_time_invalid: ") }] });
    const long = await call(client, "facts_at", { subject: "employee:e-1", at: "1923-03-01T00:00:00Z" });
    expect(long.structuredContent).toEqual({ items: [] });
  });

  it("refuses a body that says a thing twice, and leaves what is no JSON to the protocol", async () => {
    const headers = {
      authorization: `Bearer ${keyOf("ada")}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const send = (body: string) => fetch(`${house.url}/mcp`, { method: "POST", headers, body });
    expect((await send('{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}')).status).toBe(400);
    expect(await (await send("{")).json()).toMatchObject({ error: { code: -32700 } });
  });

  it("shows each caller what is theirs alone", async () => {
    const ada = await connected(keyOf("ada"));
    const asked = await call(ada, "ask", { text: "a private note" });
    const { id } = decisionOf(asked);
    const other = await connected(keyOf("gus"));
    const refused = { isError: true, content: [{ text: expect.stringContaining("not_found: ") }] };
    expect(await call(other, "read_decision", { id })).toMatchObject(refused);
    expect(await call(other, "explain_decision", { id })).toMatchObject(refused);
  });

  it("is closed without a key, with a wrong one, and to a page of another origin", async () => {
    await expect(connected("key-of-nobody-01")).rejects.toThrow();
    const ping = (headers: Record<string, string>) =>
      fetch(`${house.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
      });
    expect((await ping({})).status).toBe(401);
    const authorization = `Bearer ${keyOf("ada")}`;
    expect((await ping({ authorization })).status).toBe(200);
    expect((await ping({ authorization, origin: "https://evil.example" })).status).toBe(403);
    expect((await ping({ authorization, origin: house.url })).status).toBe(200);
  });

  it("takes no more of a body than the API does", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { pad: "x".repeat(3_000_000) } });
    const headers = { authorization: `Bearer ${keyOf("ada")}`, "content-type": "application/json" };
    expect((await fetch(`${house.url}/mcp`, { method: "POST", headers, body })).status).toBe(413);
  });
});
