import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openLibrary, type TestLibrary } from "./house.ts";
import { makePdf } from "./make-files.ts";

let library: TestLibrary;
beforeEach(async () => {
  library = await openLibrary({ tenants: "all" });
  await library.write("hours.md", "# Hours\n\nThe desk opens at nine.\n");
  await library.write("pay.md", "Salaries rise in spring.\n");
});
afterEach(() => library.close());

const patience = { timeout: 20_000, interval: 5 };
const filedFor = async (tenant: string): Promise<readonly string[]> => {
  const { rows } = await library.database.inTenant(tenant, (tx) =>
    sql<{ id: string }>`select id from document where tenant = ${tenant} order by id collate "C"`.execute(tx),
  );
  return rows.map(({ id }) => id);
};
const isReading = (path: string) =>
  vi.waitFor(async () => expect((await library.status())[0]?.progress?.path).toBe(path), patience);

describe("what is gone or closed", () => {
  test("leaves the index of every tenant before a file is read for one", async () => {
    const ingest = library.ingestOf(library.sourceWith());
    await ingest.runOnce();
    expect(await filedFor("globex")).toEqual(["hours", "pay"]);
    await library.write("long.pdf", makePdf(Array.from({ length: 2_000 }, (_, place) => [`page ${place}`])));
    await unlink(join(library.folder, "pay.md"));
    await library.write("hours.md.meta.yaml", "scopes: role:hr\n");
    const run = ingest.runOnce();
    await isReading("long.pdf");
    expect(await filedFor("globex")).toEqual(["hours"]);
    const scopes = await library.database.inTenant("globex", (tx) =>
      sql<{ scopes: string[] }>`select scopes from document where tenant = 'globex'`.execute(tx),
    );
    expect(scopes.rows).toEqual([{ scopes: ["role:hr"] }]);
    expect(await filedFor("acme")).toEqual(["hours"]);
    await run;
    expect(await filedFor("globex")).toEqual(["hours", "long"]);
  });

  test("leaves the index while many files wait to be read, and each of those is read once", async () => {
    const ingest = library.ingestOf(library.sourceWith({ tenants: ["acme"] }));
    await ingest.runOnce();
    const count = 40;
    for (let place = 0; place < count; place += 1)
      await library.write(
        `many/file-${place}.pdf`,
        makePdf(Array.from({ length: 100 }, (_, page) => [`page ${page} of ${place}`])),
      );
    ingest.start();
    await vi.waitFor(async () => expect((await filedFor("acme")).length).toBeGreaterThan(2), patience);
    await unlink(join(library.folder, "pay.md"));
    await vi.waitFor(async () => expect(await filedFor("acme")).not.toContain("pay"), patience);
    expect((await filedFor("acme")).length).toBeLessThan(count);
    await vi.waitFor(async () => expect(await library.status()).toMatchObject([{ state: "complete", documents: count + 1 }]), {
      timeout: 60_000,
      interval: 50,
    });
    const { rows } = await library.database.inTenant("acme", (tx) =>
      sql<{ last: number; count: number }>`select max(number) as last, count(*)::int as count from document`.execute(tx),
    );
    // Numbers are given once: two files by the first run, and each of the others.
    expect(rows).toEqual([{ last: count + 2, count: count + 1 }]);
    expect(library.faults).toEqual([]);
  }, 90_000);
});

describe("a tenant", () => {
  test("that a source no longer names loses its documents, and no other does", async () => {
    await library.ingestOf(library.sourceWith(), library.sourceWith({ name: "other", folder: "nowhere" })).runOnce();
    expect(await filedFor("globex")).toEqual(["hours", "pay"]);
    const narrowed = library.ingestOf(library.sourceWith({ tenants: ["acme"] }));
    expect(await narrowed.runOnce()).toMatchObject([
      { tenant: "globex", removed: 2, isComplete: true },
      { tenant: "acme", unchanged: 2, removed: 0, isComplete: true },
    ]);
    expect(await filedFor("globex")).toEqual([]);
    expect((await library.status("globex")).map(({ source }) => source)).toEqual(["other"]);
    expect(await filedFor("acme")).toEqual(["hours", "pay"]);
    expect(await narrowed.runOnce()).toMatchObject([{ tenant: "acme", unchanged: 2 }]);
  });
});
