import { resolve } from "node:path";
import { isCountersignError } from "../contract/errors.ts";
import type { HeadKeeper, Vault } from "../contract/ports.ts";
import { openCheckpointFolder } from "../ledger/proofs/checkpoint-folder.ts";
import { nameOfLedgers, openWatch } from "../ledger/proofs/publisher.ts";
import type { LedgerWatch } from "../ledger/proofs/watch-ledger.ts";
import { openWitness } from "../ledger/proofs/witness.ts";
import { systemClock } from "../store/clock.ts";
import type { Database } from "../store/database.ts";
import { readSigningKey } from "../store/signature.ts";

/**
 * The watch over the ledger that a worker's settings ask for: none without COUNTERSIGN_LEDGER_KEY. Throws `configuration_invalid` for a key or
 * a witness that cannot be used.
 */
export function openWatching({
  settings,
  database,
  headKeeper,
  onError,
}: {
  settings: Vault;
  database: Database;
  headKeeper: HeadKeeper;
  onError: (thrown: unknown) => void;
}): { readonly watch?: LedgerWatch } {
  const secret = keyIn(settings);
  if (secret === null) return {};
  const key = readSigningKey(secret);
  const name = given("COUNTERSIGN_LEDGER_NAME") ?? nameOfLedgers(key);
  const folder = openCheckpointFolder(resolve(given("COUNTERSIGN_CHECKPOINTS") ?? "checkpoints"));
  const place = given("COUNTERSIGN_LEDGER_WITNESS");
  const witness = place === null ? null : openWitness(place);
  return { watch: openWatch({ database, headKeeper, clock: systemClock, ledgers: { key, name, folder }, witness, onError }) };
}

function keyIn(settings: Vault): string | null {
  try {
    return settings.secret("COUNTERSIGN_LEDGER_KEY");
  } catch (thrown) {
    if (isCountersignError(thrown) && thrown.code === "secret_missing") return null;
    throw thrown;
  }
}

function given(name: string): string | null {
  const value = process.env[name] ?? "";
  return value === "" ? null : value;
}
