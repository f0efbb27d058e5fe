import type { SigningKey } from "../../store/signature.ts";
import { type NoteKey, openNote, signNote } from "./signed-note.ts";
import { bytesOfBase64 } from "./strict-base64.ts";

/** What a checkpoint says: whose ledger it is, how many entries it holds, and the root of the tree over them. */
export interface Checkpoint {
  /** The ledger's name and the tenant's id, such as `ledger.example.com/acme`; the key signs under it. */
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
}

/** What cannot be believed of a checkpoint; a closed list. */
export type CheckpointFault = "checkpoint_invalid" | "checkpoint_unsigned";

/** Signs a checkpoint, in the form of C2SP tlog-checkpoint: origin, size, root in base64, a signature line. */
export function signCheckpoint({ origin, size, root }: Checkpoint, key: SigningKey): string {
  return signNote({ text: `${origin}\n${size}\n${root.toString("base64")}\n`, name: origin, key });
}

/**
 * Reads a checkpoint that one of these keys signed under the checkpoint's own origin, and says what is wrong with every other. It is read
 * strictly: three lines, one spelling of each.
 */
export function readCheckpoint(text: string, keys: readonly NoteKey[]): Checkpoint | CheckpointFault {
  const bare = partsOfCheckpoint(text);
  if (bare === null) return "checkpoint_invalid";
  const opened = openNote(
    text,
    keys.filter(({ name }) => name === bare.origin),
  );
  if (opened === "invalid") return "checkpoint_invalid";
  return opened === "unsigned" ? "checkpoint_unsigned" : bare;
}

/** What a text says, whoever signed it; `null` where it is no checkpoint. */
function partsOfCheckpoint(text: string): Checkpoint | null {
  const at = text.lastIndexOf("\n\n");
  const [origin = "", size = "", root = "", ...rest] = text.slice(0, Math.max(0, at)).split("\n");
  const bytes = bytesOfBase64(root, 32);
  if (text.length > longestCheckpoint || origin === "" || rest.length > 0 || bytes === null) return null;
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(size) || !Number.isSafeInteger(Number(size))) return null;
  return { origin, size: Number(size), root: bytes };
}

/** In UTF-16 units; a checkpoint with sixty-four signatures is below it. */
const longestCheckpoint = 65_536;
