import type { Clock, HeadKeeper } from "../../contract/ports.ts";
import type { Database } from "../../store/database.ts";
import { publicKeysOf, type SigningKey } from "../../store/signature.ts";
import { keepBreak, keepProgress, keepSigned, type SignedCheckpoint } from "./check-record.ts";
import { type Checkpoint, readCheckpoint, signCheckpoint } from "./checkpoint.ts";
import type { CheckpointFolder } from "./checkpoint-folder.ts";
import { noteKeyText, readNoteKey } from "./signed-note.ts";
import { tellBreak } from "./tell-break.ts";
import { type LedgerWatch, watchLedger } from "./watch-ledger.ts";
import type { Handed, Witness } from "./witness.ts";

/** Who signs checkpoints, under which name, and where they are kept. */
export interface Ledgers {
  readonly key: SigningKey;
  /** The name of the ledgers of this installation; a tenant's is this, a slash and the tenant's id. */
  readonly name: string;
  readonly folder: CheckpointFolder;
}

/** The name of an installation that has chosen none: by its key, so that no two share it. */
export function nameOfLedgers({ keyId }: SigningKey): string {
  return `countersign-${keyId.slice(0, 16)}`;
}

/** A tenant's origin, under which its checkpoints are signed. */
export function originOf({ name }: Pick<Ledgers, "name">, tenant: string): string {
  return `${name}/${tenant}`;
}

/** The key that whoever checks a tenant's checkpoints needs. */
export function noteKeyOf({ key, name }: Pick<Ledgers, "key" | "name">, tenant: string): string {
  return noteKeyText({ name: originOf({ name }, tenant), key });
}

/** The kept checkpoints of a tenant, and those that cannot be believed as `null`. */
export async function readKept(ledgers: Ledgers, tenant: string): Promise<readonly { text: string; said: Checkpoint | null }[]> {
  const keys = [readNoteKey(noteKeyOf(ledgers, tenant))];
  return (await ledgers.folder.read(tenant)).map((text) => {
    const said = readCheckpoint(text, keys);
    return { text, said: typeof said === "string" ? null : said };
  });
}

/** Signs and keeps a checkpoint, and returns its text. */
export async function keepCheckpoint(
  { key, name, folder }: Ledgers,
  { tenant, size, root }: { tenant: string; size: number; root: Buffer },
): Promise<string> {
  const text = signCheckpoint({ origin: originOf({ name }, tenant), size, root }, key);
  await folder.keep({ tenant, size, text });
  return text;
}

/**
 * Opens the watch of a worker: it checks what is sealed, signs a checkpoint of it at most once a minute, keeps it and hands it to the
 * witness. What a witness does not take is told, and holds nothing up.
 */
export function openWatch({
  database,
  headKeeper,
  clock,
  ledgers,
  witness,
  onError,
}: {
  database: Database;
  headKeeper: HeadKeeper;
  clock: Clock;
  ledgers: Ledgers;
  witness: Witness | null;
  onError: (thrown: unknown) => void;
}): LedgerWatch {
  return watchLedger({
    ...{ database, headKeeper, clock, onError, restoredBy: publicKeysOf(ledgers.key) },
    known: async (tenant) => (await readKept(ledgers, tenant)).flatMap(({ said }) => said ?? []),
    publish: async (checkpoint) => {
      const text = await keepCheckpoint(ledgers, checkpoint);
      const { tenant, size } = checkpoint;
      const taken = await handOn(witness, { tenant, size, text }, onError);
      await keepSigned(database, { tenant, size, text, noteKey: noteKeyOf(ledgers, tenant), witness: taken });
    },
    progress: (one) => keepProgress(database, one),
    report: async (tenant, broken) => {
      await keepBreak(database, { tenant, broken });
      return tellBreak(database, { tenant, broken });
    },
  });
}

/** What a witness does not take is told, and holds nothing up. */
async function handOn(
  witness: Witness | null,
  handed: Handed,
  onError: (thrown: unknown) => void,
): Promise<SignedCheckpoint["witness"]> {
  if (witness === null) return "none";
  try {
    await witness(handed);
    return "taken";
  } catch (thrown) {
    onError(thrown);
    return "refused";
  }
}
