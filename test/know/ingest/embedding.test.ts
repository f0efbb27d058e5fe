import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineProject } from "countersign";
import { compatibleEmbedder } from "countersign/ingest";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Embedder } from "../../../src/contract/embedder.ts";
import { everything } from "../../../src/contract/principal.ts";
import { createIngest, fileByHand, type Ingest, library as index, openParser, readStatus } from "../../../src/ingest.ts";
import { denseLeg } from "../../../src/know/search/dense-leg.ts";
import { openSearch } from "../../../src/know/search/open-search.ts";
import { systemClock } from "../../../src/store/clock.ts";
import { type EmbedderServer, startEmbedderServer } from "./embedder-server.ts";
import { openLibrary, type TestLibrary } from "./house.ts";

// The process that files documents has their vectors made, over HTTP, without whoever decides asking for any.
let server: EmbedderServer;
let library: TestLibrary;
let embedder: Embedder;
let ingest: Ingest;
let passed = 0;
const clock = { ...systemClock, monotonic: () => passed };
beforeAll(async () => {
  server = await startEmbedderServer({ dimensions: 32 });
});
afterAll(async () => {
  await server.close();
});
beforeEach(async () => {
  library = await openLibrary();
  server.answer(true);
  embedder = await embedderOf("1");
  ingest = ingestBy(embedder);
});
afterEach(async () => {
  await ingest.stop();
  await library.close();
});

function embedderOf(version: string): Promise<Embedder> {
  const { baseUrl } = server;
  return compatibleEmbedder({ name: "local", baseUrl, secret: null, model: "tiny", version, dimensions: 32 }).open(null);
}

function ingestBy(by: Embedder): Ingest {
  const project = defineProject({ name: "library", capabilities: [], sources: [library.sourceWith()] });
  const { folder: projectFolder, database } = library;
  return createIngest({ project, projectFolder, database, embedder: by, clock, onError: () => {} });
}

async function near(query: string, by = embedder): Promise<readonly string[]> {
  const principal = { tenant: "acme", id: "ada", roles: [], attributes: {}, onBehalfOf: null, allow: everything };
  const envelope = { principal, scopes: ["tenant:all"], environment: "test", at: Date.now() };
  const need = { kind: "passages", name: "n", query, limit: 10, minimumScore: 0 } as const;
  const search = openSearch({ database: library.deciding, clock, legs: [denseLeg({ embedder: by, clock })] });
  return (await search.findPassages(need, envelope)).content.map(({ document }) => document);
}

const vectors = async (tenant = "acme") => (await library.database.inTenant(tenant, (tx) => readStatus(tx, { tenant }))).vectors;

/** From a folder that no source follows. */
async function fileKettleByHand(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-by-hand-"));
  const parser = openParser();
  try {
    const path = join(folder, "kettle.md");
    await writeFile(path, "# Kettles\n\nA kettle boils.\n");
    const { database } = library;
    await fileByHand({ database, library: index, parser }, { tenant: "acme", path, defaults: library.sourceWith() });
  } finally {
    parser.close();
    await rm(folder, { recursive: true });
  }
}

describe("vectors of what is filed", () => {
  test("come with the run that files it, each text sent once, whoever filed it", async () => {
    await library.write("lamp.md", "# Lamps\n\nA lamp glows.\n");
    await ingest.runOnce();
    expect(await near("glowing lamps")).toEqual(["lamp"]);
    expect(await vectors()).toMatchObject({ embedder: "local@tiny-1-32", passages: 1, missing: 0, fault: null });
    expect(await vectors("globex")).toMatchObject({ passages: 0, missing: 0 });
    const before = server.asked.length;
    await fileKettleByHand();
    expect(await vectors()).toMatchObject({ passages: 2, missing: 1 });
    await ingest.runOnce();
    expect(server.asked.slice(before)).toEqual([expect.stringContaining("A kettle boils.")]);
    expect((await near("boiling kettles"))[0]).toBe("kettle");
  });

  test("are missing, and said to be, while the embedder does not answer; words find meanwhile, and it is asked again after a rest", async () => {
    server.answer(false);
    await library.write("lamp.md", "# Lamps\n\nA lamp glows.\n");
    await expect(ingest.runOnce()).rejects.toMatchObject({ code: "model_unavailable" });
    expect(await library.find("lamps")).toEqual(["lamp"]);
    expect(await vectors()).toMatchObject({ passages: 1, missing: 1, fault: expect.stringContaining("status 503") });
    server.answer(true);
    await ingest.runOnce();
    expect(await near("glowing lamps")).toEqual([]);
    passed += 10_001;
    await ingest.runOnce();
    expect(await near("glowing lamps")).toEqual(["lamp"]);
    expect(await vectors()).toMatchObject({ missing: 0, fault: null });
  });

  test("are made anew by another version, beside the old ones", async () => {
    await library.write("lamp.md", "# Lamps\n\nA lamp glows.\n");
    await ingest.runOnce();
    const next = await embedderOf("2");
    const later = ingestBy(next);
    await later.runOnce();
    await later.stop();
    expect(await near("glowing lamps", next)).toEqual(["lamp"]);
    expect(await near("glowing lamps")).toEqual(["lamp"]);
    expect(await vectors()).toMatchObject({ embedder: "local@tiny-2-32", missing: 0 });
  });
});
