import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Need, Passage } from "../../src/contract/context.ts";
import type { FoundPassages } from "../../src/contract/found-passages.ts";
import type { Envelope } from "../../src/contract/principal.ts";
import { everything } from "../../src/contract/principal.ts";
import { openSearch } from "../../src/know/search/open-search.ts";
import { fileDocument, fileDocuments } from "../../src/know/search/write.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { filedVersion, type SampleVersion } from "../setup/filed-version.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

const today = Date.UTC(2026, 5, 1);
const day = 24 * 60 * 60 * 1000;
const bar = 0.5;

let made: MigratedDatabase;
let filing: Database;
let database: Database;

beforeAll(async () => {
  made = await createMigratedDatabase();
  filing = openDatabase({ url: made.urls.ingesting, role: "ingesting", connections: 2 });
  database = openDatabase({ url: made.urls.deciding, role: "deciding" });
  await seedHandbook();
});

afterAll(async () => {
  await database?.close();
  await filing?.close();
  await made?.drop();
});

describe("search over passages", () => {
  it("finds the passage that answers a question, with its document, version and section", async () => {
    const [best] = await search("When is a worn out laptop replaced?");
    expect(best).toEqual({
      kind: "passage",
      id: "passage:device-policy:3.1:2",
      need: "policies",
      document: "device-policy",
      title: "Device policy",
      version: "3.1",
      section: "Replacement of laptops",
      text: "A laptop that is worn out is replaced once it is 36 months old.",
      score: expect.closeTo(0.87, 1),
    });
    expect(best?.score).toBeLessThan(1);
  });

  it("scores by how much of the question stands there, the section's title counted in", async () => {
    const passages = await search("laptop replacement zebra unicorn");
    expect(passages.map(({ id, score }) => [id, Math.floor(score * 100)])).toEqual([
      ["passage:device-policy:3.1:2", 56],
      ["passage:device-policy:3.1:1", 30],
      ["passage:warranty:1:1", 31],
    ]);
  });

  it("finds nothing at the bar for a question outside the corpus, and nothing at all for stop words", async () => {
    for (const question of [
      "What is the capital of France?",
      "How do I bake bread on a laptop in an oven?",
      "Who won the cup in 1966?",
    ])
      expect((await search(question)).filter(({ score }) => score >= bar)).toEqual([]);
    for (const question of ["what is it and who are they", "", "   ", "?!", "()|&"]) expect(await search(question)).toEqual([]);
  });

  it("counts a word once, however often it is said", async () => {
    const once = await search("laptop zebra unicorn");
    const often = await search(`${"laptop laptops Laptop ".repeat(50)} zebra unicorn`);
    expect(often.map(({ score }) => score)).toEqual(once.map(({ score }) => score));
    expect(once[0]?.score).toBeLessThan(bar);
  });

  it("orders the same each time: by score, then by document, version and position", async () => {
    await addDocument({ id: "copies", passages: Array.from({ length: 12 }, () => "An identical sentence about gargoyles.") });
    const runs = await Promise.all([1, 2, 3].map(() => search("gargoyles", { limit: 100 })));
    // The first and the last have a neighbour less, and stand behind the rest.
    const positions = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 12];
    expect(runs[0]?.map(({ id }) => id)).toEqual(positions.map((at) => `passage:copies:1:${at}`));
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).toEqual(runs[0]);
  });
});

describe("permission in the search", () => {
  it("returns as many as asked where one in a hundred is visible, and nothing of the rest", async () => {
    const memo = (at: number) => {
      const isOpen = at % 100 === 0;
      const body = `A sabbatical is granted.${isOpen ? " The request goes to the owner of the memo." : " sabbatical"}`;
      return filedVersion({
        id: `memo-${at}`,
        scopes: [isOpen ? "employee" : "board"],
        passages: [{ section: "Sabbatical", body }],
      });
    };
    const numbers = Array.from({ length: 2_000 }, (_, at) => at);
    const file = (list: readonly number[]) =>
      filing.inTenant("acme", (tx) => fileDocuments(tx, { tenant: "acme", versions: list.map(memo) }));
    await file(numbers.filter((at) => at % 100 === 0));
    const before = await search("sabbatical");
    // Hidden documents change neither ranks nor scores of those that are seen.
    await file(numbers.filter((at) => at % 100 !== 0));
    const passages = await search("sabbatical");
    expect(passages).toEqual(before);
    expect(passages).toHaveLength(10);
    for (const { document } of passages) expect(Number(document.slice("memo-".length)) % 100).toBe(0);
    expect(await search("sabbatical", { scopes: ["board"] })).toHaveLength(10);
    expect(await search("sabbatical", { limit: 100 })).toHaveLength(20);
  });

  it("shows nothing to nobody: no label, another label, a label that only looks like one", async () => {
    for (const scopes of [
      [],
      ["guest"],
      ["EMPLOYEE"],
      ["employee,board"],
      ["{employee}"],
      ["employee' or true --"],
      ['"'],
      ["null"],
    ])
      expect(await search("laptop replacement", { scopes })).toEqual([]);
  });

  it("refuses an envelope without labels", async () => {
    await expect(search("laptop", { scopes: undefined })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("never shows another tenant's documents, even of the same id and label", async () => {
    expect((await search("laptop replaced", { tenant: "globex" })).map(({ text }) => text)).toEqual([
      "Globex replaces no laptop.",
    ]);
    expect((await search("laptop replaced", { limit: 100 })).map(({ text }) => text)).not.toContain("Globex replaces no laptop.");
    expect(await search("laptop", { tenant: "unknown" })).toEqual([]);
  });

  it("holds to the tenant in the query itself, for a login that no row policy binds", async () => {
    const owner = openDatabase({ url: made.adminUrl, role: "admin" });
    try {
      const asked = { tenant: "acme", limit: 100 };
      expect(await search("laptop replaced", { ...asked, database: owner })).toEqual(await search("laptop replaced", asked));
    } finally {
      await owner.close();
    }
  });
});

describe("time in the search", () => {
  it("finds only what is current, in force and not expired at the reference time", async () => {
    const found = async (at: number) => (await search("parking", { at })).map(({ document }) => document);
    expect(await found(today)).toEqual(["parking-now"]);
    expect(await found(today + 29 * day)).toEqual(["parking-now"]);
    expect(await found(today + 30 * day - 1)).toEqual(["parking-now"]);
    expect(await found(today + 30 * day)).toEqual(["parking-next"]);
    expect(await found(today - 30 * day)).toEqual(["parking-before"]);
    expect(await found(0)).toEqual([]);
  });

  it("finds the version that came into force last, and none where that one is hidden", async () => {
    const found = async (at: number, scopes: string[]) => (await search("canteen", { at, scopes })).map(({ version }) => version);
    expect(await found(today - day, ["employee"])).toEqual(["1"]);
    expect(await found(today, ["employee"])).toEqual([]);
    expect(await found(today, ["board"])).toEqual(["2"]);
    expect(await found(today + 10 * day, ["employee"])).toEqual(["3"]);
  });

  it.each([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, "2026-06-01", 1e16])(
    "refuses the reference time %j",
    async (at) => {
      await expect(search("laptop", { at })).rejects.toMatchObject({ code: "reference_time_missing" });
    },
  );
});

describe("hostile queries", () => {
  it.each([
    "laptop' | 'zebra",
    "laptop:* & !zebra | (laptop <-> zebra",
    "'); drop table countersign.passage; --",
    "\\' \\\\ \\ '' laptop",
    "http://x.example/a'b\\c?d=e|f",
    "$1 $need %s \t\r\n \u202e ＬＡＰＴＯＰ 🧨",
    "laptop".repeat(3_000),
    "a ".repeat(10_000),
    Array.from({ length: 3_000 }, (_, at) => `w${at}`).join(" "),
    `'${"\\".repeat(9_999)}`,
  ])("are data (%#)", async (hostile) => {
    const passages = await search(hostile.slice(0, 20_000));
    for (const { score } of passages) expect(score >= 0 && score < 1).toBe(true);
    expect(await search("When is a worn out laptop replaced?")).not.toEqual([]);
  });

  it("has no operators: what is asked for not to occur is a word like any other", async () => {
    expect((await search("laptop & !replaced")).map(({ id }) => id)).toContain("passage:device-policy:3.1:2");
    expect(await search("lapt:*")).toEqual([]);
  });

  it("are refused where they cannot be kept or are too long", async () => {
    await expect(search("laptop\0")).rejects.toMatchObject({ code: "bad_text" });
    await expect(search("laptop\uD800")).rejects.toMatchObject({ code: "bad_text" });
    await expect(search("a".repeat(20_001))).rejects.toMatchObject({ code: "too_large" });
    for (const limit of [0, -1, 1.5, 101, Number.NaN])
      await expect(search("a", { limit })).rejects.toMatchObject({ code: "definition_invalid" });
  });
});

interface Asked {
  readonly limit?: number;
  readonly tenant?: string;
  readonly scopes?: readonly string[] | undefined;
  readonly at?: unknown;
  readonly database?: Database;
}

async function search(query: string, asked: Asked = {}): Promise<readonly Passage[]> {
  return (await searchAll(query, asked)).content;
}

function searchAll(query: string, asked: Asked = {}): Promise<FoundPassages> {
  const { limit = 10, tenant = "acme" } = asked;
  const need: Need & { kind: "passages" } = { kind: "passages", name: "policies", query, limit, minimumScore: bar };
  const principal = { tenant, id: "p-1", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything };
  const scopes = "scopes" in asked ? asked.scopes : ["employee"];
  const at = "at" in asked ? asked.at : today;
  // Callers in plain JavaScript may leave out what the type asks for.
  const envelope = { principal, environment: "test", scopes, at } as Envelope;
  return openSearch({ database: asked.database ?? database, clock: systemClock }).findPassages(need, envelope);
}

async function addDocument({ tenant = "acme", ...sample }: SampleVersion & { tenant?: string }): Promise<void> {
  await filing.inTenant(tenant, (tx) => fileDocument(tx, { tenant, ...filedVersion(sample) }));
}

async function seedHandbook(): Promise<void> {
  await addDocument({
    id: "device-policy",
    title: "Device policy",
    version: "3.1",
    passages: [
      { section: "Accessories", body: "A mouse or keyboard that is defective counts as a cheap replacement." },
      { section: "Replacement of laptops", body: "A laptop that is worn out is replaced once it is 36 months old." },
    ],
  });
  await addDocument({
    id: "device-policy",
    version: "2.0",
    status: "archived",
    passages: ["A worn out laptop is replaced after 24 months."],
  });
  await addDocument({ id: "warranty", passages: ["The provider repairs a laptop under warranty."] });
  await addDocument({ tenant: "globex", id: "device-policy", version: "3.1", passages: ["Globex replaces no laptop."] });
  const parking = { passages: ["Parking is free."] };
  await addDocument({ ...parking, id: "parking-before", to: today });
  await addDocument({ ...parking, id: "parking-now", from: today, to: today + 30 * day });
  await addDocument({ ...parking, id: "parking-next", from: today + 30 * day });
  await addDocument({ ...parking, id: "parking-draft", status: "draft" });
  await addDocument({ ...parking, id: "parking-archived", status: "archived" });
  await addDocument({ id: "canteen", version: "1", passages: ["The canteen opens at noon."] });
  await addDocument({
    id: "canteen",
    version: "2",
    from: today,
    to: today + 9 * day,
    scopes: ["board"],
    passages: ["The canteen closes."],
  });
  await addDocument({ id: "canteen", version: "3", from: today + 5 * day, passages: ["The canteen opens at one."] });
}
