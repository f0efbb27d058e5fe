import { randomBytes } from "node:crypto";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openLibrary, type TestLibrary } from "./house.ts";
import { makePdf } from "./make-files.ts";
import { readersOf } from "./readers.ts";

let library: TestLibrary;
beforeEach(async () => {
  library = await openLibrary();
  await library.write("hours.md", "# Hours\n\nThe desk opens at nine.\n");
});
afterEach(() => library.close());

const patience = { timeout: 20_000, interval: 5 };
const longPdf = (word: string) => makePdf(Array.from({ length: 2_000 }, (_, place) => [`The ${word} is on page ${place}.`]));
const isBeingRead = (path: string) =>
  vi.waitFor(async () => expect((await library.status())[0]?.progress).toMatchObject({ path, pages: 2_000 }), patience);

async function endReaders(): Promise<void> {
  const readers = await readersOf(process.pid);
  expect(readers.length).toBeGreaterThan(0);
  for (const pid of readers) process.kill(pid, "SIGTERM");
}

describe("a good file whose reader dies", () => {
  test("keeps what was filed of it, and is read by the next run", async () => {
    await library.write("rules.pdf", makePdf([["Visitors sign in."]]));
    const ingest = library.ingestOf(library.sourceWith());
    await ingest.runOnce();
    await library.write("rules.pdf", longPdf("zebra"));
    const run = ingest.runOnce();
    await isBeingRead("rules.pdf");
    await endReaders();
    expect(await run).toMatchObject([{ isComplete: false, faults: [{ path: "rules.pdf", fault: "not_read" }] }]);
    expect(await library.find("visitors sign")).toEqual(["rules"]);
    expect(await ingest.runOnce()).toMatchObject([{ isComplete: true, filed: 1, faults: [] }]);
    expect(await library.find("zebra")).toContain("rules");
  });

  test("is read by the next run where nothing was filed of it, and breaks no promise until then", async () => {
    const ingest = library.ingestOf(library.sourceWith());
    await ingest.runOnce();
    await library.write("new.pdf", longPdf("zebra"));
    const run = ingest.runOnce();
    await isBeingRead("new.pdf");
    await endReaders();
    expect(await run).toMatchObject([{ isComplete: true, faults: [{ path: "new.pdf", fault: "not_read" }] }]);
    expect(await ingest.runOnce()).toMatchObject([{ isComplete: true, filed: 1, faults: [] }]);
  });

  test("keeps what was filed of it when the process is stopped amid it", async () => {
    await library.write("rules.pdf", makePdf([["Visitors sign in."]]));
    const first = library.ingestOf(library.sourceWith());
    await first.runOnce();
    await library.write("rules.pdf", longPdf("zebra"));
    const run = first.runOnce();
    await isBeingRead("rules.pdf");
    await first.stop();
    expect(await run).toMatchObject([{ isComplete: false }]);
    expect(await library.find("visitors sign")).toEqual(["rules"]);
    expect(await library.ingestOf(library.sourceWith()).runOnce()).toMatchObject([{ isComplete: true, filed: 1, faults: [] }]);
  });
});

describe("one file", () => {
  test("that cannot be looked at breaks the promise of its source only where something is filed of it", async () => {
    await symlink(join(library.folder, "nowhere.md"), join(library.folder, "dangling.md"));
    await writeFile(
      Buffer.concat([Buffer.from(`${library.folder}/name-`), Buffer.from([0xff, 0xfe]), Buffer.from(".md")]),
      "text",
    );
    const ingest = library.ingestOf(library.sourceWith());
    const [report] = await ingest.runOnce();
    expect(report).toMatchObject({ isComplete: true, filed: 1 });
    expect(report?.faults.map(({ fault }) => fault)).toEqual(["unreachable", "unreachable"]);
    expect(await library.status()).toMatchObject([{ state: "complete", isBehind: false }]);
    await rm(join(library.folder, "hours.md"));
    await symlink(join(library.folder, "nowhere.md"), join(library.folder, "hours.md"));
    expect(await ingest.runOnce()).toMatchObject([{ isComplete: false, detail: expect.stringContaining("`hours.md`") }]);
    expect(await library.find("desk opens")).toEqual(["hours"]);
  });

  test("with a link beside it is not filed with whatever that says, and not without it", async () => {
    const ingest = library.ingestOf(library.sourceWith());
    await ingest.runOnce();
    await symlink("/etc/hostname", join(library.folder, "hours.md.meta.yaml"));
    expect(await ingest.runOnce()).toMatchObject([{ isComplete: true, removed: 1, faults: [{ fault: "bad_metadata" }] }]);
    expect(await library.find("desk opens")).toEqual([]);
  });

  test("of any path or labels keeps nothing open that is closed or gone in the same run", async () => {
    await library.write("pay.md", "Salaries rise in spring.\n");
    await library.write("gone.md", "The cellar is flooded.\n");
    const ingest = library.ingestOf(library.sourceWith());
    await ingest.runOnce();
    await library.write("pay.md.meta.yaml", "scopes: role:hr\n");
    await rm(join(library.folder, "gone.md"));
    const labels = Array.from({ length: 200 }, () => `role:${randomBytes(15).toString("hex")}`);
    await library.write("hours.md.meta.json", JSON.stringify({ scopes: labels }));
    // Text that does not compress, so that it is as long in an index as it looks.
    const deep = Array.from({ length: 15 }, () => randomBytes(100).toString("hex"));
    await mkdir(join(library.folder, ...deep), { recursive: true });
    await library.write(join(...deep, "last.md"), "deep down");
    const [report] = await ingest.runOnce();
    expect(report).toMatchObject({ isComplete: true, rescoped: 1 });
    expect(report?.faults.map(({ fault }) => fault).sort()).toEqual(["bad_metadata", "long_path"]);
    expect(await library.find("salaries spring")).toEqual([]);
    expect(await library.find("salaries spring", ["role:hr"])).toEqual(["pay"]);
    expect(await library.find("cellar flooded")).toEqual([]);
    expect((await ingest.runOnce())[0]?.faults).toEqual(report?.faults);
  });

  test("with a heading of any length is filed, and so is what is below it", async () => {
    const parts = Array.from({ length: 1_000 }, (_, place) => `## Part ${place}\n\nDetail${place} is here.\n`);
    await library.write("long.md", `# Before\n\n# ${"heading ".repeat(25_000)}\n\n${parts.join("\n")}`);
    const [report] = await library.ingestOf(library.sourceWith()).runOnce();
    expect(report).toMatchObject({ isComplete: true, filed: 2, faults: [] });
    expect(await library.find("Detail777")).toEqual(["long"]);
  });
});
