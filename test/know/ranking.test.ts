import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CollectionSettings, documentSettings, turnSettings } from "../../src/contract/knowledge.ts";
import { everything } from "../../src/contract/principal.ts";
import { fuse } from "../../src/know/search/fuse.ts";
import { openSearch } from "../../src/know/search/open-search.ts";
import { wordsLeg } from "../../src/know/search/search.ts";
import { declareCollection, type FiledVersion, fileDocuments, rebuildIndex } from "../../src/know/search/write.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { filedVersion } from "../setup/filed-version.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";
import { type Ranked, rankAll } from "./reference-ranking.ts";

// What the index finds is what a look at every passage finds, for those who may see all of it and for those who may see little.
const labels = ["few", "some", "many"] as const;
let made: MigratedDatabase;
let filing: Database;
let database: Database;
let versions: readonly FiledVersion[];

beforeAll(async () => {
  made = await createMigratedDatabase();
  filing = openDatabase({ url: made.urls.ingesting, role: "ingesting", connections: 1 });
  database = openDatabase({ url: made.urls.deciding, role: "deciding", connections: 1 });
  versions = corpus();
  await filing.inTenant("acme", (tx) => fileDocuments(tx, { tenant: "acme", versions }));
});
afterAll(async () => {
  await database?.close();
  await filing?.close();
  await made?.drop();
});

describe("the ranks of a search", () => {
  const cases = labels.flatMap((label) =>
    [documentSettings, turnSettings].map((settings, at) => [label, at === 0 ? "documents" : "turns", settings] as const),
  );
  it.each(cases)("are those of the formula for %s, in %s", async (label, collection, settings) => {
    for (const query of queries) {
      const expected = rankAll(seenBy(label, collection), { query, settings });
      expectRanks(await search({ query, label, collection }), expected);
    }
  });

  it.each(cases)(
    "are the same where common words wait for what rarer ones found, for %s, in %s",
    async (label, collection, settings) => {
      for (const query of queries)
        for (const limit of [1, 3, 20]) {
          const expected = rankAll(seenBy(label, collection), { query, settings });
          // So that every word but the rarest one waits, and some are read of the documents alone that may still be among the best.
          expectRanks(await search({ query, label, collection, limit, readAtFirst: 1 }), expected, limit);
        }
    },
  );

  it("hold what common words alone make the best, though a rarer one was looked for first", async () => {
    const seen = seenBy("many", "skewed");
    for (const query of ["zircon oak elm fir", "zircon oak", "zircon basalt fir oak"])
      for (const limit of [1, 2, 5]) {
        const expected = rankAll(seen, { query, settings: documentSettings });
        expectRanks(await search({ query, label: "many", collection: "skewed", limit, readAtFirst: 1 }), expected, limit);
      }
  });

  it("are those of the formula whatever was declared since: what was filed keeps its scores, until a rebuild", async () => {
    const tenant = "acme";
    const [then, now] = [
      { ...documentSettings, k1: 3, windowWeight: 2, sectionWeight: 2 },
      { ...documentSettings, k1: 0.1, windowWeight: 0, sectionWeight: 0 },
    ];
    const lowered = skewed("lowered");
    await filing.inTenant(tenant, (tx) => declareCollection(tx, { tenant, name: "lowered", settings: then }));
    await filing.inTenant(tenant, (tx) => fileDocuments(tx, { tenant, versions: lowered }));
    await filing.inTenant(tenant, (tx) => declareCollection(tx, { tenant, name: "lowered", settings: now }));
    const seen = lowered.map(({ document: { id, title }, passages }) => ({ id, title, passages }));
    const isRanked = async (settings: CollectionSettings) => {
      const query = "zircon oak elm fir";
      const expected = rankAll(seen, { query, settings });
      for (const limit of [1, 5])
        expectRanks(await search({ query, label: "many", collection: "lowered", limit, readAtFirst: 1 }), expected, limit);
    };
    const bound = async () =>
      filing.inTenant(tenant, async (tx) => {
        const { rows } = await sql<{ most: number }>`
          select most_of_term as most from countersign.collection where tenant = ${tenant} and name = 'lowered'`.execute(tx);
        return rows[0]?.most;
      });
    await isRanked(then);
    expect(await bound()).toBe(20_000);
    await filing.inTenant(tenant, (tx) => rebuildIndex(tx, { tenant }));
    await isRanked(now);
    expect(await bound()).toBeCloseTo(1_100, 6);
  }, 60_000);

  it("are those of its parts, joined by rank, where a query is longer than a question", async () => {
    const seen = seenBy("many", "documents");
    const sentences = Array.from({ length: 6 }, (_, at) => `${[...words.slice(at * 3), ...words].slice(0, 9).join(" ")}.`);
    const found = await search({ query: sentences.join(" "), label: "many", collection: "documents" });
    // Nine words and nine are more than a part: each sentence is one.
    const ranks = sentences.map((query) =>
      rankAll(seen, { query: query.slice(0, -1), settings: documentSettings })
        .slice(0, 20)
        .map(({ id }) => id),
    );
    const expected = fuse(ranks.map((ids) => ({ weight: 1, ranks: ids })));
    expect(found).toHaveLength(20);
    // Scores that are equal to the thousandth may stand either way round within a part, and so move the ranks a little.
    expect(new Set(expected.slice(0, 24))).toEqual(new Set([...expected.slice(0, 24), ...found.slice(0, 15)]));
  });

  it("are the same where common words only order, for what a rarer word found", async () => {
    for (const query of queries) {
      const seen = seenBy("many", "documents");
      const all = rankAll(seen, { query, settings: documentSettings });
      // Words may find in no more than one passage altogether, so the rarest one alone does.
      const found = await search({ query, label: "many", collection: "documents", mostToFind: 1 });
      const rarest = new Set(rankAll(seen, { query: rarestWord(query, seen), settings: documentSettings }).map(({ id }) => id));
      expectRanks(
        found,
        all.filter(({ id }) => rarest.has(id)),
      );
    }
  });
});

/** In the order of the scores; where these are as near as thousandths are, either may come first. */
function expectRanks(found: readonly string[], expected: readonly Ranked[], limit = 20): void {
  const scoreOf = new Map(expected.map(({ id, score }) => [id, score]));
  expect(found).toHaveLength(Math.min(limit, expected.length));
  for (const [at, id] of found.entries()) expect(scoreOf.get(id)).toBeCloseTo(expected[at]?.score ?? 0, 1);
}

async function search({
  query,
  label,
  collection,
  limit = 20,
  ...words
}: {
  query: string;
  label: string;
  collection: string;
  limit?: number;
  mostToFind?: number;
  readAtFirst?: number;
}) {
  const principal = { tenant: "acme", id: "p", roles: [], attributes: {}, onBehalfOf: null, allow: everything };
  const envelope = { principal, scopes: [label], environment: "test", at: Date.UTC(2026, 0, 1) };
  const need = { kind: "passages", name: "n", query, limit, minimumScore: 0, collection } as const;
  const legs = [wordsLeg(words)];
  const { content } = await openSearch({ database, clock: systemClock, legs }).findPassages(need, envelope);
  return content.map(({ id }) => id.replace(/^passage:/, "").replace(/:1:/, ":"));
}

function seenBy(label: string, collection: string) {
  return versions
    .filter(({ document }) => document.scopes.includes(label) && document.collection === collection)
    .map(({ document: { id, title }, passages }) => ({ id, title, passages }));
}

/** The rarest word of a query that occurs at all; of equals the first by its letters. */
function rarestWord(query: string, seen: ReturnType<typeof seenBy>): string {
  const counts = query
    .split(" ")
    .map((word) => ({ word, count: rankAll(seen, { query: word, settings: documentSettings }).length }));
  return counts.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count || (a.word < b.word ? -1 : 1))[0]?.word ?? "";
}

const words =
  "anvil beacon cobalt dynamo ember fjord garnet hollow indigo jasper kelp lumen marble nickel onyx prism quartz rivet sable timber".split(
    " ",
  );
const queries = [
  "quartz rivet",
  "anvil",
  "beacon cobalt anvil timber",
  "kelp lumen marble nickel onyx prism",
  "sable anvil anvil dynamo",
  "part anvil",
  "top sable",
  "part",
];

/** Words of which the first ones are common and the last ones rare, spread by a fixed sequence. */
function corpus(): readonly FiledVersion[] {
  let state = 11;
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  const word = () => words[Math.floor(words.length * random() ** 2)] ?? "";
  const text = () => Array.from({ length: 3 + Math.floor(random() * 20) }, word).join(" ");
  return [
    ...skewed(),
    ...Array.from({ length: 80 }, (_, at) =>
      filedVersion({
        id: `d${at}`,
        title: word(),
        collection: at % 3 === 0 ? "turns" : "documents",
        scopes: at % 20 === 0 ? ["few", "some", "many"] : at % 4 === 0 ? ["some", "many"] : ["many"],
        passages: Array.from({ length: 1 + Math.floor(random() * 9) }, (_none, place) => ({
          section: ["top", `part ${Math.floor(place / 3)} ${word()}`],
          body: text(),
        })),
      }),
    ),
  ];
}

/**
 * A rare word once in long texts, more of them than a search has candidates, and common words again and again in short ones, which are
 * before them.
 */
function skewed(collection = "skewed"): readonly FiledVersion[] {
  const filler = (at: number, length: number) => Array.from({ length }, (_, place) => `filler${at}x${place}`).join(" ");
  const texts = Array.from({ length: 200 }, (_, at) => {
    if (at % 8 === 0) return `${filler(at, 400)} zircon`;
    if (at % 4 === 1) return `${filler(at, 60)} basalt`;
    return at % 3 === 0 ? "oak elm fir ".repeat(1 + (at % 7)) : `${filler(at, 20)} ${["oak", "elm", "fir"][at % 3]}`;
  });
  return texts.map((text, at) =>
    filedVersion({
      id: `${collection}${at}`,
      title: "",
      collection,
      scopes: ["many"],
      passages: [{ section: "top", body: text }],
    }),
  );
}
