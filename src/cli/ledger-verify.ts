import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { createHeadKeeper } from "../ledger/head.ts";
import { type PayloadKeys, payloadKeys } from "../ledger/payload.ts";
import { pooledRandom } from "../ledger/random.ts";
import { type LedgerReport, verifyLedger } from "../ledger/verify.ts";
import { systemClock } from "../store/clock.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { withRoleUrl } from "./embedded-url.ts";
import { print } from "./print.ts";
import { readSettings } from "./settings.ts";

/** Recomputes every tenant's chain from the stored bytes and names the first bad entry; exit code 1 where one is found. */
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
}): Promise<readonly LedgerReport[]> {
  const tenants = await database.tenants();
  if (tenant !== undefined && !tenants.includes(tenant))
    throw new CountersignError("not_found", `there is no tenant \`${tenant.slice(0, 63)}\``);
  // It only reads, so nothing of it can fail in the background.
  const headKeeper = createHeadKeeper({ directory: heads, clock: systemClock, onError: () => {} });
  const keys = await payloadKeysOf(directory, database);
  const reports: LedgerReport[] = [];
  for (const one of tenant === undefined ? tenants : [tenant]) {
    reports.push(await verifyLedger({ database, tenant: one, headKeeper, ...(keys === null ? {} : { keys }) }));
  }
  return reports;
}

async function payloadKeysOf(directory: string, database: Database): Promise<PayloadKeys | null> {
  const root = process.env["COUNTERSIGN_PAYLOAD_KEY"] ?? (await readSettings(directory))?.payloadKey;
  return root === undefined ? null : payloadKeys(Buffer.from(root, "base64"), pooledRandom(), database);
}

function linesOf({ tenant, sealed, unsealed, unprotected, erasedPayloads, broken, faults }: LedgerReport): string[] {
  if (broken !== null) {
    return [
      `${tenant}: BROKEN at ${broken.seq === null ? "an entry without a place" : `entry ${broken.seq}`}${broken.entryId === null ? "" : ` (${broken.entryId})`}`,
      `  ${broken.fault}: ${broken.detail}`,
      `  ${faults === 1 ? "the only fault" : `the first of ${faults} faults`}; looked at ${sealed} sealed entries and ${unsealed.count} others`,
    ];
  }
  const waiting = unsealed.count === 0 ? "" : `, ${unsealed.count} not sealed yet (oldest ${unsealed.oldestMs} ms)`;
  const erased = erasedPayloads === 0 ? "" : `, ${erasedPayloads} payloads erased`;
  return [`${tenant}: verified to ${sealed}${waiting}${erased}; ${unprotected} after the kept head`];
}
