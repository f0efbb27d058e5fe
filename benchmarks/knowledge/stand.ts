/** The place where search is measured: a PostgreSQL of its own, documents filed as `ingesting`, searched as `deciding`. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Need } from "../../src/contract/context.ts";
import type { FoundPassages } from "../../src/contract/found-passages.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import { openSearch } from "../../src/know/search/open-search.ts";
import { type Leg, wordsLeg } from "../../src/know/search/search.ts";
import { type FiledVersion, fileDocuments } from "../../src/know/search/write.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { startEmbedded, stopEmbedded } from "../../src/store/embedded.ts";
import { migrate, roleUrl } from "../../src/store/migrate.ts";
import { addTenants } from "../../src/store/owner.ts";

/** The one tenant of a stand. */
export const standTenant = "bench";

/** One search: who asks by their labels, and what for. */
export interface StandQuery {
  readonly query: string;
  readonly scopes: readonly string[];
  readonly limit: number;
  readonly legs?: readonly Leg[];
  readonly more?: Partial<Need & { readonly kind: "passages" }>;
}

/** A stand; close it, or its server keeps running. */
export interface SearchStand {
  readonly adminUrl: string;
  readonly filing: Database;
  readonly deciding: Database;
  readonly file: (versions: readonly FiledVersion[]) => Promise<void>;
  readonly search: (asked: StandQuery) => Promise<FoundPassages>;
  readonly close: () => Promise<void>;
}

/** Starts a server in a temporary folder and makes its tenant. */
export async function openSearchStand(settings: Readonly<Record<string, string>> = {}): Promise<SearchStand> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-bench-"));
  const { adminUrl } = await startEmbedded({ directory, settings });
  const password = randomBytes(12).toString("hex");
  await migrate({ adminUrl, passwords: { deciding: password, ingesting: password } });
  await addTenants({ adminUrl, tenants: [{ id: standTenant, name: "Bench" }] });
  const filing = openDatabase({
    ...{ url: roleUrl({ adminUrl, role: "ingesting", password }), role: "ingesting", connections: 2 },
    timeLimits: { statementMs: 600_000, lockMs: 60_000, idleInTransactionMs: 600_000 },
  });
  const deciding = openDatabase({ url: roleUrl({ adminUrl, role: "deciding", password }), role: "deciding", connections: 4 });
  return {
    ...{ adminUrl, filing, deciding },
    file: async (versions) => {
      await filing.inTenant(standTenant, (tx) => fileDocuments(tx, { tenant: standTenant, versions }));
    },
    search: ({ query, scopes, limit, legs = [wordsLeg()], more = {} }) => {
      const need = { kind: "passages", name: "bench", query, limit, minimumScore: 0, ...more } as const;
      const envelope = { principal: asker, scopes, environment: "bench", at: systemClock.now() };
      return openSearch({ database: deciding, clock: systemClock, legs }).findPassages(need, envelope);
    },
    close: async () => {
      await Promise.all([filing.close(), deciding.close()]);
      await stopEmbedded({ directory });
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const asker: Principal = {
  ...{ tenant: standTenant, id: "asker", roles: [], attributes: {}, onBehalfOf: null, allow: everything },
};
