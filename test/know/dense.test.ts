import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Need } from "../../src/contract/context.ts";
import { type Embedder, vectorsOf } from "../../src/contract/embedder.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import { type DenseLeg, denseLeg } from "../../src/know/search/dense-leg.ts";
import { openSearch } from "../../src/know/search/open-search.ts";
import { type Leg, wordsLeg } from "../../src/know/search/search.ts";
import { withVectors } from "../../src/know/search/with-vectors.ts";
import { changeScopes, changeStatus, fileDocument, removeDocument } from "../../src/know/search/write.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { fixedClock } from "../../src/testing/fixed.ts";
import { hashedEmbedder } from "../../src/testing/hashed-embedder.ts";
import { filedVersion, type SampleVersion } from "../setup/filed-version.ts";
import { createPgvectorDatabase } from "../setup/pgvector-database.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// Vectors are searched under the same permissions, times and filters as words, from the next query on, whether this process compares them or
// the database does; what is kept in memory changes nothing.
const at = Date.UTC(2026, 5, 1);
const embedder = hashedEmbedder({ dimensions: 64 });
const clock = fixedClock(0);
let made: MigratedDatabase;
let filing: Database;
let database: Database;
let dense: DenseLeg;
let count = 0;

// One label for each test, so that none sees what another filed.
let label = "";
beforeEach(() => {
  count += 1;
  label = `label-${count}`;
  dense = denseLeg({ embedder, clock });
});

async function file(
  sample: SampleVersion,
  { by = embedder, tenant = "acme" }: { by?: Embedder | null; tenant?: string } = {},
): Promise<void> {
  const { document, passages } = filedVersion({ scopes: [label], ...sample });
  const filed = by === null ? passages : await withVectors(by, { title: document.title, passages });
  await filing.inTenant(tenant, (tx) => fileDocument(tx, { tenant, document, passages: filed }));
}

interface Asking {
  readonly scopes?: readonly string[];
  readonly principal?: Partial<Principal>;
  readonly more?: Partial<Need & { kind: "passages" }>;
  readonly when?: number;
}

async function search(
  query: string,
  { scopes = [label], principal = {}, more = {}, when = at }: Asking = {},
  legs: readonly Leg[] = [dense],
) {
  const who: Principal = {
    tenant: "acme",
    id: "p",
    roles: [],
    attributes: {},
    onBehalfOf: null,
    allow: everything,
    ...principal,
  };
  const envelope = { principal: who, scopes, environment: "test", at: when };
  const need = { kind: "passages", name: "n", query, limit: 10, minimumScore: 0, ...more } as const;
  return openSearch({ database, clock, legs }).findPassages(need, envelope);
}

const found = async (query: string, asking: Asking = {}) => (await search(query, asking)).content.map(({ document }) => document);

const ways = [
  { who: "this process", isInProcess: true, create: createMigratedDatabase },
  { who: "pgvector", isInProcess: false, create: createPgvectorDatabase },
] as const;

describe.each(ways)("the leg of vectors, by $who,", ({ isInProcess, create }) => {
  beforeAll(async () => {
    made = await create();
    filing = openDatabase({ url: made.urls.ingesting, role: "ingesting", connections: 1 });
    database = openDatabase({ url: made.urls.deciding, role: "deciding", connections: 2 });
  });
  afterAll(async () => {
    await database?.close();
    await filing?.close();
    await made?.drop();
  });

  it("finds what is spelt alike and holds no word of the query, nearest first", async () => {
    await file({ id: `a${count}`, passages: ["replacement of laptops"] });
    await file({ id: `b${count}`, passages: ["canteen hours"] });
    expect(await found("laptop replacing")).toEqual([`a${count}`, `b${count}`]);
    expect((await search("laptop replacing")).activity.legs).toMatchObject([
      { name: "dense", ranks: [`passage:a${count}:1:1`, `passage:b${count}:1:1`] },
    ]);
  });

  it("ranks as a look at every vector does", async () => {
    const texts = Array.from(
      { length: 40 },
      (_, place) => `note ${place} about ${["laptops", "badges", "doors", "printers"][place % 4]} in room ${place * 7}`,
    );
    await file({ id: `many${count}`, title: "", passages: texts });
    const query = await embedder.embedQuery("the printer in room 77");
    const vectors = await embedder.embedDocuments(texts);
    const scores = vectors.map((vector) => vector.reduce((sum, value, place) => sum + value * (query[place] ?? 0), 0));
    const best = scores
      .map((score, place) => ({ score, place }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 10);
    const { content } = await search("the printer in room 77");
    expect(content.map(({ text }) => scores[texts.indexOf(text)]?.toFixed(5))).toEqual(best.map(({ score }) => score.toFixed(5)));
  });

  it("sees nothing without a label, of another tenant, or off the account's list", async () => {
    const id = `s${count}`;
    await file({ id, passages: ["laptop"] });
    await file({ id, passages: ["laptop of another tenant"] }, { tenant: "globex" });
    await file({ id: `t${count}`, passages: ["laptop"] });
    expect(await found("laptop", { scopes: [] })).toEqual([]);
    expect(await found("laptop", { scopes: ["other"] })).toEqual([]);
    expect((await search("laptop", { principal: { tenant: "globex" } })).content.map(({ text }) => text)).toEqual([
      "laptop of another tenant",
    ]);
    expect(await found("laptop", { principal: { allow: { ...everything, documents: [id] } } })).toEqual([id]);
    expect(await found("laptop", { principal: { allow: { ...everything, documents: [] } } })).toEqual([]);
  });

  it("goes by a changed permission, a changed status and a removal at the next query, though the vectors are in memory", async () => {
    const id = `c${count}`;
    await file({ id, passages: ["laptop"] });
    expect(await found("laptop")).toEqual([id]);
    await filing.inTenant("acme", (tx) => changeScopes(tx, { tenant: "acme", id, scopes: ["other"] }));
    expect(await found("laptop")).toEqual([]);
    await filing.inTenant("acme", (tx) => changeScopes(tx, { tenant: "acme", id, scopes: [label] }));
    expect(await found("laptop")).toEqual([id]);
    await filing.inTenant("acme", (tx) => changeStatus(tx, { tenant: "acme", id, status: "archived" }));
    expect(await found("laptop")).toEqual([]);
    expect(await found("laptop", { more: { includeNotCurrent: true } })).toEqual([id]);
    await filing.inTenant("acme", (tx) => removeDocument(tx, { tenant: "acme", id }));
    expect(await found("laptop", { more: { includeNotCurrent: true } })).toEqual([]);
    // What pgvector compares is in no memory of ours.
    if (isInProcess) expect(dense.stats().documents.hits).toBeGreaterThan(0);
    else expect(dense.stats().documents.asked).toBe(0);
  });

  it("gives the new text of a document that was filed again, and never the old one", async () => {
    const id = `r${count}`;
    await file({ id, passages: ["laptop"] });
    expect((await search("laptop")).content.map(({ text }) => text)).toEqual(["laptop"]);
    await file({ id, passages: ["canteen", "printer"] });
    expect((await search("laptop")).content.map(({ text }) => text).sort()).toEqual(["canteen", "printer"]);
  });

  it("searches what is in force at the reference time, in one collection and by metadata alone", async () => {
    await file({ id: `f${count}`, passages: ["laptop old"], from: Date.UTC(2020, 0), to: Date.UTC(2025, 0) });
    await file({
      id: `g${count}`,
      passages: ["laptop new"],
      from: Date.UTC(2025, 0),
      collection: "rules",
      metadata: { region: "eu" },
    });
    expect(await found("laptop")).toEqual([`g${count}`]);
    expect(await found("laptop", { when: Date.UTC(2024, 0) })).toEqual([`f${count}`]);
    expect(await found("laptop", { more: { collection: "documents" } })).toEqual([]);
    expect(await found("laptop", { more: { metadata: { region: "us" } } })).toEqual([]);
    expect(await found("laptop", { more: { metadata: { region: "eu" } } })).toEqual([`g${count}`]);
  });

  it("compares no vectors of another embedder or version, and leaves what has none to the words", async () => {
    const other = { ...embedder, version: "2" };
    await file({ id: `o${count}`, passages: ["laptop by another version"] }, { by: other });
    await file({ id: `n${count}`, passages: ["laptop without a vector"] }, { by: null });
    await file({ id: `v${count}`, passages: ["laptop"] });
    expect(await found("laptop")).toEqual([`v${count}`]);
    const both = await search("laptop", {}, [wordsLeg(), dense]);
    expect(both.content.map(({ document }) => document).sort()).toEqual([`n${count}`, `o${count}`, `v${count}`]);
    expect(both.content[0]?.document).toBe(`v${count}`);
    expect(both.activity.legs.map(({ name }) => name)).toEqual(["lexical", "dense"]);
  });

  it("finds a vector that came later than its passage", async () => {
    const id = `l${count}`;
    const [laptop] = await embedder.embedDocuments(["laptop"]);
    const { document, passages } = filedVersion({ id, scopes: [label], passages: ["laptop", "canteen"] });
    const half = passages.map((passage, place) =>
      place === 0 && laptop ? { ...passage, vectors: { [vectorsOf(embedder)]: laptop } } : passage,
    );
    await filing.inTenant("acme", (tx) => fileDocument(tx, { tenant: "acme", document, passages: half }));
    expect((await search("canteen")).content).toHaveLength(1);
    await filing.inTenant("acme", (tx) =>
      sql`
        insert into countersign.passage_vector (tenant, passage, embedder, vector)
        select passage.tenant, passage.number, ${vectorsOf(embedder)}, (select vector from countersign.passage_vector where embedder = ${vectorsOf(embedder)} limit 1)
        from countersign.passage
        join countersign.document on document.tenant = passage.tenant and document.number = passage.document
        where passage.tenant = 'acme' and document.id = ${id} and passage.position = 2`.execute(tx),
    );
    expect((await search("canteen")).content).toHaveLength(2);
  });

  it("counts a query that was asked before as a hit, and never one of somebody who may see something else", async () => {
    let asked = 0;
    const counting: Embedder = {
      ...embedder,
      embedQuery: (text) => {
        asked += 1;
        return embedder.embedQuery(text);
      },
    };
    dense = denseLeg({ embedder: counting, clock });
    await file({ id: `q${count}`, passages: ["laptop"] });
    for (const scopes of [[label], [label], ["x", label], [label, "x"]]) await search("laptop", { scopes });
    await search("laptop", { principal: { tenant: "globex" } });
    expect(asked).toBe(3);
    expect(dense.stats().queries).toEqual({ hits: 2, asked: 5 });
  });

  it("throws where the embedder gives nothing, asks it again the next time, and holds nothing open meanwhile", async () => {
    let isDown = true;
    const failing: Embedder = {
      ...embedder,
      embedQuery: async (text) => (isDown ? Promise.reject(new Error("down")) : embedder.embedQuery(text)),
    };
    dense = denseLeg({ embedder: failing, clock });
    await file({ id: `e${count}`, passages: ["laptop"] });
    await expect(search("laptop")).rejects.toThrow("down");
    isDown = false;
    expect(await found("laptop")).toEqual([`e${count}`]);
  });

  it.runIf(isInProcess)("holds no more than it may, forgets what nobody asks for, and finds the same", async () => {
    for (let place = 0; place < 12; place += 1) await file({ id: `m${count}-${place}`, passages: [`laptop ${place}`] });
    const plenty = await found("laptop 7");
    const bytesOfOne = 64 * 4 + 40;
    dense = denseLeg({ embedder, clock, mostBytes: 5 * bytesOfOne });
    expect(await found("laptop 7")).toEqual(plenty);
    expect(await found("laptop 7")).toEqual(plenty);
    const { bytes } = dense.stats().documents;
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(5 * bytesOfOne);
    clock.advance(11 * 60_000);
    await search("laptop", { scopes: ["other"] });
    expect(dense.stats().documents.bytes).toBe(0);
  });
});
