import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patience } from "./installation.ts";
import { type Packed, packed } from "./packed.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const exec = promisify(execFile);

let one: Packed;
beforeAll(async () => {
  one = await packed();
}, 2 * patience.timeout);
afterAll(async () => {
  await one?.countersign(["stop"]);
  await one?.remove();
}, patience.timeout);

describe("the package in an empty folder", () => {
  it("holds what runs and nothing of how it is made", async () => {
    const { installed } = one;
    expect((await readdir(installed)).sort()).toEqual(
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "bin",
        "dist",
        "examples",
        "migrations",
        "package.json",
        "policies",
        "verifiers",
      ].sort(),
    );
    const files = await readdir(join(installed, "dist"), { recursive: true });
    expect(files.filter((file) => /[.]test[.]|(?<![.]d)[.]ts$/.test(file))).toEqual([]);
    expect(await readFile(join(installed, "dist/console/index.html"), "utf8")).toContain('src="/console/');
    const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    expect(Object.keys(manifest)).not.toContain("private");
    expect(Object.keys(manifest)).not.toContain("workspaces");
    expect(manifest.exports["."]).toEqual({ types: "./dist/index.d.ts", default: "./dist/index.js" });
  });

  it("starts the example that it brings, answers, and stops", patience, async () => {
    const { program, place } = one;
    const start = execFile(process.execPath, [program, "start", "--port", "0"], { cwd: place });
    await new Promise<void>((resolve, reject) => {
      start.stdout?.on("data", (text: string) => /ready http/.test(text) && resolve());
      start.once("exit", () => reject(new Error("start ended")));
    });
    // Of records alone: its documents are read by a process that may read within the folder, and what is linked here lies elsewhere.
    expect(await one.countersign(["ask", "What is the status of tkt-1001?"])).toContain("Ticket tkt-1001 is in progress");
    expect(await one.countersign(["stop"])).toContain("nothing of them is left");
  });

  it("is typed for whoever imports it", patience, async () => {
    const { place } = one;
    await writeFile(
      join(place, "use.ts"),
      'import { defineProject } from "countersign";\nimport { createClient } from "countersign/client";\nimport { defineDeciding } from "countersign/decide";\nconst client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey: "key-of-somebody" });\nexport const state: Promise<string> = client.decision("x").then((view) => view.state);\nexport const made = { defineProject, defineDeciding };\n// @ts-expect-error a decision has no such member\nexport const wrong = client.decision("x").then((view) => view.nothing);\n',
    );
    await writeFile(
      join(place, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: { strict: true, module: "nodenext", target: "es2024", noEmit: true, skipLibCheck: true, types: [] },
        files: ["use.ts"],
      }),
    );
    const { stdout } = await exec(join(repository, "node_modules", ".bin", "tsc"), ["-p", place], { cwd: place }).catch(
      (thrown) => thrown,
    );
    expect(stdout).toBe("");
  });
});
