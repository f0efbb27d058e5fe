import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ExportReport, reportJson } from "../../src/ledger/proofs/finding.ts";
import { linesOf } from "../../src/ledger/proofs/lines-of.ts";
import { readNoteKey } from "../../src/ledger/proofs/signed-note.ts";
import { verifyExport } from "../../src/ledger/proofs/verify-export.ts";
import { verifyProof } from "../../src/ledger/proofs/verify-proof.ts";
import type { Handed } from "./handed.ts";

const verifiers = fileURLToPath(new URL("../../verifiers/", import.meta.url));

/** What a stand-alone verifier says, line by line, and its exit code; `null` for a program that this machine does not have. */
export interface Said {
  readonly code: number;
  readonly lines: readonly string[];
}

/** The stand-alone verifiers, by name. */
export const programs = {
  "verify.mjs": [process.execPath, join(verifiers, "verify.mjs")],
  "verify.py": ["python3", join(verifiers, "verify.py")],
} as const;

/** Checks what was handed over as `ledger verify --export` does, in this process. */
export async function checkHere(handed: Handed): Promise<readonly string[]> {
  const keys = handed.keys.map(readNoteKey);
  const reports: ExportReport[] = [];
  if (handed.export !== null) {
    const bytes = handed.export;
    const chunks = (async function* () {
      yield bytes;
    })();
    reports.push(await verifyExport({ lines: linesOf(chunks), keys, given: handed.given }));
  }
  if (handed.proof !== undefined) reports.push(verifyProof(handed.proof, keys));
  return reports.map((report) => JSON.stringify(reportJson(report)));
}

/** Checks it by a stand-alone verifier, in a process of its own, over files. */
export async function checkBy(program: keyof typeof programs, handed: Handed): Promise<Said | null> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-proofs-"));
  try {
    return await run(programs[program], await argumentsOf(folder, handed));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function argumentsOf(folder: string, handed: Handed): Promise<readonly string[]> {
  const file = async (name: string, content: string | Buffer): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const args: string[] = handed.export === null ? [] : [await file("export.jsonl", handed.export)];
  for (const key of handed.keys) args.push("--key", key);
  for (const [i, text] of handed.given.entries()) args.push("--checkpoint", await file(`${i}.checkpoint`, text));
  if (handed.proof !== undefined) args.push("--proof", await file("proof.json", handed.proof));
  return [...args, "--json"];
}

function run([command, script]: readonly [string, string], args: readonly string[]): Promise<Said | null> {
  return new Promise((resolve, reject) => {
    execFile(command, [script, ...args], { encoding: "utf8" }, (error, stdout, stderr) => {
      if (error !== null && error.code === "ENOENT") return resolve(null);
      const code = error === null ? 0 : error.code;
      if (typeof code !== "number" || code > 1) return reject(new Error(`${script} failed: ${stderr}`));
      resolve({ code, lines: stdout.trimEnd().split("\n") });
    });
  });
}
