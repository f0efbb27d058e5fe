import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileByHand, library as index, openParser } from "../../../src/ingest.ts";
import { openLibrary, type TestLibrary } from "./house.ts";

let library: TestLibrary;
const parser = openParser();
beforeEach(async () => {
  library = await openLibrary();
});
afterEach(() => library.close());
afterAll(() => parser.close());

function fileFolder() {
  const { name: _, tenants: __, folder, freshWithinMs: ___, ...defaults } = library.sourceWith();
  return fileByHand({ database: library.database, library: index, parser }, { tenant: "acme", path: folder, defaults });
}
const told = async () =>
  Object.fromEntries((await fileFolder()).map((one) => [one.path, one.kind === "filed" ? one.id : one.fault]));

describe("a folder that is filed by hand", () => {
  test("loses no file to another of the same name, and says which was not filed", async () => {
    await library.write("report.md", "The first report is about ducks.\n");
    await library.write("report.txt", "The second report is about geese.\n");
    expect(await told()).toEqual({ "report.md": "report", "report.txt": "id_taken" });
    expect(await library.find("report ducks")).toEqual(["report"]);
    // A later call brings what became of the file, and refuses the same one again.
    await library.write("report.md", "The first report is about swans.\n");
    expect(await told()).toEqual({ "report.md": "report", "report.txt": "id_taken" });
    expect(await library.find("ducks")).toEqual([]);
    expect(await library.find("report swans")).toEqual(["report"]);
  });

  test("keeps versions that are named beside each other, and refuses one that is named twice", async () => {
    const policy = (version: string, from: string) =>
      `---\nid: policy\nversion: ${version}\nvalid_from: ${from}\n---\nRule ${version}.\n`;
    await library.write("a.md", policy("1.0", "2020-01-01"));
    await library.write("b.md", policy("2.0", "2024-01-01"));
    await library.write("c.md", policy("2.0", "2024-01-01"));
    expect(await told()).toEqual({ "a.md": "policy", "b.md": "policy", "c.md": "id_taken" });
  });

  test("goes on after a file that the index does not take", async () => {
    await library.write("a-many.md", Array.from({ length: 20_001 }, (_, place) => `# H${place}\n\nx\n`).join("\n"));
    await library.write("b-good.md", "The canteen opens at eleven.\n");
    expect(await told()).toEqual({ "a-many.md": "too_large", "b-good.md": "b-good" });
    expect(await library.find("canteen opens")).toEqual(["b-good"]);
  });
});
