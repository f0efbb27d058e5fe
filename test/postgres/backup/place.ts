import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject, vi } from "vitest";
import { backup } from "../../../src/cli/backup.ts";
import { restore } from "../../../src/cli/restore.ts";
import { createHeadKeeper } from "../../../src/ledger/head.ts";
import { payloadKeys } from "../../../src/ledger/payload.ts";
import { pooledRandom } from "../../../src/ledger/random.ts";
import { sealTenant } from "../../../src/ledger/seal.ts";
import { type LedgerReport, verifyLedger } from "../../../src/ledger/verify.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { roleUrl } from "../../../src/store/migrate.ts";
import { publicKeysOf, readSigningKey } from "../../../src/store/signature.ts";
import { createTestDatabase } from "../../setup/database.ts";
import { printed } from "../../setup/printed.ts";
import { clusterLock, type MigratedDatabase } from "../../setup/project-database.ts";
import { House, newKey } from "../acting/house.ts";
import { until } from "../embedded/server.ts";

/** A house whose ledger has a key and kept heads, of which backups are made. */
export interface Place {
  readonly house: House;
  readonly directory: string;
  readonly heads: string;
  readonly ledgerKey: string;
  readonly close: () => Promise<void>;
}

/** Opens a house with an empty folder. Commands find its keys in the environment. */
export async function openPlace(): Promise<Place> {
  const house = await House.build();
  const directory = await mkdtemp(join(tmpdir(), "countersign-backup-"));
  const ledgerKey = newKey().secret;
  vi.stubEnv("COUNTERSIGN_PAYLOAD_KEY", house.payloadKey.toString("base64"));
  vi.stubEnv("COUNTERSIGN_LEDGER_KEY", ledgerKey);
  vi.stubEnv("COUNTERSIGN_CHECKPOINTS", join(directory, "checkpoints"));
  return {
    ...{ house, directory, ledgerKey, heads: join(directory, "heads") },
    close: async () => {
      vi.unstubAllEnvs();
      await house.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** An empty database on the run's server; `drop` it. */
export async function emptyDatabase(): Promise<MigratedDatabase> {
  const { url, drop } = await createTestDatabase(inject("postgresAdminUrl"));
  const of = (role: "deciding" | "desk" | "acting" | "ingesting") => roleUrl({ adminUrl: url, role, password: "for-tests-only" });
  const urls = { deciding: of("deciding"), desk: of("desk"), acting: of("acting"), ingesting: of("ingesting") };
  return { adminUrl: url, urls, drop };
}

/** Makes a backup of the place's database by the command, and returns what it printed. */
export async function backUp({ house, directory }: Place, file: string, options: object = {}): Promise<unknown> {
  vi.stubEnv("DATABASE_URL", house.store.adminUrl);
  return printed(backup(file, { directory, json: true, ...options }));
}

/** Restores by the command, in turn with other files that make roles on the same server, and returns what it printed. */
export async function restoreTo(
  { adminUrl, heads, file }: { adminUrl: string; heads: string; file: string },
  options: { directory: string; reason?: string; passphraseFile?: string },
): Promise<unknown> {
  vi.stubEnv("DATABASE_URL", adminUrl);
  vi.stubEnv("COUNTERSIGN_HEADS", heads);
  const client = new pg.Client({ connectionString: inject("postgresAdminUrl") });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [clusterLock]);
    return await printed(restore(file, { ...options, json: true }));
  } finally {
    await client.end();
  }
}

/** Seals what a tenant has committed, until nothing is left, and keeps the head in a folder. */
export async function seal({ acting, admin }: House, heads: string, tenant = "acme"): Promise<void> {
  const headKeeper = createHeadKeeper({ directory: heads, onError: () => {} });
  const left = async () => {
    await sealTenant({ database: acting, tenant, headKeeper });
    const { rows } = await admin.query<{ left: number }>(
      `select count(*)::int as left from countersign.entry where tenant = $1
         and not exists (select from countersign.seal where seal.tenant = entry.tenant and seal.entry_id = entry.id)`,
      [tenant],
    );
    return rows[0]?.left;
  };
  await until(async () => (await left()) === 0);
  await headKeeper.stop();
}

/** Checks a tenant's ledger against a folder of heads, and believes a restore that this key signed. */
export async function verify(
  { adminUrl, heads }: { adminUrl: string; heads: string },
  { house, ledgerKey }: { house: House; ledgerKey: string },
): Promise<LedgerReport> {
  const database = openDatabase({ url: adminUrl, role: "admin", connections: 2 });
  try {
    return await verifyLedger({
      ...{ database, tenant: "acme", headKeeper: createHeadKeeper({ directory: heads, onError: () => {} }) },
      keys: payloadKeys(house.payloadKey, pooledRandom(), database),
      restoredBy: publicKeysOf(readSigningKey(ledgerKey)),
    });
  } finally {
    await database.close();
  }
}
