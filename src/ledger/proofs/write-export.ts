import { textOf } from "./export-form.ts";
import type { LedgerTree } from "./ledger-tree.ts";
import { readEntryLines, sealedCount } from "./read-sealed.ts";

/** What an export is made of: whose, under which origin, and the checkpoints that were signed over it, the smallest first. */
export interface Exporting extends LedgerTree {
  readonly origin: string;
  readonly checkpoints: readonly string[];
}

/** What was written: sealed entries and checkpoints. */
export interface Exported {
  readonly entries: number;
  readonly checkpoints: number;
}

/**
 * Writes a tenant's sealed ledger as JSON Lines: a head, the checkpoints, then each entry's stored bytes with its seal. No payloads, and
 * nothing that is not sealed yet. It writes what is there, also where that does not verify: whoever reads it is to find out.
 */
export async function writeExport(
  { database, tenant, origin, checkpoints }: Exporting,
  write: (text: string) => Promise<void>,
): Promise<Exported> {
  const entries = await sealedCount({ database, tenant });
  const head = [
    textOf({ kind: "export", tenant, origin, entries }),
    ...checkpoints.map((text) => textOf({ kind: "checkpoint", text })),
  ];
  await write(`${head.join("\n")}\n`);
  for await (const line of readEntryLines({ database, tenant }, entries)) await write(`${textOf(line)}\n`);
  return { entries, checkpoints: checkpoints.length };
}
