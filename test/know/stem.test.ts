import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { stem } from "../../src/know/search/stem.ts";

// PostgreSQL has the same algorithm: what it makes of the words of our own pages is what we make of them.
describe("the stems of English words", () => {
  it("are those of PostgreSQL", async () => {
    const words = await wordsOfPages();
    expect(words.length).toBeGreaterThan(2_000);
    const client = new pg.Client({ connectionString: inject("postgresAdminUrl") });
    await client.connect();
    try {
      const { rows } = await client.query<{ word: string; stem: string | null }>(
        "select word, coalesce((ts_lexize('english_stem', word))[1], '') as stem from unnest($1::text[]) as word",
        [words],
      );
      const different = rows
        .filter(({ word, stem: theirs }) => theirs !== "" && stem(word) !== theirs)
        .map(({ word, stem: theirs }) => [word, stem(word), theirs]);
      expect(different).toEqual([]);
    } finally {
      await client.end();
    }
  });

  it("are the words themselves for what is no English word in small letters", () => {
    for (const word of ["", "a", "is", "sha256", "münchen", "Running", "東京"]) expect(stem(word)).toBe(word);
  });
});

async function wordsOfPages(): Promise<readonly string[]> {
  const folder = fileURLToPath(new URL("../../docs/", import.meta.url));
  const pages = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".md"));
  const texts = await Promise.all([
    ...pages.map((name) => readFile(`${folder}${name}`, "utf8")),
    readFile(`${folder}../CHANGELOG.md`, "utf8"),
  ]);
  const more =
    "generously communism arsenal sensational hopefulness relativity happily crying dying skies conflated hopping hoping controlled rational";
  return [...new Set(`${texts.join(" ")} ${more}`.toLowerCase().match(/(?<![a-z0-9'])[a-z]+(?![a-z0-9'])/g) ?? [])];
}
