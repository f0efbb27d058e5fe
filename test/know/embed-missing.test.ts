import { afterAll, beforeAll, expect, it } from "vitest";
import type { Embedder } from "../../src/contract/embedder.ts";
import { everything } from "../../src/contract/principal.ts";
import { denseLeg } from "../../src/know/search/dense-leg.ts";
import { embedMissing } from "../../src/know/search/embed-missing.ts";
import { openSearch } from "../../src/know/search/open-search.ts";
import { fileDocument, removeDocument } from "../../src/know/search/write.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { fixedClock } from "../../src/testing/fixed.ts";
import { hashedEmbedder } from "../../src/testing/hashed-embedder.ts";
import { filedVersion } from "../setup/filed-version.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

const embedder = hashedEmbedder({ dimensions: 32 });
let made: MigratedDatabase;
let filing: Database;
let database: Database;

beforeAll(async () => {
  made = await createMigratedDatabase();
  filing = openDatabase({ url: made.urls.ingesting, role: "ingesting", connections: 2 });
  database = openDatabase({ url: made.urls.deciding, role: "deciding", connections: 1 });
});
afterAll(async () => {
  await database?.close();
  await filing?.close();
  await made?.drop();
});

const file = (id: string, passages: readonly string[], tenant = "acme") =>
  filing.inTenant(tenant, (tx) => fileDocument(tx, { tenant, ...filedVersion({ id, passages }) }));

async function found(by: Embedder = embedder): Promise<number> {
  const principal = { tenant: "acme", id: "p", roles: [], attributes: {}, onBehalfOf: null, allow: everything };
  const envelope = { principal, scopes: ["employee"], environment: "test", at: Date.UTC(2026, 0) };
  const need = { kind: "passages", name: "n", query: "laptop", limit: 100, minimumScore: 0 } as const;
  const clock = fixedClock(0);
  return (await openSearch({ database, clock, legs: [denseLeg({ embedder: by, clock })] }).findPassages(need, envelope)).content
    .length;
}

it("gives every passage of the tenant a vector once, however many there are, and those of a new version theirs", async () => {
  await file(
    "many",
    Array.from({ length: 90 }, (_, place) => `laptop ${place}`),
  );
  await file("other", ["laptop"], "globex");
  expect(await found()).toBe(0);
  expect(await embedMissing(filing, { tenant: "acme", embedder })).toMatchObject({ given: 90 });
  expect(await found()).toBe(90);
  expect(await embedMissing(filing, { tenant: "acme", embedder })).toMatchObject({ given: 0 });
  await file("late", ["laptop of late"]);
  expect(await embedMissing(filing, { tenant: "acme", embedder })).toMatchObject({ given: 1 });
  const next = { ...embedder, version: "next" };
  expect(await found(next)).toBe(0);
  expect(await embedMissing(filing, { tenant: "acme", embedder: next })).toMatchObject({ given: 91 });
});

it("keeps what was given when the embedder stops answering, passes over what was removed meanwhile, and stops where it is told to", async () => {
  const fresh = { ...embedder, version: "fresh" };
  let calls = 0;
  const failing = {
    ...fresh,
    embedDocuments: async (texts: readonly string[]) => {
      calls += 1;
      if (calls > 1) throw new Error("down");
      await filing.inTenant("acme", (tx) => removeDocument(tx, { tenant: "acme", id: "late" }));
      return embedder.embedDocuments(texts);
    },
  };
  await expect(embedMissing(filing, { tenant: "acme", embedder: failing })).rejects.toThrow("down");
  expect(await found(fresh)).toBe(64);
  expect(await embedMissing(filing, { tenant: "acme", embedder: fresh, isStopping: () => true })).toMatchObject({ given: 0 });
  expect(await embedMissing(filing, { tenant: "acme", embedder: fresh })).toMatchObject({ given: 26 });
  expect(await found(fresh)).toBe(90);
});
