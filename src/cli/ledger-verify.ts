import { resolve } from "node:path";
import { CountersignError, isCountersignError } from "../contract/errors.ts";
import { createHeadKeeper } from "../ledger/head.ts";
import { type PayloadKeys, payloadKeys } from "../ledger/payload.ts";
import { checkKept } from "../ledger/proofs/check-kept.ts";
import type { Ledgers } from "../ledger/proofs/publisher.ts";
import { pooledRandom } from "../ledger/random.ts";
import { type LedgerReport, verifyLedger } from "../ledger/verify.ts";
import { systemClock } from "../store/clock.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { publicKeysOf } from "../store/signature.ts";
import { withRoleUrl } from "./embedded-url.ts";
import { openLedgers } from "./ledger-place.ts";
import { print } from "./print.ts";
import { readSettings } from "./settings.ts";

/** A report, with how many kept checkpoints the ledger was compared with. */
type Checked = LedgerReport & { readonly checkpoints: number };

/**
 * Recomputes every tenant's chain from the stored bytes, compares it with the kept head and the kept checkpoints, and names the first bad
 * entry; exit code 1 where one is found.
 */
export async function ledgerVerify({
  tenant,
  directory: folder,
  json,
}: {
  tenant?: string;
  directory: string;
  json?: true;
}): Promise<void> {
  const directory = resolve(folder);
  const heads = resolve(process.env["COUNTERSIGN_HEADS"] ?? `${directory}/heads`);
  const reports = await withRoleUrl({ directory, role: "acting" }, async (url) => {
    const database = openDatabase({ url, role: "acting", connections: 2 });
    try {
      return await verifyAll({ database, tenant, directory, heads });
    } finally {
      await database.close();
    }
  });
  print({ json, value: { heads, tenants: reports }, lines: [...reports.flatMap(linesOf), `heads looked for in ${heads}`] });
  if (reports.some((one) => one.broken !== null)) process.exitCode = 1;
}

async function verifyAll({
  database,
  tenant,
  directory,
  heads,
}: {
  database: Database;
  tenant: string | undefined;
  directory: string;
  heads: string;
}): Promise<readonly Checked[]> {
  const tenants = await database.tenants();
  if (tenant !== undefined && !tenants.includes(tenant))
    throw new CountersignError("not_found", `there is no tenant \`${tenant.slice(0, 63)}\``);
  // It only reads, so nothing of it can fail in the background.
  const headKeeper = createHeadKeeper({ directory: heads, clock: systemClock, onError: () => {} });
  const keys = await payloadKeysOf(directory, database);
  const ledgers = await ledgersOf(directory);
  const reports: Checked[] = [];
  for (const one of tenant === undefined ? tenants : [tenant]) {
    const report = await verifyLedger({
      ...{ database, tenant: one, headKeeper },
      ...(keys === null ? {} : { keys }),
      ...(ledgers === null ? {} : { restoredBy: publicKeysOf(ledgers.key) }),
    });
    reports.push(await withCheckpoints(report, { database, ledgers }));
  }
  return reports;
}

/** Where the chain itself does not hold there is nothing to compare. */
async function withCheckpoints(
  report: LedgerReport,
  { database, ledgers }: { database: Database; ledgers: Ledgers | null },
): Promise<Checked> {
  if (report.broken !== null || ledgers === null) return { ...report, checkpoints: 0 };
  const { checkpoints, broken } = await checkKept({ database, tenant: report.tenant }, ledgers);
  return { ...report, checkpoints, broken, faults: broken === null ? 0 : 1 };
}

/** Nobody signs checkpoints where there is no key for them. */
async function ledgersOf(directory: string): Promise<Ledgers | null> {
  try {
    return await openLedgers(directory);
  } catch (thrown) {
    if (isCountersignError(thrown, "configuration_invalid")) return null;
    throw thrown;
  }
}

async function payloadKeysOf(directory: string, database: Database): Promise<PayloadKeys | null> {
  const root = process.env["COUNTERSIGN_PAYLOAD_KEY"] ?? (await readSettings(directory))?.payloadKey;
  return root === undefined ? null : payloadKeys(Buffer.from(root, "base64"), pooledRandom(), database);
}

function linesOf({
  tenant,
  sealed,
  unsealed,
  unprotected,
  erasedPayloads,
  erasures,
  broken,
  faults,
  checkpoints,
}: Checked): string[] {
  if (broken !== null) {
    return [
      `${tenant}: BROKEN at ${broken.seq === null ? "an entry without a place" : `entry ${broken.seq}`}${broken.entryId === null ? "" : ` (${broken.entryId})`}`,
      `  ${broken.fault}: ${broken.detail}`,
      `  ${faults === 1 ? "the only fault" : `the first of ${faults} faults`}; looked at ${sealed} sealed entries and ${unsealed.count} others`,
    ];
  }
  const waiting = unsealed.count === 0 ? "" : `, ${unsealed.count} not sealed yet (oldest ${unsealed.oldestMs} ms)`;
  const gone = erasedPayloads === 0 ? "" : `, ${erasedPayloads} payloads erased`;
  const erased = erasures === 0 ? gone : `${gone}, ${erasures} erasures on record`;
  const signed = checkpoints === 0 ? "" : `, and as ${checkpoints} checkpoint${checkpoints === 1 ? "" : "s"} said`;
  return [`${tenant}: verified to ${sealed}${waiting}${erased}${signed}; ${unprotected} after the kept head`];
}
