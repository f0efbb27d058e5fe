import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileDocument } from "../../../src/know/search/write.ts";
import { filedVersion } from "../../setup/filed-version.ts";
import { openLibrary, type TestLibrary } from "./house.ts";

let library: TestLibrary;
beforeEach(async () => {
  library = await openLibrary();
});
afterEach(() => library.close());

const idOf = (at: number) => `f${String(at).padStart(2, "0")}`;

/** How many transactions filed what stands in the index now, by the ids of documents. */
async function transactions(ids: readonly string[]): Promise<number> {
  const { rows } = await library.database.inTenant("acme", (tx) =>
    sql<{ count: number }>`
      select count(distinct xmin::text)::integer as count from document where tenant = 'acme' and id = any (${[...ids]}::text[])`.execute(
      tx,
    ),
  );
  return rows[0]?.count ?? 0;
}

test("small files are filed many to a transaction, and one that is refused keeps out itself alone", async () => {
  const ids = Array.from({ length: 70 }, (_, at) => idOf(at));
  for (const [at, id] of ids.entries()) await library.write(`${id}.md`, `# Note ${at}\n\nThe gate number${at} is painted.\n`);
  // The last one but two has the id of a document that somebody filed by hand.
  await library.database.inTenant("acme", (tx) =>
    fileDocument(tx, { tenant: "acme", ...filedVersion({ id: idOf(67), scopes: ["tenant:all"], passages: ["By hand."] }) }),
  );
  const [report] = await library.ingestOf(library.sourceWith()).runOnce();
  expect(report).toMatchObject({ isComplete: true, filed: 69, faults: [{ path: "f67.md", fault: "id_taken" }] });
  for (const at of [0, 31, 32, 66, 69]) expect((await library.find(`number${at}`))[0]).toBe(idOf(at));
  expect(await library.find("number67")).not.toContain(idOf(67));
  // Two groups of 32, and of the third each by itself.
  expect(await transactions(ids.slice(0, 64))).toBe(2);
  expect(await transactions(ids.slice(64).filter((id) => id !== idOf(67)))).toBe(5);
});

test("a file that may take long keeps none waiting that was read before it", async () => {
  await library.write("a.md", "# A\n\nThe first gate.\n");
  await library.write("b.txt", `${"The second gate is long. ".repeat(3_000)}\n`);
  await library.write("c.md", "# C\n\nThe third gate.\n");
  const [report] = await library.ingestOf(library.sourceWith()).runOnce();
  expect(report).toMatchObject({ isComplete: true, filed: 3, faults: [] });
  expect(await transactions(["a", "b"])).toBe(2);
});
