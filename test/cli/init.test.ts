import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { putStarter } from "../../src/cli/put-starter.ts";
import { run } from "../start/installation.ts";
import { runJson } from "./command.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-init-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const slow = { timeout: 60_000 };
const own = async () => JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));

/** A folder that holds a file of somebody's. */
async function fullFolder(name: string): Promise<string> {
  const place = join(folder, name);
  await mkdir(place);
  await writeFile(join(place, "README.md"), "mine");
  return place;
}

describe("countersign init", () => {
  it("makes a project under the folder's name, and says how to go on", slow, async () => {
    const place = join(folder, "deep", "library");
    const { code, stdout, stderr } = await run(["init", place]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("npx countersign start");
    const files = (await readdir(place, { recursive: true })).sort();
    expect(files).toEqual(expect.arrayContaining([".gitignore", "package.json", "evals/gate.yaml", "renew-loan.test.ts"]));
    expect(files).not.toContain("manifest.json");
    expect(await readFile(join(place, "project.ts"), "utf8")).toContain('name: "library",');
    expect(await readFile(join(place, "README.md"), "utf8")).toMatch(/^# library\n/);
    const manifest = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
    const { version, dependencies, devDependencies, engines } = await own();
    expect(manifest).toMatchObject({ name: "library", engines, dependencies: { countersign: version } });
    // What it needs is what this version was tried with.
    const all = { ...dependencies, ...devDependencies, countersign: version };
    for (const [name, wanted] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect([name, all[name]]).toEqual([name, wanted]);
    expect(await readdir(join(folder, "deep"))).toEqual(["library"]);
  });

  it("fills an empty folder where it stands, under a name of its own", slow, async () => {
    const place = join(folder, "Empty Folder");
    await mkdir(place);
    expect(await runJson(["init", place, "--name", "loans"])).toMatchObject({ code: 0, json: { name: "loans", folder: place } });
    expect((await readdir(place)).filter((name) => name.startsWith("."))).toEqual([".gitignore"]);
    expect((await readdir(join(place, "evals"))).sort()).toEqual(["gate.yaml", "renew_loan.yaml"]);
  });

  it.each([
    ["a folder that holds something", "full", [], /is not empty; nothing in it was touched/],
    ["a file", "full/README.md", ["--name", "library"], /is a file; name a new or an empty folder/],
    ["a folder below a file", "full/README.md/below", [], /name a new or an empty folder/],
    ["a folder whose name is no name", "Mine!", [], /is no name.*; name the project with --name/],
    ["a name that is none", "new", ["--name", "../up"], /is no name/],
    ["the name of a package that it needs", "new", ["--name", "countersign"], /is the name of a package that it needs/],
  ])("refuses %s and leaves everything as it was", slow, async (_what, name, options, message) => {
    const root = await mkdtemp(join(folder, "refused-"));
    await mkdir(join(root, "full"));
    await writeFile(join(root, "full", "README.md"), "mine");
    const { code, json } = await runJson(["init", join(root, name), ...options]);
    expect({ code, error: json.error }).toEqual({
      code: 2,
      error: expect.objectContaining({ code: "bad_request", message: expect.stringMatching(message) }),
    });
    expect((await readdir(root, { recursive: true })).sort()).toEqual(["full", "full/README.md"]);
  });
});

describe("what is in the way by then", () => {
  it.each([
    ["where the folder was not there before", false],
    ["where it was there and empty", true],
  ])("is kept, and nothing is put beside it, %s", async (what, isThere) => {
    const place = await fullFolder(`filled ${what}`);
    await expect(putStarter({ place, name: "library", isThere })).rejects.toMatchObject({ code: "bad_request" });
    expect(await readdir(place)).toEqual(["README.md"]);
    expect(await readFile(join(place, "README.md"), "utf8")).toBe("mine");
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
  });
});
