import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { defineProject, folderSource } from "countersign";
import type { Need } from "../../../src/contract/context.ts";
import type { FolderSource } from "../../../src/contract/document-source.ts";
import { everything } from "../../../src/contract/principal.ts";
import { createIngest, type Ingest, readStatus } from "../../../src/ingest.ts";
import { freshnessCheck } from "../../../src/know/search/freshness.ts";
import { openSearch } from "../../../src/know/search/open-search.ts";
import { systemClock } from "../../../src/store/clock.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { createMigratedDatabase } from "../../setup/project-database.ts";

/** A folder of documents, its index over the real database, and search as somebody with the given labels sees it. */
export async function openLibrary(form: Partial<Parameters<typeof folderSource>[0]> = {}) {
  const store = await createMigratedDatabase();
  const folder = await mkdtemp(join(tmpdir(), "countersign-ingest-"));
  const database = openDatabase({ url: store.urls.ingesting, role: "ingesting" });
  const deciding = openDatabase({ url: store.urls.deciding, role: "deciding" });
  const faults: unknown[] = [];
  const opened: Ingest[] = [];
  const sourceWith = (change: Partial<Parameters<typeof folderSource>[0]> = {}): FolderSource =>
    folderSource({
      ...{ name: "handbook", folder, owner: "it", scopes: ["tenant:all"], tenants: ["acme"], freshWithinMs: 60_000 },
      ...form,
      ...change,
    });
  const ingestOf = (...sources: readonly FolderSource[]): Ingest => {
    const project = defineProject({ name: "library", capabilities: [], sources });
    const ingest = createIngest({
      ...{ project, projectFolder: folder, database, clock: systemClock, onError: (thrown) => faults.push(thrown) },
    });
    opened.push(ingest);
    return ingest;
  };
  const search = (declared: readonly FolderSource[]) =>
    openSearch({ database: deciding, clock: systemClock, checkFreshness: freshnessCheck(declared) });
  return {
    ...{ store, folder, database, deciding, faults, sourceWith, ingestOf },
    write: async (path: string, content: string | Buffer): Promise<void> => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    },
    /** The documents that a question finds for somebody with these labels, as `id@version`. */
    find: async (
      query: string,
      scopes: readonly string[] = ["tenant:all"],
      declared: readonly FolderSource[] = [],
      collection?: string,
    ) => {
      const need: Need & { kind: "passages" } = {
        kind: "passages",
        name: "found",
        query,
        limit: 10,
        minimumScore: 0,
        ...(collection === undefined ? {} : { collection }),
      };
      const principal = { tenant: "acme", id: "ada", roles: [], attributes: {}, onBehalfOf: null, allow: everything };
      const { content } = await search(declared).findPassages(need, {
        principal,
        scopes,
        at: Date.now(),
        purpose: "tests",
      } as never);
      return content.map(({ document }) => document);
    },
    status: async (tenant = "acme") => (await database.inTenant(tenant, (tx) => readStatus(tx, { tenant }))).sources,
    close: async () => {
      await Promise.all(opened.map((one) => one.stop()));
      await Promise.all([database.close(), deciding.close()]);
      await store.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type TestLibrary = Awaited<ReturnType<typeof openLibrary>>;
