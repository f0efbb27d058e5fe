import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { everything } from "../../src/contract/principal.ts";
import { openSearch } from "../../src/know/search/open-search.ts";
import { packRecord } from "../../src/know/search/posting-bytes.ts";
import { wordsLeg } from "../../src/know/search/search.ts";
import { changeScopes, fileDocument, fileDocuments, rebuildIndex, removeDocument } from "../../src/know/search/write.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { expectExactIndex } from "../setup/expect-exact-index.ts";
import { filedVersion } from "../setup/filed-version.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// The index keeps many documents in one row: whatever is filed, moved and removed, each stands in it once, where it is looked for.
let made: MigratedDatabase;
let admin: pg.Client;
let filing: Database;
let database: Database;

beforeAll(async () => {
  made = await createMigratedDatabase();
  admin = new pg.Client({ connectionString: made.adminUrl });
  await admin.connect();
  await admin.query("set search_path = countersign");
  filing = openDatabase({ url: made.urls.ingesting, role: "ingesting", connections: 1 });
  database = openDatabase({ url: made.urls.deciding, role: "deciding", connections: 1 });
});
afterAll(async () => {
  await Promise.all([database?.close(), filing?.close(), admin?.end()]);
  await made?.drop();
});

const labels = ["staff", "board", "works"] as const;
const ids = Array.from({ length: 40 }, (_, at) => `d${at}`);

/** What one may do to a document, and who may see it from then on. */
const steps = fc.array(
  fc.record<Step>({
    id: fc.constantFrom(...ids),
    what: fc.constantFrom("file", "move", "move", "remove"),
    label: fc.constantFrom(...labels),
  }),
  { minLength: 15, maxLength: 40 },
);

/** So many passages that a block is full after a few documents. */
function version(id: string, label: string) {
  return filedVersion({
    id,
    scopes: [label],
    passages: Array.from({ length: 70 }, (_, at) => `Oaks and elms ${id}x${at}.`),
  });
}

it("finds each document by its label after it was filed, moved and removed in any order", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const versions = ids.map((id) => version(id, "staff"));
      await filing.inTenant("acme", (tx) => fileDocuments(tx, { tenant: "acme", versions }));
      const seenBy = new Map<string, string>(ids.map((id) => [id, "staff"]));
      for (const step of drawn) await take(step, seenBy);
      await expectExactIndex(admin);
      for (const label of labels)
        await expectFound(
          label,
          [...seenBy].flatMap(([id, own]) => (own === label ? [id] : [])),
        );
    }),
    { numRuns: 3 },
  );
  await filing.inTenant("acme", (tx) => rebuildIndex(tx, { tenant: "acme" }));
  await expectExactIndex(admin);
}, 120_000);

interface Step {
  readonly id: string;
  readonly what: "file" | "move" | "remove";
  readonly label: string;
}

async function take({ id, what, label }: Step, seenBy: Map<string, string>): Promise<void> {
  await filing.inTenant("acme", async (tx) => {
    if (what === "file") await fileDocument(tx, { tenant: "acme", ...version(id, label) });
    else if (what === "remove") await removeDocument(tx, { tenant: "acme", id });
    else await changeScopes(tx, { tenant: "acme", id, scopes: [label] });
  });
  if (what === "remove") seenBy.delete(id);
  else if (what === "file" || seenBy.has(id)) seenBy.set(id, label);
}

async function expectFound(label: string, wanted: readonly string[]): Promise<void> {
  const found = await searched("elms", { scopes: [label] });
  // At most 100 passages come back, and each document has 70.
  expect(found.length).toBe(Math.min(100, 70 * wanted.length));
  for (const document of new Set(found)) expect(wanted).toContain(document);
  for (const id of wanted.slice(0, 9)) expect(await searched(`${id}x7`, { scopes: [label] })).toEqual([id]);
}

it("brings documents to other readers one by one, newest first and oldest first", async () => {
  const versions = Array.from({ length: 60 }, (_, at) =>
    filedVersion({ id: `m${at}`, scopes: ["before"], passages: Array.from({ length: 30 }, () => "Larches grow.") }),
  );
  const numbers = versions.map((_, at) => at);
  await filing.inTenant("globex", (tx) => fileDocuments(tx, { tenant: "globex", versions }));
  const move = (at: number, label: string) =>
    filing.inTenant("globex", (tx) => changeScopes(tx, { tenant: "globex", id: `m${at}`, scopes: [label] }));
  for (const at of [30, ...numbers.filter((one) => one !== 30).toReversed()]) await move(at, "after");
  await expectExactIndex(admin);
  const { rows } = await admin.query(
    "select count(*)::integer as blocks from posting where tenant = 'globex' and term = 'larch'",
  );
  // Each record takes about 100 bytes, so that full blocks would be seven, and halves of them fourteen.
  expect(rows[0].blocks).toBeLessThan(16);
  for (const at of numbers) await move(at, "before");
  await expectExactIndex(admin);
  expect(await searched("larches", { tenant: "globex", scopes: ["after", "before"] })).toHaveLength(100);
}, 120_000);

it("hands an account with a list of documents the records of these alone", async () => {
  const versions = ["a", "b", "c"].map((id) =>
    filedVersion({ id, scopes: ["listed"], passages: ["Rowans.", "Yews.", "Rowans."] }),
  );
  const [long] = ["long"].map((id) =>
    filedVersion({ id, scopes: ["listed"], passages: Array.from({ length: 900 }, () => "Rowans.") }),
  );
  if (long === undefined) throw new Error("one was made");
  await filing.inTenant("acme", (tx) => fileDocuments(tx, { tenant: "acme", versions: [...versions, long] }));
  const listed = (documents: readonly string[]) => searched("rowans", { scopes: ["listed"], documents });
  expect(await listed(["b"])).toEqual(["b", "b"]);
  expect((await listed(["c", "a", "none"])).toSorted()).toEqual(["a", "a", "c", "c"]);
  expect(await listed(["long"])).toHaveLength(100);
  expect(await listed([])).toEqual([]);
});

it("cuts records apart in the database as it does outside", async () => {
  const record = fc.tuple(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 8_000 }));
  const records = fc.uniqueArray(record, { selector: ([document]) => document, minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(records, fc.integer({ min: 0, max: 63 }), async (drawn, mask) => {
      const packed = drawn.map(([document, passages]) => ({ document, bytes: recordOf(document, passages) }));
      const wanted = packed.filter((_, at) => (mask >> at) & 1);
      const { rows } = await admin.query("select countersign.records_of($1, $2) as records", [
        Buffer.concat(packed.map(({ bytes }) => bytes)),
        wanted.map(({ document }) => document),
      ]);
      expect(Buffer.compare(rows[0].records, Buffer.concat(wanted.map(({ bytes }) => bytes)))).toBe(0);
    }),
    { numRuns: 60 },
  );
});

it("ranks alike whether it reads a common word whole or only around what rarer words found", async () => {
  const texts = Array.from(
    { length: 400 },
    (_, at) => `Willows bend${at % 2 === 0 ? " over willows" : ""}${at % 133 === 5 ? " and rushes" : ""}.`,
  );
  const versions = texts.map((text, at) => filedVersion({ id: `w${at}`, scopes: ["wet"], passages: [text] }));
  await filing.inTenant("acme", (tx) => fileDocuments(tx, { tenant: "acme", versions }));
  const whole = await searched("willows by the rushes", { scopes: ["wet"] });
  // Three documents hold the rare word, and 400 the common one.
  const { found, common } = await search("willows by the rushes", { scopes: ["wet"], mostToFind: 3 });
  expect(common).toEqual(["willow"]);
  expect(found).toEqual(whole.slice(0, 3));
  expect(found.toSorted()).toEqual(["w138", "w271", "w5"]);
});

function recordOf(document: number, passages: number): Uint8Array {
  const entries = Array.from({ length: passages }, (_, at) => ({
    position: at + 1,
    section: 0,
    score: at % 9,
    isOwn: at % 3 === 0,
  }));
  return packRecord(document, { sections: [{ section: 0, score: 1 }], passages: entries });
}

interface Asked {
  readonly scopes: readonly string[];
  readonly tenant?: string;
  readonly documents?: readonly string[];
  readonly mostToFind?: number;
}

async function search(query: string, { scopes, tenant = "acme", documents, mostToFind = 40_000 }: Asked) {
  const allow = documents === undefined ? everything : { ...everything, documents };
  const principal = { tenant, id: "p", roles: [], attributes: {}, onBehalfOf: null, allow };
  const envelope = { principal, scopes, environment: "test", at: Date.UTC(2026, 0, 1) };
  const need = { kind: "passages", name: "n", query, limit: 100, minimumScore: 0 } as const;
  const legs = [wordsLeg({ mostToFind })];
  const { content, activity } = await openSearch({ database, clock: systemClock, legs }).findPassages(need, envelope);
  return { found: content.map(({ document }) => document), common: activity.commonWords };
}

async function searched(query: string, asked: Asked): Promise<readonly string[]> {
  return (await search(query, asked)).found;
}
