import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listen } from "../../src/server/listen.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

// The protocol's own conformance suite, fetched by npx: COUNTERSIGN_MCP_CONFORMANCE=1 npx vitest run --config vitest.slow.config.ts
// test/http/mcp-conformance. The scenarios that are left out need tools, prompts and resources that only a test server has.
const suite = "@modelcontextprotocol/conformance@0.1.16";
const scenarios = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];
const isAsked = process.env["COUNTERSIGN_MCP_CONFORMANCE"] !== undefined;

let house: DeskHouse;
let proxy: Awaited<ReturnType<typeof listen>>;
let folder: string;
beforeAll(async () => {
  if (!isAsked) return;
  house = await openDeskHouse({ isDemo: false });
  // The suite knows of no keys, so one is put onto its requests on the way.
  const app = new Hono().all("/mcp", async ({ req }) => {
    const headers = new Headers(req.raw.headers);
    headers.set("authorization", `Bearer ${keyOf("ada")}`);
    const body = await req.raw.arrayBuffer();
    return fetch(`${house.url}/mcp`, { method: req.method, headers, ...(body.byteLength === 0 ? {} : { body }) });
  });
  proxy = await listen({ app, host: "127.0.0.1", port: 0 });
  folder = await mkdtemp(join(tmpdir(), "countersign-conformance-"));
}, 120_000);
afterAll(async () => {
  await proxy?.close();
  await house?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

it.skipIf(!isAsked).each(scenarios)("%s conforms", { timeout: 300_000 }, async (scenario) => {
  const args = ["--yes", suite, "server", "--url", `${proxy.url}/mcp`, "--scenario", scenario];
  const { stdout } = await promisify(execFile)("npx", args, { cwd: folder });
  expect(stdout).toMatch(/(?<!\d)0 failed/);
});
