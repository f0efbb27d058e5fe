import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sentences } from "../../examples/it-support/sentences.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = await readFile(join(root, "README.md"), "utf8");
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(root, "test/docs/snippet-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("README.md", () => {
  it("shows a first capability that compiles and can be defined", async () => {
    const snippet = /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
    await writeFile(join(folder, "capability.ts"), snippet);
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: "../../../tsconfig.json", include: ["*.ts"], exclude: [] }),
    );
    await promisify(execFile)(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder]);
    const { ticketState } = (await import(join(folder, "capability.ts"))) as { ticketState: { name: string } }; // as the page exports it
    expect(ticketState.name).toBe("ticket_state");
  }, 60_000);

  it("suggests sentences that the demo's script knows", () => {
    const suggested = [...page.matchAll(/^- `([^`]+)`/gm)].map((match) => match[1] ?? "");
    expect(suggested.length).toBe(6);
    expect(suggested.filter((text) => !(Object.values(sentences) as string[]).includes(text))).toEqual([]);
  });

  it("names tests of laws that are there", () => {
    const files = [...page.matchAll(/`(test\/laws\/[^`]+)`/g)].map((match) => match[1] ?? "");
    expect(files.length).toBe(14);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it("names commands that the command line knows", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, "bin/countersign.mjs"), "--help"]);
    const named = [...page.matchAll(/npx countersign (\w+)/g)].map((match) => match[1] ?? "");
    expect(named.filter((command) => !new RegExp(`^  ${command}\\b`, "m").test(stdout))).toEqual([]);
  });
});
