import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { noteKeyOf, originOf, readKept } from "../ledger/proofs/publisher.ts";
import { writeExport } from "../ledger/proofs/write-export.ts";
import { checkpointNow } from "./ledger-checkpoint.ts";
import { openLedgers, withLedger } from "./ledger-place.ts";
import { print } from "./print.ts";

/**
 * Writes a tenant's sealed ledger to a new file, JSON Lines without payloads, with a checkpoint signed now and those that were kept. Where
 * the ledger does not verify it is written all the same, without a new checkpoint. Throws `bad_request` for a file that is there.
 */
export async function ledgerExport({
  out,
  tenant,
  directory: folder,
  json,
}: {
  out: string;
  tenant?: string;
  directory: string;
  json?: true;
}): Promise<void> {
  const directory = resolve(folder);
  const ledgers = await openLedgers(directory);
  const done = await withLedger({ directory, tenant }, async (of) => {
    const broken = await checkpointNow(of, ledgers).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    const checkpoints = (await readKept(ledgers, of.tenant)).map(({ text }) => text);
    const file = await open(out, "wx").catch((cause) => {
      throw new CountersignError("bad_request", `\`${out}\` cannot be written, or is there already`, { cause });
    });
    try {
      const origin = originOf(ledgers, of.tenant);
      const written = await writeExport({ ...of, origin, checkpoints }, async (text) => void (await file.write(text)));
      await file.sync();
      return { tenant: of.tenant, ...written, broken };
    } finally {
      await file.close();
    }
  });
  const { tenant: of, entries, checkpoints } = done;
  const key = noteKeyOf(ledgers, of);
  print({
    json,
    value: { tenant: of, out, entries, checkpoints, key },
    lines: [
      `${of}: ${entries} entries and ${checkpoints} checkpoints in ${out}; whoever checks it needs this key, by another way:`,
      key,
    ],
  });
  if (done.broken !== null) throw done.broken;
}
