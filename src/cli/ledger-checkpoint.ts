import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { treeNow } from "../ledger/proofs/ledger-tree.ts";
import { keepCheckpoint, type Ledgers, noteKeyOf, readKept } from "../ledger/proofs/publisher.ts";
import type { Database } from "../store/database.ts";
import { checkpointsIn, openLedgers, withLedger } from "./ledger-place.ts";
import { print } from "./print.ts";

interface Options {
  readonly tenant?: string;
  readonly directory: string;
  readonly json?: true;
}

/** Signs a checkpoint of a tenant's sealed ledger, keeps it and prints it with the key that it is checked by. Throws `ledger_broken`. */
export async function ledgerCheckpoint({ tenant, directory: folder, json }: Options): Promise<void> {
  const directory = resolve(folder);
  const ledgers = await openLedgers(directory);
  const made = await withLedger({ directory, tenant }, (of) => checkpointNow(of, ledgers));
  const key = noteKeyOf(ledgers, made.tenant);
  print({
    json,
    value: { ...made, key },
    lines: [
      made.checkpoint,
      `kept in ${checkpointsIn(directory)}; whoever checks it needs this key, from you and by another way:`,
      key,
    ],
  });
}

/** Signs a checkpoint of what is sealed now, once it has seen that every one that was kept before still holds. */
export async function checkpointNow(
  { database, tenant }: { database: Database; tenant: string },
  ledgers: Ledgers,
): Promise<{ readonly tenant: string; readonly size: number; readonly checkpoint: string }> {
  const kept = await readKept(ledgers, tenant);
  if (kept.some(({ said }) => said === null)) {
    const message = `a kept checkpoint of \`${tenant}\` is not one that this installation's key signed; look who wrote it`;
    throw new CountersignError("ledger_broken", message, { facts: { tenant } });
  }
  const { size, root } = await treeNow(
    { database, tenant },
    kept.flatMap(({ said }) => said ?? []),
  );
  return { tenant, size, checkpoint: await keepCheckpoint(ledgers, { tenant, size, root }) };
}
