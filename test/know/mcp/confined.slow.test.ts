import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChildProgram, ChildTransport } from "../../../src/know/mcp/child-transport.ts";
import { mcpSource } from "../../../src/know/mcp/mcp-source.ts";
import { pinsOf, reading, stdioTracker } from "./reading-tracker.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
let folder: string;
let secret: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "countersign-confined-")));
  secret = join(folder, "secret.txt");
  await writeFile(secret, "made-up secret", { mode: 0o600 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a program says first, and the transport to it. */
async function firstWords(script: string, own: Partial<ChildProgram> = {}) {
  const program = { command: process.execPath, args: ["-e", script], env: {}, maxMessageBytes: 100_000, onTooMuch: () => {} };
  const transport = new ChildTransport({ ...program, ...own });
  const said = new Promise<Record<string, unknown>>((resolve) => {
    // Whatever is one line of JSON is handed on; these programs speak no protocol.
    transport.onmessage = (message) => resolve(message as unknown as Record<string, unknown>);
  });
  await transport.start();
  return { said: await said, close: () => transport.close() };
}

const tells = `
  const fs = require("node:fs");
  const tryTo = (what) => { try { return String(what()); } catch ({ code }) { return code; } };
  const open = fs.readdirSync("/proc/self/fd").map((fd) => tryTo(() => fs.readlinkSync("/proc/self/fd/" + fd)));
  fs.writeFileSync("left", "by the program");
  console.log(JSON.stringify({ cwd: process.cwd(), env: Object.keys(process.env), open, uid: process.getuid(),
    secret: tryTo(() => fs.readFileSync("SECRET", "utf8")) }));
  setInterval(() => {}, 1000);`;

describe("a server of tools that is started as a program", () => {
  it("has a folder of its own that goes with it, no environment and no file that this process holds open", async () => {
    const held = await import("node:fs/promises").then(({ open }) => open(secret));
    const { said, close } = await firstWords(tells);
    expect(said).toMatchObject({ env: [] });
    const { cwd } = said;
    expect(cwd).not.toBe(process.cwd());
    expect(existsSync(join(String(cwd), "left"))).toBe(true);
    expect(said["open"]).not.toContain(secret);
    await close();
    expect(existsSync(String(cwd))).toBe(false);
    await held.close();
  });

  it("works in the folder that is named, which stays", async () => {
    const { said, close } = await firstWords(tells, { directory: folder });
    expect(said["cwd"]).toBe(folder);
    await close();
    expect(existsSync(join(folder, "left"))).toBe(true);
  });

  // Only a process of root can become somebody else.
  it.runIf(process.getuid?.() === 0)("runs as the user that is named, who reads nothing of this one's", async () => {
    const { said, close } = await firstWords(tells.replace("SECRET", secret), { runAs: { uid: 65_534, gid: 65_534 } });
    expect(said).toMatchObject({ uid: 65_534, secret: "EACCES" });
    await close();
  });

  it("leaves no folder behind where it cannot be started", async () => {
    const transport = new ChildTransport({
      command: "/nowhere/tracker",
      args: [],
      env: {},
      maxMessageBytes: 1,
      onTooMuch: () => {},
    });
    await expect(transport.start()).rejects.toThrow();
  });

  it("reads what it may and nothing else, where that is said", { timeout: 120_000 }, async () => {
    const tracker = await stdioTracker();
    if (!("command" in tracker.server)) throw new Error("the tracker is a program");
    const state = tracker.server.args?.[1] ?? "";
    const read = async (mayRead: readonly string[]) => {
      const server = { ...tracker.server, mayRead };
      const records = reading(
        mcpSource({
          name: "tracker",
          server,
          secret: "TRACKER_TOKEN",
          pins: pinsOf("search"),
          tools: { search: {} },
          timeoutMs: 40_000,
        }),
      );
      try {
        return (await records.read("search", { words: "lamp" })).length;
      } catch {
        return "nothing";
      } finally {
        await records.close();
      }
    };
    expect(await read([root, state])).toBe(2);
    expect(await read([root])).toBe("nothing");
    await tracker.close();
  });

  const plain = { name: "tracker", pins: pinsOf("search"), tools: { search: {} } };
  it.each([
    ["in a folder that is no full path", { directory: "work" }],
    ["that may read a folder that is no full path", { mayRead: ["../work"] }],
    ["that may read two folders in one", { mayRead: ["/srv/a,/etc"] }],
    ["as root", { runAs: { uid: 0, gid: 1 } }],
    ["as somebody without a number", { runAs: { uid: Number.NaN, gid: 1 } }],
    ["that Node does not run, confined by Node", { command: "/usr/bin/python3", mayRead: ["/srv"] }],
  ])("is refused %s", (_what, own) => {
    expect(() => mcpSource({ ...plain, server: { command: process.execPath, ...own } })).toThrow(/MCP server `tracker`/);
  });
});
