import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { offeredTools } from "../../src/server/mcp/tools.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

const program = fileURLToPath(new URL("../../bin/countersign.mjs", import.meta.url));

let house: DeskHouse;
beforeAll(async () => {
  house = await openDeskHouse({ isDemo: false });
}, 120_000);
afterAll(() => house?.close());

it("`countersign mcp serve` offers the same on stdin and stdout, under the key of its environment", {
  timeout: 60_000,
}, async () => {
  const client = new Client({ name: "test", version: "1" });
  const env = { PATH: process.env["PATH"] ?? "", COUNTERSIGN_URL: house.url, COUNTERSIGN_KEY: keyOf("ada") };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, "mcp", "serve"], env }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(offeredTools.map(({ name }) => name));
  const asked = await client.callTool({ name: "ask", arguments: { text: "a note by pipe" } });
  expect(asked).toMatchObject({ structuredContent: { kind: "decided", decision: { requestedBy: "ada", state: "waiting" } } });
  await client.close();
});
