import { rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openLibrary, type TestLibrary } from "./house.ts";
import { makeDocx, makePdf, wordParagraph } from "./make-files.ts";

let library: TestLibrary;
beforeEach(async () => {
  library = await openLibrary();
});
afterEach(() => library.close());

describe("a folder of documents", () => {
  test("is filed in every format, and what is wrong with a file is said by its name and stops no other", async () => {
    await library.write("travel.md", "# Travel\n\n## Hotels\n\nA hotel costs 120 EUR at most.\n");
    await library.write("site/faq.html", "<h1>FAQ</h1><p>The canteen opens at eleven.</p><script>x</script>");
    await library.write("parking.pdf", makePdf([["Parking is free for bicycles."], ["Cars pay."]]));
    await library.write("leave.docx", makeDocx(wordParagraph("Parental leave lasts two years.")));
    await library.write("gates.txt", Buffer.from("The gate closes at ten. Stra\xdfe.", "latin1"));
    await library.write("prices.csv", "item,price\nMonitor,300\n");
    await library.write("bad/locked.pdf", makePdf([["x"]], { encrypt: true }));
    await library.write("bad/cut.pdf", makePdf([["x"]]).subarray(0, 150));
    await library.write("bad/empty.md", "");
    await library.write("bad/nul.txt", "a\0b");
    await library.write("bad/picture.png", "png");
    await library.write("bad/keys.md", "---\ntitel: x\n---\ntext\n");
    await library.write(".hidden/secret.md", "never");
    await writeFile(join(tmpdir(), "countersign-outside.txt"), "outside");
    await symlink(join(tmpdir(), "countersign-outside.txt"), join(library.folder, "bad/link.txt"));
    const [report] = await library.ingestOf(library.sourceWith()).runOnce();
    expect(report).toMatchObject({ isComplete: true, filed: 6, removed: 0 });
    expect(Object.fromEntries(report?.faults.map(({ path, fault }) => [path, fault]) ?? [])).toEqual({
      ...{ "bad/locked.pdf": "encrypted", "bad/cut.pdf": "broken", "bad/empty.md": "empty", "bad/nul.txt": "not_text" },
      ...{ "bad/picture.png": "unsupported", "bad/keys.md": "bad_metadata", "bad/link.txt": "outside" },
    });
    expect(await library.find("hotel costs")).toContain("travel");
    expect(await library.find("canteen opens")).toContain("site.faq");
    expect(await library.find("parental leave")).toContain("leave");
    expect(await library.find("price of the Monitor")).toContain("prices");
    const [status] = await library.status();
    expect(status).toMatchObject({ state: "complete", isBehind: false, files: 13, documents: 6, detail: null });
    expect(status?.faults).toHaveLength(7);
    const pages = await library.deciding.inTenant("acme", (tx) =>
      sql<{ page: number }>`select page from passage where body like '%Cars%'`.execute(tx),
    );
    expect(pages.rows).toEqual([{ page: 2 }]);
  });

  test("files again only what changed, and takes what replaced, renamed or deleted files said out of the next search", async () => {
    await library.write("one.md", "# One\n\nThe password is changed every winter.\n");
    await library.write("two.md", "# Two\n\nThe printer stands in the cellar.\n");
    const ingest = library.ingestOf(library.sourceWith());
    expect(await ingest.runOnce()).toMatchObject([{ filed: 2 }]);
    expect(await ingest.runOnce()).toMatchObject([{ filed: 0, unchanged: 2 }]);
    expect(await library.ingestOf(library.sourceWith()).runOnce()).toMatchObject([{ filed: 0, unchanged: 2 }]);
    await library.write("one.md", "# One\n\nThe password is changed every summer.\n");
    expect(await ingest.runOnce()).toMatchObject([{ filed: 1, unchanged: 1, removed: 0 }]);
    expect(await library.find("winter")).toEqual([]);
    expect(await library.find("password summer")).toEqual(["one"]);
    await rename(join(library.folder, "two.md"), join(library.folder, "three.md"));
    expect(await ingest.runOnce()).toMatchObject([{ filed: 1, removed: 1 }]);
    expect(await library.find("printer cellar")).toEqual(["three"]);
    await rm(join(library.folder, "three.md"));
    expect(await ingest.runOnce()).toMatchObject([{ filed: 0, removed: 1, isComplete: true }]);
    expect(await library.find("printer cellar")).toEqual([]);
    expect(library.faults).toEqual([]);
  });

  test("keeps a renamed document where the file names its id, and versions of one id beside each other", async () => {
    const policy = (version: string, from: string) =>
      `---\nid: policy\nversion: ${version}\nvalid_from: ${from}\n---\n# Policy\n\nRule number ${version}.\n`;
    await library.write("old.md", policy("1.0", "2020-01-01"));
    await library.write("new.md", policy("2.0", "2024-01-01"));
    const ingest = library.ingestOf(library.sourceWith());
    expect(await ingest.runOnce()).toMatchObject([{ filed: 2, faults: [] }]);
    await rename(join(library.folder, "new.md"), join(library.folder, "policy.md"));
    expect(await ingest.runOnce()).toMatchObject([{ removed: 0, isComplete: true }]);
    await library.write("copy.md", policy("2.0", "2024-01-01"));
    const [report] = await ingest.runOnce();
    expect(report?.faults).toMatchObject([{ path: "copy.md", fault: "id_taken", detail: expect.stringContaining("policy.md") }]);
  });

  test("closes a document to whoever may not see it any more before it reads anything, and never opens one wider", async () => {
    await library.write("pay.pdf", makePdf([["Salaries rise in spring."]]));
    await library.write("slow.pdf", makePdf(Array.from({ length: 40 }, (_, place) => [`page ${place} of the slow file`])));
    const ingest = library.ingestOf(library.sourceWith());
    await ingest.runOnce();
    expect(await library.find("salaries spring")).toEqual(["pay"]);
    await library.write("pay.pdf.meta.yaml", "scopes: role:hr\n");
    expect(await ingest.runOnce()).toMatchObject([{ rescoped: 1, filed: 0 }]);
    expect(await library.find("salaries spring")).toEqual([]);
    expect(await library.find("salaries spring", ["role:hr"])).toEqual(["pay"]);
    const narrow = library.sourceWith({ scopes: ["role:it"] });
    const [report] = await library.ingestOf(narrow).runOnce();
    expect(report?.faults).toMatchObject([{ path: "pay.pdf", fault: "wider_access" }]);
    expect(await library.find("salaries spring", ["role:hr", "role:it", "tenant:all"])).toEqual([]);
    expect(await library.find("slow file", ["tenant:all"])).toEqual([]);
  });

  test("withdraws what a file said once the file is broken, and keeps it while the file cannot be looked at", async () => {
    await library.write("rules.pdf", makePdf([["Visitors sign in."]]));
    await library.write("sub/other.md", "Dogs stay outside.\n");
    const ingest = library.ingestOf(library.sourceWith());
    await ingest.runOnce();
    await library.write("rules.pdf", "%PDF-1.4 half an upload");
    expect(await ingest.runOnce()).toMatchObject([{ isComplete: true, faults: [{ path: "rules.pdf", fault: "broken" }] }]);
    expect(await library.find("visitors sign")).toEqual([]);
    // Known to be broken: it is not read again, and still told of.
    expect(await ingest.runOnce()).toMatchObject([{ unchanged: 2, faults: [{ path: "rules.pdf" }] }]);
    await library.write("rules.pdf", makePdf([["Visitors sign in twice."]]));
    expect(await ingest.runOnce()).toMatchObject([{ filed: 1, faults: [] }]);
    expect(await library.find("visitors sign")).toEqual(["rules"]);
  });

  test("is not emptied by a drive that is gone: such a run is not complete, and says so", async () => {
    await library.write("a.md", "Alpha is first.\n");
    const ingest = library.ingestOf(library.sourceWith());
    await ingest.runOnce();
    await rm(join(library.folder, "a.md"));
    expect(await ingest.runOnce()).toMatchObject([
      { isComplete: false, detail: expect.stringContaining("countersign index remove --source handbook") },
    ]);
    expect(await library.find("alpha first")).toEqual(["a"]);
    await rm(library.folder, { recursive: true });
    expect(await ingest.runOnce()).toMatchObject([{ isComplete: false, detail: "its folder cannot be read (ENOENT)" }]);
    expect(await library.status()).toMatchObject([
      { state: "failed", detail: "its folder cannot be read (ENOENT)", documents: 1 },
    ]);
  });

  test("has nothing to do with the documents of another source", async () => {
    await library.write("mine/policy.md", "---\nid: policy\n---\nOnly chairs.\n");
    await library.write("theirs/policy.md", "---\nid: policy\nvalid_from: 2026-01-01\n---\nOnly tables.\n");
    const mine = library.sourceWith({ name: "mine", folder: join(library.folder, "mine") });
    const theirs = library.sourceWith({ name: "theirs", folder: join(library.folder, "theirs") });
    const [, report] = await library.ingestOf(mine, theirs).runOnce();
    expect(report?.faults).toMatchObject([{ fault: "id_taken", detail: expect.stringContaining("`mine`") }]);
    expect(await library.find("only chairs")).toEqual(["policy"]);
    expect(await library.find("only tables")).toEqual([]);
  });

  test("is not complete where the index lost what was filed, and the next run makes it whole", async () => {
    await library.write("a.md", "# A\n\n## One\n\nAlpha.\n\n## Two\n\nBeta.\n");
    await library.write("b.md", "Gamma.\n");
    const ingest = library.ingestOf(library.sourceWith());
    await ingest.runOnce();
    await library.database.inTenant("acme", (tx) => sql`delete from passage where body = 'Beta.'`.execute(tx));
    // The run sees it before it plans, so it files it again; what is lost within a run is found at its end.
    expect(await ingest.runOnce()).toMatchObject([{ filed: 1, isComplete: true }]);
    expect(await library.find("beta")).toEqual(["a"]);
    const owner = new pg.Client({ connectionString: library.store.adminUrl, options: "-c search_path=countersign" });
    await owner.connect();
    await owner.query(`create function lose() returns trigger language plpgsql security definer set search_path = countersign as
      'begin delete from passage where body = ''Gamma two.''; return null; end'`);
    await owner.query("create trigger loses after insert or update on source_file for each row execute function lose()");
    await library.write("b.md", "Gamma two.\n");
    expect(await ingest.runOnce()).toMatchObject([{ isComplete: false, detail: expect.stringContaining("`b.md`") }]);
    await owner.query("drop trigger loses on source_file");
    await owner.end();
    expect(await ingest.runOnce()).toMatchObject([{ filed: 1, isComplete: true }]);
    expect(await library.find("gamma")).toEqual(["b"]);
  });
});
