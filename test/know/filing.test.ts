import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { turnSettings } from "../../src/contract/knowledge.ts";
import { everything } from "../../src/contract/principal.ts";
import { openSearch } from "../../src/know/search/open-search.ts";
import { readRecords } from "../../src/know/search/posting-bytes.ts";
import {
  changeScopes,
  changeStatus,
  declareCollection,
  fileDocument,
  fileDocuments,
  rebuildIndex,
  removeDocument,
} from "../../src/know/search/write.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { expectExactIndex } from "../setup/expect-exact-index.ts";
import { filedVersion, type SampleVersion } from "../setup/filed-version.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

let made: MigratedDatabase;
let admin: pg.Client;
let filing: Database;
let database: Database;

beforeAll(async () => {
  made = await createMigratedDatabase();
  admin = new pg.Client({ connectionString: made.adminUrl });
  await admin.connect();
  await admin.query("set search_path = countersign");
  filing = openDatabase({ url: made.urls.ingesting, role: "ingesting", connections: 4 });
  database = openDatabase({ url: made.urls.deciding, role: "deciding", connections: 2 });
});
afterAll(async () => {
  await Promise.all([database?.close(), filing?.close(), admin?.end()]);
  await made?.drop();
});

describe("a version", () => {
  it("is filed with its passages, and what was counted comes back", async () => {
    const first = await file({
      id: "lamp",
      passages: [{ section: ["Lamps", "Bulbs"], body: "A bulb glows.", page: 3 }, "Lamps hang."],
    });
    expect(first).toEqual({ kind: "added", passages: 2, terms: 4 });
    const { content, references } = await search("bulb");
    expect(content).toMatchObject([{ id: "passage:lamp:1:1", section: "Lamps > Bulbs", page: 3, text: "A bulb glows." }]);
    const reference = { id: "passage:lamp:1:1", document: "lamp", version: "1", section: "Lamps > Bulbs", page: 3 };
    expect(references).toMatchObject([{ ...reference, characters: { from: 0, to: 13 } }]);
    expect(Math.abs((references[0]?.indexedAt ?? 0) - Date.now())).toBeLessThan(600_000);
  });

  it("takes the place of what stood there, whole", async () => {
    await file({ id: "stove", passages: ["A stove burns oak.", "It wants a chimney."] });
    expect(await file({ id: "stove", passages: ["A stove burns pellets."] })).toMatchObject({ kind: "replaced", passages: 1 });
    expect(await found("oak")).toEqual([]);
    expect(await found("chimney")).toEqual([]);
    expect(await found("pellets")).toEqual(["passage:stove:1:1"]);
    await expectExactIndex(admin);
  });

  it("keeps a vector of each embedder beside its passage, gone with it", async () => {
    const { document, passages } = filedVersion({ id: "vectors", passages: ["One.", "Two."] });
    const withVectors = passages.map((passage, at) => ({ ...passage, vectors: { tiny: new Float32Array([at, 0.5, -1]) } }));
    await filing.inTenant("acme", (tx) => fileDocument(tx, { tenant: "acme", document, passages: withVectors }));
    const { rows } = await admin.query(
      "select encode(vector, 'hex') as vector from passage_vector where embedder = 'tiny' order by passage",
    );
    expect(rows).toEqual([{ vector: "000000000000003f000080bf" }, { vector: "0000803f0000003f000080bf" }]);
    await remove("vectors");
    expect((await admin.query("select from passage_vector")).rowCount).toBe(0);
  });

  it("of many passages is found to its last one, in parts of the index", async () => {
    const passages = Array.from({ length: 300 }, (_, at) => ({
      section: `Part ${Math.floor(at / 7)}`,
      body: `Common number${at}.`,
    }));
    await file({ id: "long", passages });
    for (const at of [0, 127, 128, 255, 256, 299]) expect(await found(`number${at}`)).toContain(`passage:long:1:${at + 1}`);
    await expectExactIndex(admin);
    await remove("long");
  });

  it("may come with others at once, and with no text to find", async () => {
    const versions = ["e1", "e2", "e3"].map((id) => filedVersion({ id, passages: id === "e2" ? ["", "?!"] : ["An elk."] }));
    await filing.inTenant("acme", (tx) => fileDocuments(tx, { tenant: "acme", versions }));
    expect((await found("elk")).toSorted()).toEqual(["passage:e1:1:1", "passage:e3:1:1"]);
    await expectExactIndex(admin);
    for (const id of ["e1", "e2", "e3"]) expect(await remove(id)).toBe(1);
    await expectExactIndex(admin);
  });
});

describe("a change", () => {
  it("of who may see it counts from the next search on", async () => {
    await file({ id: "pay", passages: ["Salaries rise."], scopes: ["board"] });
    expect(await found("salaries")).toEqual([]);
    await filing.inTenant("acme", (tx) =>
      changeScopes(tx, { tenant: "acme", id: "pay", version: "1", scopes: ["employee", "board"] }),
    );
    expect(await found("salaries")).toEqual(["passage:pay:1:1"]);
    await filing.inTenant("acme", (tx) => changeScopes(tx, { tenant: "acme", id: "pay", scopes: [] }));
    expect(await found("salaries")).toEqual([]);
    expect(await found("salaries", { scopes: ["board"] })).toEqual([]);
    await expectExactIndex(admin);
  });

  it("of status takes a version out, and includes it where that is asked for", async () => {
    await file({ id: "rule", passages: ["Helmets are blue."] });
    const change = { tenant: "acme", id: "rule", version: "1", status: "superseded", supersededBy: "2" } as const;
    expect(await filing.inTenant("acme", (tx) => changeStatus(tx, change))).toBe(1);
    expect(await found("helmets")).toEqual([]);
    expect(await found("helmets", { includeNotCurrent: true })).toEqual(["passage:rule:1:1"]);
    expect((await admin.query("select superseded_by from document where id = 'rule'")).rows).toEqual([{ superseded_by: "2" }]);
    await filing.inTenant("acme", (tx) => changeStatus(tx, { ...change, status: "current", supersededBy: null }));
    expect(await found("helmets")).toEqual(["passage:rule:1:1"]);
    await expectExactIndex(admin);
  });

  it("that is undone with its transaction never was", async () => {
    await file({ id: "kept", passages: ["Kettles boil."] });
    const undone = filing.inTenant("acme", async (tx) => {
      await removeDocument(tx, { tenant: "acme", id: "kept" });
      await fileDocument(tx, { tenant: "acme", ...filedVersion({ id: "kept-2", passages: ["Kettles whistle."] }) });
      throw new Error("undo");
    });
    await expect(undone).rejects.toThrow("undo");
    expect(await found("kettles")).toEqual(["passage:kept:1:1"]);
    await expectExactIndex(admin);
  });

  it("by several at once leaves everything counted", async () => {
    const writers = Array.from({ length: 8 }, (_, at) =>
      file({ id: `w${at % 4}`, passages: ["Walruses whistle.", `Walrus ${at}.`] }),
    );
    await Promise.all(writers);
    expect(await found("walruses", { limit: 100 })).toHaveLength(8);
    await expectExactIndex(admin);
  });
});

describe("filters", () => {
  it("search one collection, or what metadata say", async () => {
    await file({ id: "f1", passages: ["Ferns grow."], metadata: { region: "eu", year: "2025" } });
    await file({ id: "f2", passages: ["Ferns grow."], metadata: { region: "us" } });
    await file({ id: "f3", passages: ["Ferns grow."], collection: "turns" });
    expect(await found("ferns", { metadata: { region: "eu", year: "2025" } })).toEqual(["passage:f1:1:1"]);
    expect(await found("ferns", { metadata: { region: "EU" } })).toEqual([]);
    expect(await found("ferns", { collection: "turns" })).toEqual(["passage:f3:1:1"]);
    expect(await found("ferns", { collection: "none" })).toEqual([]);
    const { activity } = await search("ferns", { metadata: { region: "eu" }, collection: "documents", limit: 1 });
    expect(activity).toMatchObject({
      filters: { collection: "documents", metadata: { region: "eu" }, includesNotCurrent: false },
      legs: [{ name: "lexical", weight: 1, ranks: ["passage:f1:1:1"] }],
      dropped: [],
    });
  });

  it("are plain text: quotes and operators are data", async () => {
    for (const value of ["'", '"}', "eu' or true --", "{}", "null"])
      expect(await found("ferns", { metadata: { region: value } })).toEqual([]);
    await expect(found("ferns", { metadata: { region: "e\0u" } })).rejects.toMatchObject({ code: "bad_text" });
  });

  it("name what was found beyond the limit", async () => {
    const { content, activity } = await search("ferns", { limit: 1 });
    expect([...content.map(({ id }) => id), ...activity.dropped.map(({ id }) => id)].sort()).toEqual([
      "passage:f1:1:1",
      "passage:f2:1:1",
      "passage:f3:1:1",
    ]);
  });
});

describe("what cannot be filed", () => {
  const good = filedVersion({ id: "good", passages: ["Good."] });
  it.each([
    ["an id that is none", { id: "Not An Id" }, "bad_request"],
    ["a version that is none", { version: "1/2" }, "bad_request"],
    ["an unknown status", { status: "new" }, "bad_request"],
    ["labels that are none", { scopes: [""] }, "bad_text"],
    ["labels that are missing", { scopes: undefined }, "bad_request"],
    ["an end before the beginning", { validFrom: 2, validTo: 1 }, "bad_request"],
    ["a hash that is none", { contentHash: "abc" }, "bad_request"],
    ["NUL in the title", { title: "a\0" }, "bad_text"],
    ["half a character in the metadata", { metadata: { key: "\ud800" } }, "bad_text"],
  ])("is refused: %s", async (_why, change, code) => {
    const document = { ...good.document, ...change } as typeof good.document; // callers in plain JavaScript may hand in anything
    const refused = filing.inTenant("acme", (tx) => fileDocument(tx, { tenant: "acme", document, passages: good.passages }));
    await expect(refused).rejects.toMatchObject({ code });
  });

  it("is refused: no passage, too many, and the same version twice", async () => {
    const [one] = good.passages;
    const filed = (passages: readonly unknown[]) =>
      filing.inTenant("acme", (tx) =>
        fileDocument(tx, { tenant: "acme", document: good.document, passages: passages as typeof good.passages }),
      );
    await expect(filed([])).rejects.toMatchObject({ code: "bad_request" });
    await expect(filed(Array(20_001).fill(one))).rejects.toMatchObject({ code: "too_large" });
    const twice = filing.inTenant("acme", (tx) => fileDocuments(tx, { tenant: "acme", versions: [good, good] }));
    await expect(twice).rejects.toMatchObject({ code: "bad_request" });
  });
});

describe("the index", () => {
  it("refuses to go on where something of it was lost", async () => {
    await file({ id: "tunnel", passages: ["Tunnels of granite."] });
    await admin.query("delete from posting where term = 'granit'");
    await expect(remove("tunnel")).rejects.toMatchObject({ code: "index_incomplete" });
    await expect(file({ id: "tunnel", passages: ["Tunnels."] })).rejects.toMatchObject({ code: "index_incomplete" });
    expect(await found("granite")).toEqual([]);
    await filing.inTenant("acme", (tx) => rebuildIndex(tx, { tenant: "acme" }));
    await expectExactIndex(admin);
    expect(await found("granite")).toEqual(["passage:tunnel:1:1"]);
    expect(await remove("tunnel")).toBe(1);
    await expectExactIndex(admin);
  });

  it("is only read by those who decide, and shown to nobody else", async () => {
    const deciding = new pg.Client({ connectionString: made.urls.deciding });
    await deciding.connect();
    try {
      await deciding.query("set search_path = countersign; set countersign.tenants = 'acme'");
      for (const table of [
        "collection",
        "audience",
        "audience_label",
        "audience_term",
        "document",
        "passage",
        "posting",
        "passage_vector",
      ]) {
        await expect(deciding.query(`delete from ${table}`)).rejects.toMatchObject({ code: "42501" });
        expect((await deciding.query(`select from ${table} where tenant <> 'acme'`)).rowCount).toBe(0);
      }
    } finally {
      await deciding.end();
    }
  });

  it("takes the settings of a collection for what is filed from then on", async () => {
    const settings = { ...turnSettings, windowReach: 0, windowWeight: 0, sectionWeight: 0 };
    await filing.inTenant("globex", (tx) => declareCollection(tx, { tenant: "globex", name: "notes", settings }));
    await filing.inTenant("globex", (tx) =>
      fileDocument(tx, {
        tenant: "globex",
        ...filedVersion({ id: "n", collection: "notes", passages: ["Alone.", "Together."] }),
      }),
    );
    const { rows } = await admin.query<{ term: string; records: Buffer }>(
      "select term, records from posting where tenant = 'globex' order by term",
    );
    // Each term in its passage and its section, and in no window.
    expect(rows.map(({ term, records }) => ({ term, ...countEntries(records) }))).toEqual([
      { term: "alon", sections: 1, passages: 1 },
      { term: "n", sections: 1, passages: 0 },
      { term: "togeth", sections: 1, passages: 1 },
    ]);
  });
});

function file(sample: SampleVersion) {
  return filing.inTenant("acme", (tx) => fileDocument(tx, { tenant: "acme", ...filedVersion(sample) }));
}

function remove(id: string): Promise<number> {
  return filing.inTenant("acme", (tx) => removeDocument(tx, { tenant: "acme", id }));
}

interface Asked {
  readonly scopes?: readonly string[];
  readonly limit?: number;
  readonly metadata?: { readonly [key: string]: string };
  readonly collection?: string;
  readonly includeNotCurrent?: boolean;
}

function search(query: string, { scopes = ["employee"], limit = 10, ...filters }: Asked = {}) {
  const principal = { tenant: "acme", id: "p", roles: [], attributes: {}, onBehalfOf: null, allow: everything };
  const envelope = { principal, scopes, environment: "test", at: Date.UTC(2026, 0, 1) };
  const need = { kind: "passages", name: "n", query, limit, minimumScore: 0, ...filters } as const;
  return openSearch({ database, clock: systemClock }).findPassages(need, envelope);
}

async function found(query: string, asked?: Asked): Promise<readonly string[]> {
  return (await search(query, asked)).content.map(({ id }) => id);
}

function countEntries(records: Buffer): { sections: number; passages: number } {
  const counted = { sections: 0, passages: 0 };
  readRecords(records, {
    document: () => true,
    section: () => {
      counted.sections += 1;
    },
    passage: () => {
      counted.passages += 1;
    },
  });
  return counted;
}
