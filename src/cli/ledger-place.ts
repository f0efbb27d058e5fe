import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { openCheckpointFolder } from "../ledger/proofs/checkpoint-folder.ts";
import { type Ledgers, nameOfLedgers } from "../ledger/proofs/publisher.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { readSigningKey } from "../store/signature.ts";
import { withRoleUrl } from "./embedded-url.ts";
import { given } from "./setting.ts";
import { changeSettings, readSettings } from "./settings.ts";

/** Where an installation's checkpoints are kept, unless a setting says otherwise. */
export function checkpointsIn(directory: string): string {
  return resolve(given("COUNTERSIGN_CHECKPOINTS") ?? `${directory}/checkpoints`);
}

/**
 * Who signs the checkpoints of an installation: COUNTERSIGN_LEDGER_KEY, or the key in its settings. Throws `configuration_invalid` where
 * there is neither.
 */
export async function openLedgers(directory: string): Promise<Ledgers> {
  const key = readSigningKey(given("COUNTERSIGN_LEDGER_KEY") ?? (await keyInSettings(directory)));
  const name = given("COUNTERSIGN_LEDGER_NAME") ?? nameOfLedgers(key);
  return { key, name, folder: openCheckpointFolder(checkpointsIn(directory)) };
}

/** Does `work` with the ledger's database, as the role that seals, and the one tenant that is meant. */
export async function withLedger<T>(
  { directory, tenant }: { directory: string; tenant: string | undefined },
  work: (of: { readonly database: Database; readonly tenant: string }) => Promise<T>,
): Promise<T> {
  return withRoleUrl({ directory, role: "acting" }, async (url) => {
    const database = openDatabase({ url, role: "acting", connections: 2 });
    try {
      return await work({ database, tenant: await tenantMeant(database, tenant) });
    } finally {
      await database.close();
    }
  });
}

async function tenantMeant(database: Database, tenant: string | undefined): Promise<string> {
  const tenants = await database.tenants();
  if (tenant === undefined && tenants.length > 1) throw new CountersignError("bad_request", "say which tenant with --tenant");
  const [meant] = tenants.filter((one) => tenant === undefined || one === tenant);
  if (meant !== undefined) return meant;
  throw new CountersignError(
    "not_found",
    tenant === undefined ? "there is no tenant" : `there is no tenant \`${tenant.slice(0, 63)}\``,
  );
}

async function keyInSettings(directory: string): Promise<string> {
  if ((await readSettings(directory)) === null) {
    const message = `nothing is installed in \`${directory}\`; start it once, or set COUNTERSIGN_LEDGER_KEY`;
    throw new CountersignError("configuration_invalid", message);
  }
  // Written back: an installation from before it had such a key gets one here, and keeps it.
  return (await changeSettings(directory, (known) => known)).ledgerKeys.secret;
}
