import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";
import { run } from "../start/installation.ts";
import { runJson } from "./command.ts";

let store: MigratedDatabase;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  store = await createMigratedDatabase();
  folder = await mkdtemp(join(tmpdir(), "countersign-index-"));
  env = { COUNTERSIGN_INGESTING_URL: store.urls.ingesting };
  await writeFile(join(folder, "guide.md"), "# Guide\n\nThe first edition.\n");
  await writeFile(join(folder, "broken.pdf"), "%PDF-1.4 cut");
});
afterAll(async () => {
  await store.drop();
  await rm(folder, { recursive: true, force: true });
});

const adding = ["--owner", "it", "--scopes", "tenant:all", "--tenant", "acme"];

describe("countersign index", () => {
  test("files what can be filed, names what cannot, and ends with 1 for it", async () => {
    const { code, json } = await runJson(["index", "add", folder, ...adding], { env });
    expect(code).toBe(1);
    expect(json).toMatchObject({
      files: [
        { kind: "faulty", path: "broken.pdf", fault: "broken" },
        { kind: "filed", path: "guide.md", id: "guide", passages: 1 },
      ],
    });
  });

  test("puts a file that says no version in place of its earlier one", async () => {
    await writeFile(join(folder, "guide.md"), "# Guide\n\nThe second edition.\n");
    const { code, stdout } = await run(["index", "add", join(folder, "guide.md"), ...adding], { env });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^guide\.md: filed as guide, version [0-9a-f]{12}, 1 passage\n$/),
    });
    const status = await runJson(["index", "status", "--tenant", "acme"], { env });
    expect(status).toMatchObject({ code: 0, json: { tenants: [{ tenant: "acme", sources: [], byHand: 1 }] } });
  });

  test("makes the index anew from the texts that are kept, of one tenant or of all", async () => {
    const one = await runJson(["index", "rebuild", "--tenant", "acme"], { env });
    expect(one).toMatchObject({ code: 0, json: { rebuilt: [{ tenant: "acme", documents: 1 }] } });
    const { stdout } = await run(["index", "rebuild"], { env });
    expect(stdout).toContain("acme: the index of 1 documents is made anew\n");
  });

  test("removes a document, and says when there is none", async () => {
    const removed = await runJson(["index", "remove", "guide", "--tenant", "acme"], { env });
    expect(removed).toMatchObject({ code: 0, json: { removed: [{ id: "guide", source: null }] } });
    const again = await runJson(["index", "remove", "guide", "--tenant", "acme"], { env });
    expect(again).toMatchObject({ code: 2, json: { error: { code: "not_found" } } });
  });

  test.each([
    ["a path that is not there", ["index", "add", "/nowhere/at-all", ...adding], "bad_request"],
    ["no tenant where there are several", ["index", "add", ".", "--owner", "it", "--scopes", "x"], "bad_request"],
    ["an owner that is none", ["index", "add", ".", "--owner", "I T", "--scopes", "x", "--tenant", "acme"], "bad_request"],
    ["no label", ["index", "add", ".", "--owner", "it", "--scopes", ",", "--tenant", "acme"], "bad_request"],
    ["a day that there is not", ["index", "add", ".", ...adding, "--valid-from", "2026-02-31"], "bad_request"],
    ["neither a document nor a source", ["index", "remove", "--tenant", "acme"], "bad_request"],
    ["a tenant that there is not", ["index", "remove", "x", "--tenant", "nobody"], "not_found"],
  ])("refuses %s", async (_, args, errorCode) => {
    expect(await runJson(args, { env })).toMatchObject({ code: 2, json: { error: { code: errorCode } } });
  });
});
