/**
 * What does the ledger cost, how fast is it checked, how long are its proofs, and is tampering found? Appends and seals run on a database of
 * their own; checks run over files and hashes of synthetic entries of the size of real ones.
 */
import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isConsistent, isIncluded } from "../../src/ledger/proofs/check-proof.ts";
import { linesOf } from "../../src/ledger/proofs/lines-of.ts";
import { growTree } from "../../src/ledger/proofs/merkle.ts";
import { readNoteKey } from "../../src/ledger/proofs/signed-note.ts";
import { consistencyStretches, hashStretches, inclusionStretches } from "../../src/ledger/proofs/stretches.ts";
import { verifyExport } from "../../src/ledger/proofs/verify-export.ts";
import { type Appends, measureAppends } from "./appends.ts";
import { checkBy, checkHere, programs } from "./check-handed.ts";
import { bodyOf, linesOfSample, makeSample } from "./sample.ts";
import { makeTamperings } from "./tamperings.ts";

/** Entries a second that a check of an export reaches at least. */
const leastPerSecond = 50_000;
const millionSize = 1_000_000;

/** What the benchmark says. */
export interface LedgerBenchReport {
  readonly appends: Appends;
  readonly verification: {
    readonly entries: number;
    readonly bytes: number;
    readonly entries_per_second: number;
    readonly entries_per_cpu_second: number;
    readonly verify_mjs_entries_per_second: number;
    readonly verify_py_entries_per_second: number | null;
  };
  readonly proofs_at_a_million: {
    readonly inclusion_hashes: number;
    readonly inclusion_bytes: number;
    readonly consistency_hashes: number;
    readonly tree_ms: number;
    readonly inclusion_made_ms: number;
    readonly inclusion_checked_us: number;
    readonly hold: boolean;
  };
  readonly tamperings: {
    readonly kinds: number;
    readonly found_here: number;
    readonly found_by_mjs: number;
    readonly found_by_py: number | null;
  };
  readonly holds: boolean;
  readonly seconds: number;
}

/** Runs it; `seconds` is how long decisions are written. */
export async function ledger({
  seconds = null,
  notice = () => {},
}: {
  seconds?: number | null;
  notice?: (line: string) => void;
}): Promise<LedgerBenchReport> {
  const begun = performance.now();
  const tamperings = await countFound();
  notice(`tampering: ${tamperings.found_here} of ${tamperings.kinds} found and located`);
  const proofs = proveAtAMillion();
  notice(`proofs at 1,000,000: ${proofs.inclusion_hashes} hashes, made in ${proofs.inclusion_made_ms} ms`);
  const verification = await measureVerification(100_000);
  notice(`verification: ${verification.entries_per_second} entries a second`);
  const appends = await measureAppends(seconds ?? 20);
  const { kinds, found_here, found_by_mjs, found_by_py } = tamperings;
  const isFound = [found_here, found_by_mjs, found_by_py ?? kinds].every((found) => found === kinds);
  return {
    ...{ appends, verification, proofs_at_a_million: proofs, tamperings },
    holds: isFound && proofs.hold && appends.is_verified && verification.entries_per_second >= leastPerSecond,
    seconds: Math.round((performance.now() - begun) / 1_000),
  };
}

async function countFound(): Promise<LedgerBenchReport["tamperings"]> {
  const { tamperings } = makeTamperings();
  const found = { here: 0, mjs: 0, py: 0 };
  let hasPython = true;
  for (const { handed, fault, seq } of tamperings) {
    const here = await checkHere(handed);
    const said = JSON.parse(here[0] ?? "{}");
    if (said.verified === false && said.fault === fault && said.seq === seq) found.here += 1;
    if ((await checkBy("verify.mjs", handed))?.lines.join() === here.join()) found.mjs += 1;
    const python = await checkBy("verify.py", handed);
    hasPython &&= python !== null;
    if (python?.lines.join() === here.join()) found.py += 1;
  }
  return {
    kinds: tamperings.length,
    ...{ found_here: found.here, found_by_mjs: found.mjs, found_by_py: hasPython ? found.py : null },
  };
}

function proveAtAMillion(): LedgerBenchReport["proofs_at_a_million"] {
  const leaves = Array.from({ length: millionSize }, (_, i) =>
    hash("sha256", bodyOf({ tenant: "acme", seq: i + 1, word: "replace" }), "buffer"),
  );
  const tree = growTree();
  const half = growTree();
  const [, treeMs] = timed(() => {
    for (const leaf of leaves) tree.append(leaf);
  });
  for (const leaf of leaves.slice(0, millionSize / 2 + 1)) half.append(leaf);
  const proofOf = (stretches: Parameters<typeof hashStretches>[0]) => {
    const hasher = hashStretches(stretches);
    for (const leaf of leaves) hasher.append(leaf);
    return hasher.hashes();
  };
  const index = 654_321;
  const [hashes, madeMs] = timed(() => proofOf(inclusionStretches({ index, size: millionSize })));
  const leaf = leaves[index] ?? Buffer.alloc(32);
  const inclusion = { leaf, index, size: millionSize, root: tree.root(), hashes };
  const rounds = 1_000;
  const [isIn, checkedMs] = timed(() => Array.from({ length: rounds }, () => isIncluded(inclusion)).every((one) => one));
  const between = proofOf(consistencyStretches({ from: half.size(), to: millionSize }));
  const continued = {
    from: { size: half.size(), root: half.root() },
    to: { size: millionSize, root: tree.root() },
    hashes: between,
  };
  return {
    ...{ inclusion_hashes: hashes.length, inclusion_bytes: hashes.length * 32, consistency_hashes: between.length },
    ...{ tree_ms: Math.round(treeMs), inclusion_made_ms: Math.round(madeMs) },
    inclusion_checked_us: Math.round((checkedMs / rounds) * 1_000),
    hold: isIn && isConsistent(continued),
  };
}

async function measureVerification(entries: number): Promise<LedgerBenchReport["verification"]> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-bench-export-"));
  try {
    const sample = makeSample({ count: entries, sizes: [entries] });
    const path = join(folder, "export.jsonl");
    const bytes = await writeLines(path, linesOfSample(sample));
    const check = () =>
      verifyExport({
        lines: linesOf(createReadStream(path, { highWaterMark: 1 << 20 })),
        keys: [readNoteKey(sample.noteKey)],
        given: [],
      });
    // The first run is that of a program that has just begun; it is not counted.
    await check();
    const cpu = process.cpuUsage();
    const begun = performance.now();
    const { isVerified } = await check();
    const tookMs = performance.now() - begun;
    const { user, system } = process.cpuUsage(cpu);
    if (!isVerified) throw new Error("an honest export does not verify");
    return {
      ...{ entries, bytes, entries_per_second: Math.round((entries / tookMs) * 1_000) },
      entries_per_cpu_second: Math.round((entries / (user + system)) * 1_000_000),
      verify_mjs_entries_per_second: (await rateOf("verify.mjs", { path, key: sample.noteKey, entries })) ?? 0,
      verify_py_entries_per_second: await rateOf("verify.py", { path, key: sample.noteKey, entries }),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** With the start of the program; `null` where this machine does not have it. */
async function rateOf(
  program: keyof typeof programs,
  { path, key, entries }: { path: string; key: string; entries: number },
): Promise<number | null> {
  const [command, script] = programs[program];
  const begun = performance.now();
  try {
    await promisify(execFile)(command, [script, path, "--key", key]);
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return null;
    throw thrown;
  }
  return Math.round((entries / (performance.now() - begun)) * 1_000);
}

async function writeLines(path: string, lines: readonly string[]): Promise<number> {
  const file = createWriteStream(path);
  for (const line of lines) if (!file.write(`${line}\n`)) await once(file, "drain");
  file.end();
  await once(file, "close");
  return file.bytesWritten;
}

function timed<T>(work: () => T): readonly [T, number] {
  const begun = performance.now();
  const done = work();
  return [done, performance.now() - begun];
}
