/** The place where decisions are measured: a durable PostgreSQL of its own, a journal, and a sealer that runs beside it. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { CountersignError } from "../../src/contract/errors.ts";
import { decisionDraft } from "../../src/ledger/decision-entry.ts";
import { buildEntry } from "../../src/ledger/entries.ts";
import { createHeadKeeper } from "../../src/ledger/head.ts";
import { createJournal } from "../../src/ledger/journal.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { pooledRandom } from "../../src/ledger/random.ts";
import { createSealer } from "../../src/ledger/seal.ts";
import { readSlices } from "../../src/ledger/slices.ts";
import { systemClock } from "../../src/store/clock.ts";
import { openDatabase } from "../../src/store/database.ts";
import { startEmbedded } from "../../src/store/embedded.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { migrate, roleUrl } from "../../src/store/migrate.ts";
import type { RawRow } from "./raw.ts";
import { createWorkload } from "./workload.ts";

/** A stand; close it, or its server keeps running. */
export interface Stand {
  readonly adminUrl: string;
  /** For the statistics; its own queries write nothing. */
  readonly owner: pg.Client;
  /** Decides once for the tenant of that number, durably: it resolves after the commit of the entry. */
  readonly decide: (tenant: number) => Promise<void>;
  /** Seals until every entry is sealed; resolves to how many that were. */
  readonly sealRest: () => Promise<void>;
  /** Entries with their payloads as they are written here, for the raw rate. */
  readonly sampleRows: (count: number) => Promise<readonly RawRow[]>;
  readonly close: () => Promise<void>;
}

const tenantCount = 8;

/** Starts a server with its durable defaults in a temporary folder and sets everything up. */
export async function openStand(): Promise<Stand> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-bench-"));
  // Room for the whole run, so that a checkpoint (and the full pages after it) does not fall into one measurement and spare another.
  const server = await startEmbedded({ directory, settings: { max_wal_size: "16GB" } });
  const password = randomBytes(12).toString("hex");
  await migrate({ adminUrl: server.adminUrl, passwords: { deciding: password, acting: password } });
  const owner = new pg.Client({ connectionString: server.adminUrl, application_name: "countersign bench" });
  await owner.connect();
  await owner.query(
    "insert into countersign.tenant (id, name) select 't' || i, 'Tenant ' || i from generate_series(0, $1::int - 1) i",
    [tenantCount],
  );
  const deciding = roleUrl({ adminUrl: server.adminUrl, role: "deciding", password });
  const keys = payloadKeys(randomBytes(32));
  const databases = {
    deciding: openDatabase({ url: deciding, role: "deciding", connections: 2 }),
    acting: openDatabase({
      url: roleUrl({ adminUrl: server.adminUrl, role: "acting", password }),
      role: "acting",
      connections: 2,
    }),
  };
  const journal = createJournal({ url: deciding, clock: systemClock, keys });
  const headKeeper = createHeadKeeper({ directory: join(directory, "heads"), onError: fail });
  const sealer = createSealer({ database: databases.acting, headKeeper, onError: fail });
  const ids = uuidIds(systemClock);
  const workload = createWorkload({ slices: readSlices({ database: databases.deciding, clock: systemClock }), ids });
  return {
    adminUrl: server.adminUrl,
    owner,
    decide: async (tenant) => {
      const request = workload.request(`t${tenant}`);
      const opened = await journal.open(request, systemClock.now());
      if (opened.kind !== "opened") throw new CountersignError("internal", `a new request was \`${opened.kind}\``);
      const closed = await journal.close(await workload.propose(request));
      if (closed.kind !== "closed") throw new CountersignError("internal", `a decision was \`${closed.kind}\``);
    },
    sealRest: async () => {
      while ((await unsealed(owner)) > 0) await sealer.sealAll();
    },
    sampleRows: async (count) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const request = workload.request("t0");
          const draft = decisionDraft(await workload.propose(request), "0".repeat(64));
          const { id, bytes, payload } = buildEntry({ draft, keys, random: pooledRandom() });
          return { tenant: "t0", id, entryBody: bytes, payload: payload ?? Buffer.alloc(0) };
        }),
      ),
    close: async () => {
      await journal.stop();
      await sealer.stop();
      await headKeeper.stop();
      await Promise.all([databases.deciding.close(), databases.acting.close(), owner.end()]);
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function unsealed(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ count: string }>(
    "select (select count(*) from countersign.entry) - (select count(*) from countersign.seal) as count",
  );
  return Number(rows[0]?.count);
}

/** A measurement beside which something failed is worth nothing. */
function fail(thrown: unknown): never {
  throw thrown;
}
