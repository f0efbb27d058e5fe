import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(root, "test/know/mcp/snippets-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("shows files of a project that compile, and a decide.ts that loads before anything was accepted", {
  timeout: 120_000,
}, async () => {
  const page = await readFile(join(root, "docs/mcp.md"), "utf8");
  const [decide = "", project = ""] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
  const files = {
    ...{ "decide.ts": decide, "project.ts": project, "mcp-tools.json": '{"version":1,"servers":{}}' },
    "tsconfig.json": JSON.stringify({ extends: "../../../../tsconfig.json", include: ["*.ts"], exclude: [] }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const compiled = await promisify(execFile)(process.execPath, [
    join(root, "node_modules/typescript/bin/tsc"),
    "-p",
    folder,
  ]).catch((thrown: { stdout: string }) => thrown);
  expect(compiled.stdout).toBe("");
  const { default: parts } = (await import(join(folder, "decide.ts"))) as {
    default: { records: readonly { queries: readonly { name: string }[] }[] };
  }; // as the page exports it
  expect(parts.records[0]?.queries.map(({ name }) => name)).toEqual(["mcp.tracker.search_tickets", "mcp.tracker.ticket_notes"]);
  await expect(import(join(folder, "project.ts"))).rejects.toMatchObject({ code: "definition_invalid" });
});
