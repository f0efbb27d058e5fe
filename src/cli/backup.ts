import { resolve } from "node:path";
import { takeBackup } from "../ledger/backup/take-backup.ts";
import { systemClock } from "../store/clock.ts";
import { sealUnder } from "../vault/passphrase.ts";
import { keysOfInstallation, readPassphrase } from "./backup-keys.ts";
import { withOwnerUrl } from "./embedded-url.ts";
import { openLedgers } from "./ledger-place.ts";
import { payloadKeyOf } from "./payload-key.ts";
import { print } from "./print.ts";

/**
 * Writes a backup to a new file: every table as it stood at one moment, signed with the ledger's key. Throws `bad_request` for a file that is
 * there, and `configuration_invalid` without the keys or, with `withKeys`, without a passphrase.
 */
export async function backup(
  file: string,
  options: { withKeys?: true; passphraseFile?: string; directory: string; json?: true },
): Promise<void> {
  const directory = resolve(options.directory);
  const payloadKey = await payloadKeyOf(directory);
  const { key } = await openLedgers(directory);
  const keys = options.withKeys === true ? await sealedKeys(directory, options.passphraseFile) : null;
  const { tables, heads, tenants } = await withOwnerUrl(directory, (adminUrl) =>
    takeBackup({ adminUrl, path: file, key, payloadKey, keys, now: systemClock.now() }),
  );
  const rows = tables.reduce((sum, one) => sum + one.rows, 0);
  const hasKeys = keys !== null;
  print({
    json: options.json,
    value: { file, tenants, tables: tables.length, rows, heads, keys: hasKeys },
    lines: [
      `${file}: ${rows} rows of ${tables.length} tables, ${tenants.length} tenants`,
      ...heads.map(({ tenant, seq, hash }) => `${tenant}: sealed to ${seq} (${hash})`),
      hasKeys
        ? "with this installation's keys, under the passphrase: keep that elsewhere"
        : "without the keys: payloads are not readable and nothing is restored without them, so keep those elsewhere",
    ],
  });
}

async function sealedKeys(directory: string, passphraseFile: string | undefined): Promise<string> {
  const passphrase = await readPassphrase(passphraseFile);
  return sealUnder(passphrase, JSON.stringify(await keysOfInstallation(directory)));
}
