import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patience } from "./installation.ts";

// The package as `npm pack` makes it, in an empty folder outside of the repository. Its dependencies are those that are installed here.
const repository = fileURLToPath(new URL("../../", import.meta.url));
const exec = promisify(execFile);

let folder: string;
let place: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-package-"));
  const sources = join(folder, "sources");
  await copySources(sources);
  await exec("npm", ["pack", "--silent"], { cwd: sources });
  const [packed = ""] = (await readdir(sources)).filter((name) => name.endsWith(".tgz"));
  place = join(folder, "empty");
  const installed = join(place, "node_modules", "countersign");
  await mkdir(installed, { recursive: true });
  await exec("tar", ["-xzf", join(sources, packed), "-C", installed, "--strip-components=1"]);
  const { dependencies } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  await Promise.all(Object.keys(dependencies).map((name) => link(name, join(place, "node_modules", name))));
}, 2 * patience.timeout);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A copy, since packing puts another manifest in the place of ours for a while. */
async function copySources(to: string): Promise<void> {
  const parts = ["src", "bin", "scripts/package", "migrations", "policies", "verifiers", "examples/it-support"];
  const files = ["package.json", "tsconfig.json", "tsconfig.build.json", "README.md", "LICENSE", "CHANGELOG.md"];
  for (const part of [...parts, ...files]) await cp(join(repository, part), join(to, part), { recursive: true });
  await mkdir(join(to, "node_modules"));
  const names = await readdir(join(repository, "node_modules"));
  await Promise.all(
    names.filter((name) => !name.startsWith(".package")).map((name) => link(name, join(to, "node_modules", name))),
  );
}

async function link(name: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await symlink(join(repository, "node_modules", name), to);
}

const countersign = async (...args: string[]): Promise<string> => {
  const program = join(place, "node_modules", "countersign", "bin", "countersign.mjs");
  const { stdout } = await exec(process.execPath, [program, ...args], { cwd: place });
  return stdout;
};

describe("the package in an empty folder", () => {
  it("holds what runs and nothing of how it is made", async () => {
    const installed = join(place, "node_modules", "countersign");
    expect((await readdir(installed)).sort()).toEqual(
      ["CHANGELOG.md", "LICENSE", "README.md", "bin", "dist", "migrations", "package.json", "policies", "verifiers"].sort(),
    );
    const files = await readdir(join(installed, "dist"), { recursive: true });
    expect(files.filter((file) => /[.]test[.]|(?<![.]d)[.]ts$/.test(file))).toEqual([]);
    const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    expect(Object.keys(manifest)).not.toContain("private");
    expect(manifest.exports["."]).toEqual({ types: "./dist/index.d.ts", default: "./dist/index.js" });
  });

  it("starts the example that it brings, answers, and stops", patience, async () => {
    const program = join(place, "node_modules", "countersign", "bin", "countersign.mjs");
    const start = execFile(process.execPath, [program, "start", "--port", "0"], { cwd: place });
    await new Promise<void>((resolve, reject) => {
      start.stdout?.on("data", (text: string) => /ready http/.test(text) && resolve());
      start.once("exit", () => reject(new Error("start ended")));
    });
    expect(await countersign("ask", "My mouse is broken, please replace it")).toContain("done: seen by an independent read");
    expect(await countersign("stop")).toContain("nothing of them is left");
  });

  it("is typed for whoever imports it", patience, async () => {
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
