import type { EntryLine } from "../../src/ledger/proofs/export-form.ts";
import type { ExportFault } from "../../src/ledger/proofs/finding.ts";
import { linesOfSample, type Sample } from "./sample.ts";

/** What is handed to whoever checks: files, and what they have from elsewhere. */
export interface Handed {
  /** `null` where only a proof is checked. */
  readonly export: Buffer | null;
  readonly proof?: string;
  readonly keys: readonly string[];
  /** Checkpoints that were published before. */
  readonly given: readonly string[];
}

/** One way of tampering, and what a verifier must say of it. */
export interface Tampering {
  readonly name: string;
  readonly fault: ExportFault;
  /** The place that is named; `null` where it is none of an entry. */
  readonly seq: number | null;
  readonly line?: number;
  readonly handed: Handed;
}

/** How many entries the sample has. */
export const count = 10;
/** The checkpoints of the sample; entries stand from line 4 on. */
export const sizes = [5, 10];

interface Changed {
  readonly lines?: readonly string[];
  readonly given?: readonly string[];
}

/** The sample as it is handed over, with other lines or with checkpoints that were published. */
export function handed(sample: Sample, { lines = linesOfSample(sample), given = [] }: Changed): Handed {
  return { export: Buffer.from(`${lines.join("\n")}\n`), keys: [sample.noteKey], given };
}

/** A hash with its first digit changed. */
export function flipped(hex: string): string {
  return `${hex.startsWith("0") ? "1" : "0"}${hex.slice(1)}`;
}

/** An entry of a sample. */
export function at(entries: readonly EntryLine[], seq: number): EntryLine {
  const entry = entries[seq - 1];
  if (entry === undefined) throw new Error(`the sample has no entry ${seq}`);
  return entry;
}
