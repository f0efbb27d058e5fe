import { type Checkpoint, type CheckpointFault, readCheckpoint } from "./checkpoint.ts";
import { type ExportFinding, finding } from "./finding.ts";
import type { NoteKey } from "./signed-note.ts";

const details: Readonly<Record<CheckpointFault | "checkpoint_foreign", string>> = {
  checkpoint_invalid: "it is not written as a checkpoint is",
  checkpoint_unsigned: "none of the keys that were given signed it",
  checkpoint_foreign: "it is of another ledger",
};

/** Where a checkpoint stands: in a line of an export, or in a file that was given beside it. */
export interface Placed {
  readonly text: string;
  /** `null` where it was given. */
  readonly line: number | null;
}

/** Reads a checkpoint that is signed and of this ledger, or says what is wrong with it. An `origin` of `null` is any that a key has. */
export function believedCheckpoint(
  { text, line }: Placed,
  { keys, origin, tenant }: { keys: readonly NoteKey[]; origin: string | null; tenant: string | null },
): Checkpoint | ExportFinding {
  const read = readCheckpoint(text, keys);
  const fault = typeof read === "string" ? read : "checkpoint_foreign";
  if (typeof read !== "string" && (origin === null || read.origin === origin)) return read;
  const where = line === null ? "a checkpoint that was given" : `the checkpoint in line ${line}`;
  return finding(fault, { tenant, line, detail: `${where}: ${details[fault]}` });
}
