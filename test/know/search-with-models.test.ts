import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything, type Principal } from "../../src/contract/principal.ts";
import type { Reranker } from "../../src/contract/reranker.ts";
import { type OpenModels, searchWithModels } from "../../src/know/search/search-with-models.ts";
import { withVectors } from "../../src/know/search/with-vectors.ts";
import { fileDocument } from "../../src/know/search/write.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { fixedClock } from "../../src/testing/fixed.ts";
import { hashedEmbedder } from "../../src/testing/hashed-embedder.ts";
import { filedVersion } from "../setup/filed-version.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// Words, vectors and a reranker together: what each did is told, none is waited for within a transaction, and each can be switched off.
const embedder = hashedEmbedder({ dimensions: 64 });
let made: MigratedDatabase;
let filing: Database;
let database: Database;

beforeAll(async () => {
  made = await createMigratedDatabase();
  filing = openDatabase({ url: made.urls.ingesting, role: "ingesting", connections: 1 });
  // One connection: whoever waited for a model while a transaction is open would keep it from the next one.
  database = openDatabase({ url: made.urls.deciding, role: "deciding", connections: 1 });
  const texts = ["laptop laptop laptop", "a laptop and a canteen", "canteen menu", "laptops of the canteen"];
  for (const [place, text] of texts.entries()) {
    const { document, passages } = filedVersion({ id: `d${place}`, passages: [text] });
    const filed = await withVectors(embedder, { title: document.title, passages });
    await filing.inTenant("acme", (tx) => fileDocument(tx, { tenant: "acme", document, passages: filed }));
  }
});
afterAll(async () => {
  await database?.close();
  await filing?.close();
  await made?.drop();
});

/** Puts the shortest first, and remembers what it was shown. */
function shortest(): Reranker & { readonly shown: (readonly string[])[] } {
  const shown: (readonly string[])[] = [];
  return {
    ...{ name: "shortest", version: "1", isFake: true, shown },
    score: async (_, texts) => {
      shown.push(texts);
      return texts.map(({ length }) => -length);
    },
  };
}

function ask(
  query: string,
  models: Partial<OpenModels>,
  { limit = 10, scopes = ["employee"] }: { limit?: number; scopes?: readonly string[] } = {},
) {
  const principal: Principal = { tenant: "acme", id: "p", roles: [], attributes: {}, onBehalfOf: null, allow: everything };
  const envelope = { principal, scopes, environment: "test", at: Date.UTC(2026, 0) };
  const need = { kind: "passages", name: "n", query, limit, minimumScore: 0 } as const;
  return searchWithModels({ database, clock: fixedClock(0) }, { embedder: null, reranker: null, ...models }).findPassages(
    need,
    envelope,
  );
}

const legsOf = async (models: Partial<OpenModels>) =>
  (await ask("laptop", models)).activity.legs.map(({ name, ranks }) => [name, ranks.length]);

describe("search with models", () => {
  it("goes by words alone without an embedder, and by each leg that is not switched off", async () => {
    expect(await legsOf({})).toEqual([["lexical", 3]]);
    expect(await legsOf({ embedder })).toEqual([
      ["lexical", 3],
      ["dense", 4],
    ]);
    expect(await legsOf({ embedder, weights: { vectors: 0 } })).toEqual([["lexical", 3]]);
    expect(await legsOf({ embedder, weights: { words: 0 } })).toEqual([
      ["lexical", 0],
      ["dense", 4],
    ]);
  });

  it("has the best ordered by the reranker, in content, references and activity alike", async () => {
    const reranker = shortest();
    const { content, references, activity } = await ask("laptop canteen", { reranker }, { limit: 2 });
    expect(content.map(({ text }) => text)).toEqual(["canteen menu", "laptop laptop laptop"]);
    expect(references.map(({ id }) => id)).toEqual(content.map(({ id }) => id));
    expect(reranker.shown).toHaveLength(1);
    expect(reranker.shown[0]).toHaveLength(4);
    expect(activity.legs.at(-1)).toMatchObject({
      name: "rerank",
      ranks: [...content.map(({ id }) => id), expect.any(String), expect.any(String)],
    });
    expect(activity.dropped).toHaveLength(2);
  });

  it("shows a reranker nothing that the asker may not see", async () => {
    const reranker = shortest();
    expect((await ask("laptop canteen", { embedder, reranker }, { scopes: ["other"] })).content).toEqual([]);
    expect(reranker.shown.flat()).toEqual([]);
  });

  it("throws where a model fails, and asks none about what search refuses", async () => {
    let asked = 0;
    const counting = {
      ...embedder,
      embedQuery: (text: string) => {
        asked += 1;
        return embedder.embedQuery(text);
      },
    };
    await expect(ask("a\u0000b", { embedder: counting })).rejects.toMatchObject({ code: "bad_text" });
    await expect(ask("x".repeat(100_001), { embedder: counting })).rejects.toMatchObject({ code: "too_large" });
    await expect(ask("laptop", { embedder }, { limit: 0 })).rejects.toMatchObject({ code: "definition_invalid" });
    await expect(ask("laptop", { reranker: shortest() }, { limit: 0 })).rejects.toMatchObject({ code: "definition_invalid" });
    expect(asked).toBe(0);
    const failing = { ...shortest(), score: () => Promise.reject(new Error("down")) };
    await expect(ask("laptop", { reranker: failing })).rejects.toThrow("down");
  });

  it("waits for an embedder while no transaction is open", async () => {
    const waiting: (() => void)[] = [];
    const slow = {
      ...embedder,
      embedQuery: (text: string) =>
        new Promise<Float32Array>((resolve) => waiting.push(() => resolve(embedder.embedQuery(text)))),
    };
    const held = ask("laptop", { embedder: slow });
    // With its one connection taken by the first, the second could not end.
    expect((await ask("laptop", {})).content).toHaveLength(3);
    for (const go of waiting) go();
    expect((await held).content).toHaveLength(4);
  });
});
