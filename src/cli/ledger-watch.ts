import { resolve } from "node:path";
import { isCountersignError } from "../contract/errors.ts";
import type { Vault } from "../contract/ports.ts";
import { setAsideReplaced } from "../ledger/backup/set-aside.ts";
import type { FileHeadKeeper } from "../ledger/head.ts";
import { openCheckpointFolder } from "../ledger/proofs/checkpoint-folder.ts";
import { nameOfLedgers, openWatch } from "../ledger/proofs/publisher.ts";
import type { LedgerWatch } from "../ledger/proofs/watch-ledger.ts";
import { openWitness } from "../ledger/proofs/witness.ts";
import { systemClock } from "../store/clock.ts";
import type { Database } from "../store/database.ts";
import { readSigningKey } from "../store/signature.ts";
import { given } from "./setting.ts";

/**
 * The watch over the ledger that a worker's settings ask for: none without COUNTERSIGN_LEDGER_KEY. Throws `configuration_invalid` for a key or
 * a witness that cannot be used.
 */
export async function openWatching({
  settings,
  database,
  headKeeper,
  onError,
}: {
  settings: Vault;
  database: Database;
  headKeeper: FileHeadKeeper;
  onError: (thrown: unknown) => void;
}): Promise<{ readonly watch?: LedgerWatch }> {
  const secret = keyIn(settings);
  if (secret === null) return {};
  const key = readSigningKey(secret);
  const name = given("COUNTERSIGN_LEDGER_NAME") ?? nameOfLedgers(key);
  const folder = openCheckpointFolder(resolve(given("COUNTERSIGN_CHECKPOINTS") ?? "checkpoints"));
  const place = given("COUNTERSIGN_LEDGER_WITNESS");
  const witness = place === undefined ? null : openWitness(place);
  const ledgers = { key, name, folder };
  // Before anything is sealed: a restore that ended early, or elsewhere, has left what is held against its ledger.
  await setAsideReplaced({ database, headKeeper, ledgers }).catch(onError);
  return { watch: openWatch({ database, headKeeper, clock: systemClock, ledgers, witness, onError }) };
}

function keyIn(settings: Vault): string | null {
  try {
    return settings.secret("COUNTERSIGN_LEDGER_KEY");
  } catch (thrown) {
    if (isCountersignError(thrown) && thrown.code === "secret_missing") return null;
    throw thrown;
  }
}
