import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { run } from "../../start/installation.ts";
import { startEmbedderServer } from "./embedder-server.ts";
import { openLibrary, type TestLibrary } from "./house.ts";
import { makePdf } from "./make-files.ts";
import { readersOf } from "./readers.ts";

const program = fileURLToPath(new URL("../../../bin/countersign.mjs", import.meta.url));
const source = (name: string) => JSON.stringify(new URL(`../../../src/${name}.ts`, import.meta.url).href);
const patience = { timeout: 25_000, interval: 20 };
const fileCount = 80;

let library: TestLibrary;
let project: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  library = await openLibrary();
  project = await mkdtemp(join(tmpdir(), "countersign-project-"));
  await writeFile(
    join(project, "project.ts"),
    `import { defineProject, folderSource } from ${source("index")};
     export default defineProject({ name: "mine", capabilities: [], sources: [folderSource({
       name: "handbook", folder: ${JSON.stringify(library.folder)}, owner: "it", scopes: ["tenant:all"], tenants: ["acme"], freshWithinMs: 5_000,
     })] });`,
  );
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await library.close();
  await rm(project, { recursive: true, force: true });
});

function startIngest(more: Readonly<Record<string, string>> = {}): ChildProcess {
  const { PATH } = process.env;
  const env = { PATH, COUNTERSIGN_PROJECT: project, COUNTERSIGN_INGESTING_URL: library.store.urls.ingesting, ...more };
  const child = spawn(process.execPath, [program, "ingest"], { env, stdio: "ignore" });
  children.push(child);
  return child;
}

const filed = async (): Promise<number> => {
  const { rows } = await library.database.inTenant("acme", (tx) =>
    sql<{ count: number }>`select count(*)::int as count from document`.execute(tx),
  );
  return rows[0]?.count ?? 0;
};

describe("the process that files documents", () => {
  test("killed amid a run, the next one completes it: nothing is there twice and nothing is lost", async () => {
    for (let place = 0; place < fileCount; place += 1)
      await library.write(`file-${place}.md`, `# File ${place}\n\nWord${place} is in this one.\n`);
    const first = startIngest();
    await vi.waitFor(async () => expect(await filed()).toBeGreaterThan(5), patience);
    const readers = await readersOf(first.pid);
    first.kill("SIGKILL");
    await vi.waitFor(() => expect(first.signalCode).toBe("SIGKILL"), patience);
    expect(await filed()).toBeLessThan(fileCount);
    // Nobody is left who reads for a process that is gone.
    expect(readers.length).toBeGreaterThan(0);
    await vi.waitFor(async () => {
      for (const pid of readers) expect(() => process.kill(pid, 0)).toThrow();
    }, patience);
    startIngest();
    await vi.waitFor(async () => expect(await library.status()).toMatchObject([{ state: "complete" }]), patience);
    const [status] = await library.status();
    expect(status).toMatchObject({ documents: fileCount, passages: fileCount, faults: [], isBehind: false });
    expect(await filed()).toBe(fileCount);
    expect(await library.find("Word42")).toEqual(["file-42"]);
  });

  test("has vectors made by the embedder that `ingest.ts` names, under its key, and its status says so", async () => {
    const server = await startEmbedderServer({ dimensions: 16 });
    await writeFile(
      join(project, "ingest.ts"),
      `import { compatibleEmbedder, defineIngesting } from ${source("ingesting")};
       export default defineIngesting({ embedder: compatibleEmbedder({
         name: "local", baseUrl: ${JSON.stringify(server.baseUrl)}, secret: "EMBEDDER_KEY", model: "tiny", version: "1", dimensions: 16 }) });`,
    );
    await library.write("lamp.md", "# Lamps\n\nA lamp glows.\n");
    startIngest({ EMBEDDER_KEY: "for tests" });
    await vi.waitFor(() => expect(server.asked).toEqual([expect.stringContaining("A lamp glows.")]), patience);
    expect(server.key()).toBe("Bearer for tests");
    const env = { COUNTERSIGN_INGESTING_URL: library.store.urls.ingesting };
    await vi.waitFor(async () => {
      const { stdout } = await run(["index", "status", "--tenant", "acme"], { env });
      expect(stdout).toContain("acme: vectors by local@tiny-1-16: all 1 passages have one");
    }, patience);
    await server.close();
  });

  test("says how far it is with a long file, and goes on with the rest", async () => {
    await library.write("long.pdf", makePdf(Array.from({ length: 500 }, (_, place) => [`Paragraph of page ${place + 1}.`])));
    await library.write("zebra.md", "The zebra is last.\n");
    startIngest();
    await vi.waitFor(async () => {
      const [status] = await library.status();
      expect(status?.progress).toMatchObject({ path: "long.pdf", pages: 500 });
    }, patience);
    await vi.waitFor(async () => expect(await library.find("zebra last")).toEqual(["zebra"]), patience);
    const { rows } = await library.database.inTenant("acme", (tx) =>
      sql<{
        pages: number;
        last: number;
      }>`select f.pages, (select max(page) from passage) as last from source_file f where path = 'long.pdf'`.execute(tx),
    );
    expect(rows).toEqual([{ pages: 500, last: 500 }]);
  });
});
