import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { loadBackup } from "../ledger/backup/load-backup.ts";
import type { SignedManifest } from "../ledger/backup/manifest.ts";
import { readBackup } from "../ledger/backup/read-backup.ts";
import { setAsideReplaced } from "../ledger/backup/set-aside.ts";
import type { KeptOutside } from "../ledger/backup/write-restored.ts";
import { createHeadKeeper, type FileHeadKeeper } from "../ledger/head.ts";
import { type Ledgers, readKept } from "../ledger/proofs/publisher.ts";
import type { LedgerReport } from "../ledger/verify.ts";
import { refuseFilled } from "../store/backup/refuse-filled.ts";
import { systemClock } from "../store/clock.ts";
import { openDatabase } from "../store/database.ts";
import { uuidIds } from "../store/ids.ts";
import { migrate, migrationNames } from "../store/migrate.ts";
import { keysToRestore, placeKeys, type RestoringKeys } from "./backup-keys.ts";
import { withOwnerUrl } from "./embedded-url.ts";
import { openLedgers } from "./ledger-place.ts";
import { makeDirectory } from "./make-directory.ts";
import { print } from "./print.ts";
import { readSettings } from "./settings.ts";

interface RestoreOptions {
  readonly directory: string;
  readonly reason?: string;
  readonly passphraseFile?: string;
  readonly json?: true;
}

/** A tenant of the restored ledger, and what is given up for it. */
interface RestoredTenant {
  readonly tenant: string;
  readonly sealed: number;
  /** The seq of the kept head that was given up; `null` where none was. */
  readonly givenUp: number | null;
}

/**
 * Restores a backup into a new folder's embedded database, or into the empty database at `DATABASE_URL`, after it was read to its end and every
 * digest, its signature and its keys fit. What fails leaves the database empty.
 */
export async function restore(file: string, options: RestoreOptions): Promise<void> {
  const directory = resolve(options.directory);
  const reason = checkedReason(options.reason);
  const signed = await readBackup(file);
  await refuseNewer(signed);
  const keys = await keysToRestore(signed, { directory, passphraseFile: options.passphraseFile });
  const isEmbedded = (process.env["DATABASE_URL"] ?? "") === "";
  await makeDirectory(directory);
  await placeKeys(keys, { directory, isEmbedded });
  const heads = resolve(process.env["COUNTERSIGN_HEADS"] ?? `${directory}/heads`);
  const tenants = await withOwnerUrl(directory, (adminUrl) =>
    restoreInto(adminUrl, { file, directory, heads, signed, keys, reason, isEmbedded }),
  );
  const { madeAt } = signed.manifest;
  print({
    json: options.json,
    value: { file, madeAt, directory, heads, tenants },
    lines: [
      `restored from the backup of ${new Date(madeAt).toISOString()}; every digest and every ledger in it holds`,
      ...tenants.map(lineOf),
      `heads looked for in ${heads}; every tenant is stopped until an owner has looked and says \`countersign resume tenant\``,
    ],
  });
}

interface Into {
  readonly file: string;
  readonly directory: string;
  readonly heads: string;
  readonly signed: SignedManifest;
  readonly keys: RestoringKeys;
  readonly reason: string | null;
  readonly isEmbedded: boolean;
}

async function restoreInto(adminUrl: string, into: Into): Promise<readonly RestoredTenant[]> {
  const { directory, heads, signed, keys, reason, isEmbedded } = into;
  await refuseFilled(adminUrl);
  await migrate({ adminUrl, only: signed.manifest.migrations });
  const ledgers = await openLedgers(directory);
  // It fails only in the foreground here: nothing is kept by it.
  const headKeeper = createHeadKeeper({ directory: heads, onError: () => {} });
  const kept = new Map<string, KeptOutside>();
  const reports = await loadBackup({
    ...{ adminUrl, path: into.file, signed, reason, ids: uuidIds(systemClock) },
    ...{ payloadKey: keys.payloadKey, key: keys.ledgerKey },
    keptOutside: async (tenant) => {
      const found = await keptOutside(tenant, { headKeeper, ledgers });
      kept.set(tenant, found);
      return found;
    },
  });
  const passwords = isEmbedded ? (await readSettings(directory))?.rolePasswords : undefined;
  await migrate({ adminUrl, ...(passwords === undefined ? {} : { passwords }) });
  const database = openDatabase({ url: adminUrl, role: "admin", connections: 2 });
  try {
    const aside = await setAsideReplaced({ database, headKeeper, ledgers });
    return reports.map((report) => tenantOf(report, aside.includes(report.tenant) ? kept.get(report.tenant) : undefined));
  } finally {
    await database.close();
  }
}

async function keptOutside(
  tenant: string,
  { headKeeper, ledgers }: { headKeeper: FileHeadKeeper; ledgers: Ledgers },
): Promise<KeptOutside> {
  const said = (await readKept(ledgers, tenant)).flatMap((one) => one.said ?? []);
  const checkpoints = said.map(({ size, root }) => ({ size, root: root.toString("hex") }));
  return { head: await headKeeper.read(tenant), checkpoints };
}

function tenantOf({ tenant, sealed }: LedgerReport, kept: KeptOutside | undefined): RestoredTenant {
  return { tenant, sealed, givenUp: kept?.head?.seq ?? null };
}

function lineOf({ tenant, sealed, givenUp }: RestoredTenant): string {
  const gone =
    givenUp === null ? "" : `; the ledger whose head was kept at ${givenUp} is given up, which its \`restored\` entry says`;
  return `${tenant}: verified to ${sealed}${gone}`;
}

async function refuseNewer({ manifest }: SignedManifest): Promise<void> {
  const known = await migrationNames();
  const unknown = manifest.migrations.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const message = `the backup has the migration \`${unknown.slice(0, 60)}\`, which this version does not; restore it with the version that wrote it, or a newer one`;
  throw new CountersignError("backup_too_new", message);
}

function checkedReason(reason: string | undefined): string | null {
  const text = reason?.trim() ?? "";
  if (reason !== undefined && (text === "" || text.length > 2_000))
    throw new CountersignError("bad_request", "--reason is a text of 1 to 2000 characters");
  return text === "" ? null : text;
}
