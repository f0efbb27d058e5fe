import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { newFolder, remove } from "../start/installation.ts";
import { runJson } from "./command.ts";
import { putOwnProject } from "./own-project.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
const key = "sk-of-the-vault-file-alone";
const program = fileURLToPath(new URL("../../bin/countersign.mjs", import.meta.url));
/** A provider's list, for whoever brings the key. */
const server = createServer((request, response) => {
  if (request.headers.authorization === `Bearer ${key}`) response.end(JSON.stringify({ data: [{ id: "gpt-9-2026-01-01" }] }));
  else response.writeHead(401).end();
});
let directory: string;
let project: string;
beforeAll(async () => {
  directory = await newFolder();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project = join(directory, "..", "mine");
  await putOwnProject(project);
  const source = JSON.stringify(new URL("../../src/decide.ts", import.meta.url).href);
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  await writeFile(
    join(project, "decide.ts"),
    `import { defineDeciding, openAi } from ${source};
export default defineDeciding({ records: [], hiddenValues: null, providers: [
  openAi({ name: "openai", secret: "LISTED_MODEL_KEY", api: "responses", constrain: "schema", baseUrl: "${at}" }),
] });\n`,
  );
});
afterAll(async () => {
  server.close();
  await remove(directory);
});

const named = (id: string) => writeFile(join(project, "models.yaml"), `models:\n  - provider: openai\n    id: ${id}\n`);
const check = () => runJson(["models", "check", "--ask", "--project", project, "--directory", directory]);

it("lists are asked for with the keys of the vault file, and a model that its provider does not list is a finding", async () => {
  await named("gpt-9-2026-01-01");
  expect(await check()).toMatchObject({ code: 1, json: { isGood: false, unread: ["openai"] } });
  const all = [program, "secret", "set", "LISTED_MODEL_KEY", "--side", "models", "--directory", directory, "--json"];
  const child = spawn(process.execPath, all, { env: { PATH: process.env["PATH"] ?? "" }, stdio: "pipe" });
  child.stdin.end(key);
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect([code, stdout]).toEqual([0, expect.not.stringContaining(key)]);
  expect(await check()).toMatchObject({ code: 0, json: { isGood: true, unread: [], standings: [{ state: "active" }] } });
  await named("gpt-10-2026-01-01");
  expect(await check()).toMatchObject({ code: 1, json: { isGood: false, standings: [{ state: "unknown", isUnlisted: true }] } });
});
