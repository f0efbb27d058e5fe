import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openLibrary, type TestLibrary } from "./house.ts";

let library: TestLibrary;
beforeEach(async () => {
  library = await openLibrary();
  await library.write("hours.md", "# Hours\n\nThe desk opens at nine.\n");
});
afterEach(() => library.close());

/** As if the last complete comparison were so old, in milliseconds. */
const age = (ms: number) =>
  library.database.inTenant("acme", (tx) =>
    sql`update source set fresh_as_of = fresh_as_of - ${ms} * interval '1 millisecond'`.execute(tx),
  );
const stale = { code: "index_stale", facts: { sources: ["handbook"] } };

describe("the promise of a source", () => {
  test("is not kept by a source that nobody has read yet", async () => {
    const source = library.sourceWith();
    await expect(library.find("desk opens", ["tenant:all"], [source])).rejects.toMatchObject(stale);
    await library.ingestOf(source).runOnce();
    expect(await library.find("desk opens", ["tenant:all"], [source])).toEqual(["hours"]);
  });

  test("is an error on every answer that it bears on once it is broken, found or not, until it is kept again", async () => {
    const ingest = library.ingestOf(library.sourceWith());
    await ingest.runOnce();
    await age(50_000);
    expect(await library.find("desk opens")).toEqual(["hours"]);
    await age(15_000);
    await expect(library.find("desk opens")).rejects.toMatchObject(stale);
    await expect(library.find("zeppelin")).rejects.toMatchObject(stale);
    expect(await library.status()).toMatchObject([{ isBehind: true }]);
    await ingest.runOnce();
    expect(await library.find("desk opens")).toEqual(["hours"]);
  });

  test("is broken by runs that cannot look at everything, though they run", async () => {
    const ingest = library.ingestOf(library.sourceWith());
    await ingest.runOnce();
    await age(65_000);
    await unlink(join(library.folder, "hours.md"));
    expect(await ingest.runOnce()).toMatchObject([{ isComplete: false }]);
    await expect(library.find("desk opens")).rejects.toMatchObject(stale);
  });

  test("tells nothing of a source to whoever may see none of its documents, or asks another collection", async () => {
    const source = library.sourceWith({ scopes: ["role:hr"], collection: "contracts" });
    await library.ingestOf(source).runOnce();
    await age(100_000);
    expect(await library.find("desk opens", ["tenant:all"], [source])).toEqual([]);
    expect(await library.find("desk opens", ["role:hr"], [source], "documents")).toEqual([]);
    await expect(library.find("desk opens", ["role:hr"], [source], "contracts")).rejects.toMatchObject(stale);
  });
});

describe("a folder that is followed", () => {
  test("is filed soon after a change, which is measured", async () => {
    const ingest = library.ingestOf(library.sourceWith({ freshWithinMs: 600_000 }));
    ingest.start();
    const patience = { timeout: 10_000, interval: 25 };
    await vi.waitFor(async () => expect(await library.find("desk opens")).toEqual(["hours"]), patience);
    await library.write("deep/new.md", "The cellar is flooded.\n");
    // Long before the next full comparison, which comes after a minute.
    await vi.waitFor(async () => expect(await library.find("cellar flooded")).toEqual(["deep.new"]), patience);
    await unlink(join(library.folder, "hours.md"));
    await vi.waitFor(async () => expect(await library.find("desk opens")).toEqual([]), patience);
    const [status] = await library.status();
    expect(status?.lagMs).toBeGreaterThanOrEqual(0);
    expect(status?.lagMs).toBeLessThan(10_000);
    expect(library.faults).toEqual([]);
  });
});
