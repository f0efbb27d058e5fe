import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import { readLine } from "../ledger/proofs/export-form.ts";
import { type ExportReport, reportJson, reportLines } from "../ledger/proofs/finding.ts";
import { linesOf } from "../ledger/proofs/lines-of.ts";
import { noteKeyOf } from "../ledger/proofs/publisher.ts";
import { type NoteKey, readNoteKey } from "../ledger/proofs/signed-note.ts";
import { verifyExport } from "../ledger/proofs/verify-export.ts";
import { verifyProof } from "../ledger/proofs/verify-proof.ts";
import { openLedgers } from "./ledger-place.ts";

/** What is checked without the store: an export, proofs, or both, with the keys and the checkpoints of whoever checks. */
export interface Offline {
  readonly export?: string;
  readonly proof?: readonly string[];
  /** Note keys, or files that hold one; the installation's own where none is given. */
  readonly key?: readonly string[];
  readonly checkpoint?: readonly string[];
  readonly directory: string;
  readonly json?: true;
}

/** Checks an export and proofs as the stand-alone verifiers do, and says the same; exit code 1 where something does not hold. */
export async function ledgerVerifyExport(offline: Offline): Promise<void> {
  const reports: ExportReport[] = [];
  if (offline.export !== undefined) reports.push(await checkExport(offline.export, offline));
  for (const path of offline.proof ?? []) {
    const text = await readText(path);
    reports.push(verifyProof(text, await keysOf(offline, tenantIn(text.slice(0, -1)))));
  }
  for (const report of reports)
    console.log(offline.json === true ? JSON.stringify(reportJson(report)) : reportLines(report).join("\n"));
  if (reports.some(({ isVerified }) => !isVerified)) process.exitCode = 1;
}

async function checkExport(path: string, offline: Offline): Promise<ExportReport> {
  const given: string[] = [];
  for (const one of offline.checkpoint ?? []) given.push(await readText(one));
  const head = await linesOf(stream(path)).next();
  const keys = await keysOf(offline, tenantIn(head.done === true ? null : head.value));
  return verifyExport({ lines: linesOf(stream(path)), keys, given });
}

async function* stream(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: 1 << 20 });
  } catch (cause) {
    throw new CountersignError("bad_request", `\`${path}\` cannot be read`, { cause });
  }
}

/** Whose ledger a line says that it is of; the key decides whether that is so. */
function tenantIn(line: string | null): string | null {
  const read = line === null ? "line_unreadable" : readLine(line);
  return typeof read !== "string" && (read.kind === "export" || read.kind === "inclusion") ? read.tenant : null;
}

async function keysOf({ key, directory }: Offline, tenant: string | null): Promise<readonly NoteKey[]> {
  if (key !== undefined) {
    const texts = key.map(async (one) => (one.includes("+") ? one : await readText(one)));
    return (await Promise.all(texts)).map(readNoteKey);
  }
  return tenant === null ? [] : [readNoteKey(noteKeyOf(await openLedgers(resolve(directory)), tenant))];
}

async function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch((cause) => {
    throw new CountersignError("bad_request", `\`${path}\` cannot be read`, { cause });
  });
}
