import { resolve } from "node:path";
import { CountersignError, isCountersignError, messageOf } from "../contract/errors.ts";
import { loadBackup } from "../ledger/backup/load-backup.ts";
import type { SignedManifest } from "../ledger/backup/manifest.ts";
import { readBackup } from "../ledger/backup/read-backup.ts";
import { type SetAside, setAsideReplaced } from "../ledger/backup/set-aside.ts";
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
import { reasonOf } from "./reason.ts";
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
  /** How many kept checkpoints were given up. */
  readonly checkpoints: number;
}

/**
 * Restores a backup into a new folder's embedded database, or into the empty database at `DATABASE_URL`, after it was read to its end and every
 * digest, its signature and its keys fit. What fails until all rows are loaded and checked leaves the database empty. What comes after, newer
 * migrations and the setting aside of kept heads, is carried on by other means where it fails, and the error says so.
 */
export async function restore(file: string, options: RestoreOptions): Promise<void> {
  const directory = resolve(options.directory);
  const reason = options.reason === undefined ? null : reasonOf(options.reason);
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
  const reports = await loadBackup({
    ...{ adminUrl, path: into.file, signed, reason, ids: uuidIds(systemClock) },
    ...{ payloadKey: keys.payloadKey, key: keys.ledgerKey },
    keptOutside: (tenant) => keptOutside(tenant, { headKeeper, ledgers }),
  });
  try {
    const passwords = isEmbedded ? (await readSettings(directory))?.rolePasswords : undefined;
    await migrate({ adminUrl, ...(passwords === undefined ? {} : { passwords }) });
    const aside = await setAside(adminUrl, { headKeeper, ledgers });
    return reports.map((report) =>
      tenantOf(
        report,
        aside.find(({ tenant }) => tenant === report.tenant),
      ),
    );
  } catch (thrown) {
    throw afterLoading(thrown, isEmbedded);
  }
}

async function setAside(adminUrl: string, kept: { headKeeper: FileHeadKeeper; ledgers: Ledgers }): Promise<readonly SetAside[]> {
  const database = openDatabase({ url: adminUrl, role: "admin", connections: 2 });
  try {
    return await setAsideReplaced({ database, ...kept });
  } finally {
    await database.close();
  }
}

/** What is loaded stays: a second restore would be refused, and is not wanted. */
function afterLoading(thrown: unknown, isEmbedded: boolean): CountersignError {
  const way = isEmbedded ? "`countersign start` goes on" : "`countersign database migrate` and then the worker's start go on";
  const message = `everything in the backup is restored and holds, and then: ${messageOf(thrown)}; once that is mended ${way} from there`;
  const known = isCountersignError(thrown)
    ? { code: thrown.code, facts: thrown.facts }
    : ({ code: "internal", facts: {} } as const);
  return new CountersignError(known.code, message, { facts: known.facts, cause: thrown });
}

async function keptOutside(
  tenant: string,
  { headKeeper, ledgers }: { headKeeper: FileHeadKeeper; ledgers: Ledgers },
): Promise<KeptOutside> {
  const said = (await readKept(ledgers, tenant)).flatMap((one) => one.said ?? []);
  const checkpoints = said.map(({ size, root }) => ({ size, root: root.toString("hex") }));
  return { head: await headKeeper.read(tenant), checkpoints };
}

function tenantOf({ tenant, sealed }: LedgerReport, aside: SetAside | undefined): RestoredTenant {
  return { tenant, sealed, givenUp: aside?.head ?? null, checkpoints: aside?.checkpoints ?? 0 };
}

function lineOf({ tenant, sealed, givenUp, checkpoints }: RestoredTenant): string {
  const gone = [
    ...(givenUp === null ? [] : [`the ledger whose head was kept at ${givenUp}`]),
    ...(checkpoints === 0 ? [] : [`${checkpoints} kept checkpoints`]),
  ];
  const told = gone.length === 0 ? "" : `; given up, as its \`restored\` entry says: ${gone.join(" and ")}`;
  return `${tenant}: verified to ${sealed}${told}`;
}

async function refuseNewer({ manifest }: SignedManifest): Promise<void> {
  const known = await migrationNames();
  const unknown = manifest.migrations.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const message = `the backup has the migration \`${unknown.slice(0, 60)}\`, which this version does not; restore it with the version that wrote it, or a newer one`;
  throw new CountersignError("backup_too_new", message);
}
