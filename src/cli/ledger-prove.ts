import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { type Checkpoint, readCheckpoint } from "../ledger/proofs/checkpoint.ts";
import { type Bundle, textOf } from "../ledger/proofs/export-form.ts";
import { type LedgerTree, proveConsistency, proveInclusion } from "../ledger/proofs/ledger-tree.ts";
import { type Ledgers, noteKeyOf, readKept } from "../ledger/proofs/publisher.ts";
import { entryNamed, readSealed } from "../ledger/proofs/read-sealed.ts";
import { readNoteKey } from "../ledger/proofs/signed-note.ts";
import { checkpointNow } from "./ledger-checkpoint.ts";
import { openLedgers, withLedger } from "./ledger-place.ts";

interface Options {
  readonly tenant?: string;
  readonly directory: string;
}

type Signed = { readonly text: string; readonly checkpoint: Checkpoint };

/**
 * Prints a proof that a decision's entry stands in the ledger: its bytes, its place, the hashes and a checkpoint. Without a checkpoint the
 * first kept one that covers the entry, else a new one. Throws `not_found`, `bad_request`, `ledger_broken`.
 */
export async function ledgerProve(
  id: string,
  { checkpoint, tenant, directory: folder }: Options & { checkpoint?: string },
): Promise<void> {
  const directory = resolve(folder);
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new CountersignError("bad_request", "the id is no UUID");
  const ledgers = await openLedgers(directory);
  const bundle = await withLedger({ directory, tenant }, async (of) => {
    const entryId = await entryNamed(of, id);
    if (entryId === null) throw new CountersignError("not_found", `\`${of.tenant}\` has no decision and no entry of that id`);
    const signed =
      checkpoint === undefined ? await covering(of, { ledgers, entryId }) : await readSigned(checkpoint, { ...of, ledgers });
    return proveInclusion(of, { entryId, ...signed });
  });
  printBundle(bundle);
}

/** Prints a proof that one checkpoint continues another. Throws `bad_request` where the first is the later one, `ledger_broken`. */
export async function ledgerConsistency(older: string, newer: string, { tenant, directory: folder }: Options): Promise<void> {
  const directory = resolve(folder);
  const ledgers = await openLedgers(directory);
  const bundle = await withLedger({ directory, tenant }, async (of) => {
    const [from, to] = [await readSigned(older, { ...of, ledgers }), await readSigned(newer, { ...of, ledgers })];
    return proveConsistency(of, { from: from.checkpoint, to: to.checkpoint, texts: { from: from.text, to: to.text } });
  });
  printBundle(bundle);
}

/** A proof is one JSON object in one line, for people and programs alike. */
function printBundle(bundle: Bundle): void {
  console.log(textOf(bundle));
}

async function covering(of: LedgerTree, { ledgers, entryId }: { ledgers: Ledgers; entryId: string }): Promise<Signed> {
  const sealed = await readSealed(of, entryId);
  const kept = await readKept(ledgers, of.tenant);
  const [first] = kept.filter(({ said }) => said !== null && sealed !== null && said.size >= sealed.seq);
  if (first !== undefined && first.said !== null) return { text: first.text, checkpoint: first.said };
  const { checkpoint: text } = await checkpointNow(of, ledgers);
  return signedBy(text, { tenant: of.tenant, ledgers });
}

async function readSigned(file: string, by: { tenant: string; ledgers: Ledgers }): Promise<Signed> {
  const text = await readFile(file, "utf8").catch((cause) => {
    throw new CountersignError("bad_request", `the checkpoint \`${file}\` cannot be read`, { cause });
  });
  return signedBy(text, by);
}

function signedBy(text: string, { tenant, ledgers }: { tenant: string; ledgers: Ledgers }): Signed {
  const checkpoint = readCheckpoint(text, [readNoteKey(noteKeyOf(ledgers, tenant))]);
  if (typeof checkpoint !== "string") return { text, checkpoint };
  throw new CountersignError("bad_request", `that is no checkpoint of \`${tenant}\` that this installation's key signed`);
}
