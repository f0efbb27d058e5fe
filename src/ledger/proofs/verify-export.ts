import { hash } from "node:crypto";
import { genesisHash, linkHash } from "../chain.ts";
import { believedCheckpoint } from "./believed-checkpoints.ts";
import { type EntryLine, type ExportHead, readLine } from "./export-form.ts";
import { type ExportFinding, type ExportVerified, finding } from "./finding.ts";
import { type GrowingTree, growTree } from "./merkle.ts";
import { readBody } from "./read-body.ts";
import type { NoteKey } from "./signed-note.ts";

/** An export to be checked: its lines without their newlines (`null` for one that cannot be one), the keys, checkpoints kept elsewhere. */
export interface ExportCheck {
  readonly lines: AsyncIterable<string | null>;
  readonly keys: readonly NoteKey[];
  /** Texts of checkpoints that whoever checks has from elsewhere. */
  readonly given: readonly string[];
}

/** Recomputes an export, chain and tree, in one pass, and names the first thing that is wrong. */
export async function verifyExport({ lines, keys, given }: ExportCheck): Promise<ExportVerified | ExportFinding> {
  const reader = readNumbered(lines);
  const first = await reader.next();
  const head = first === null ? unreadable({ number: 1, tenant: null }) : readKind(first, { kind: "export", tenant: null });
  if ("isVerified" in head) return head;
  const state = openState(head);
  for (const text of given) {
    const broken = addCheckpoint(state, { text, line: null, keys });
    if (broken !== null) return broken;
  }
  let line = await reader.next();
  for (; line !== null && isCheckpoint(line.text); line = await reader.next()) {
    const read = readKind(line, { kind: "checkpoint", tenant: head.tenant });
    const broken = "isVerified" in read ? read : addCheckpoint(state, { text: read.text, line: line.number, keys });
    if (broken !== null) return broken;
  }
  if (state.roots.size === 0) {
    const detail = "no checkpoint is in it and none was given, so nothing shows that it is whole and was not rewritten";
    return finding("no_checkpoint", { tenant: head.tenant, detail });
  }
  return (await checkEntries(state, { line, reader })) ?? end(state);
}

interface State {
  readonly head: ExportHead;
  readonly tree: GrowingTree;
  /** Roots of signed checkpoints by size. */
  readonly roots: Map<number, Buffer[]>;
  checkpoints: number;
  erasures: number;
  /** The largest size that a signed checkpoint covers. */
  largest: number;
  /** The largest size at which a checkpoint was found to hold. */
  covered: number;
  last: EntryLine | null;
  lastHash: Buffer;
}

function openState(head: ExportHead): State {
  return {
    head,
    tree: growTree(),
    roots: new Map(),
    checkpoints: 0,
    erasures: 0,
    largest: 0,
    covered: 0,
    last: null,
    lastHash: genesisHash,
  };
}

interface Numbered {
  readonly number: number;
  readonly text: string | null;
}

interface Reader {
  readonly next: () => Promise<Numbered | null>;
}

function readNumbered(lines: AsyncIterable<string | null>): Reader {
  const source = lines[Symbol.asyncIterator]();
  let number = 0;
  return {
    next: async () => {
      const { done, value } = await source.next();
      number += 1;
      return done === true ? null : { number, text: value };
    },
  };
}

type Kinds = { export: ExportHead; checkpoint: { readonly text: string }; entry: EntryLine };

function readKind<K extends keyof Kinds>(
  { number, text }: Numbered,
  { kind, tenant, seq = null }: { kind: K; tenant: string | null; seq?: number | null },
): Kinds[K] | ExportFinding {
  const line = text === null ? "line_unreadable" : readLine(text);
  if (line === "line_altered") {
    return finding(line, { tenant, line: number, seq, detail: `line ${number} is not written as an export writes it` });
  }
  if (line === "line_unreadable" || line.kind !== kind) return unreadable({ number, tenant, seq });
  // The kind was just compared, and each has one form.
  return line as Kinds[K];
}

function unreadable({
  number,
  tenant,
  seq = null,
}: {
  number: number;
  tenant: string | null;
  seq?: number | null;
}): ExportFinding {
  return finding("line_unreadable", { tenant, line: number, seq, detail: `line ${number} is not one of an export` });
}

function isCheckpoint(text: string | null): boolean {
  return text?.startsWith('{"kind":"checkpoint"') === true;
}

function addCheckpoint(
  state: State,
  { text, line, keys }: { text: string; line: number | null; keys: readonly NoteKey[] },
): ExportFinding | null {
  const { origin, tenant } = state.head;
  const checkpoint = believedCheckpoint({ text, line }, { keys, origin, tenant });
  if ("isVerified" in checkpoint) return checkpoint;
  const known = state.roots.get(checkpoint.size) ?? [];
  // Two that differ are enough to show that one of them does not hold.
  if (!known.some((root) => root.equals(checkpoint.root)))
    state.roots.set(checkpoint.size, [...known.slice(0, 1), checkpoint.root]);
  state.largest = Math.max(state.largest, checkpoint.size);
  state.checkpoints += 1;
  return null;
}

async function checkEntries(
  state: State,
  { line, reader }: { line: Numbered | null; reader: Reader },
): Promise<ExportFinding | null> {
  const { tenant, entries } = state.head;
  const atNone = checkRoots(state);
  if (atNone !== null) return atNone;
  for (let current = line; current !== null; ) {
    const seq = state.tree.size() + 1;
    const entry = readKind(current, { kind: "entry", tenant, seq });
    if ("isVerified" in entry) return entry;
    const next = await reader.next();
    const broken = checkEntry(state, { entry, line: current.number, next }) ?? checkRoots(state);
    if (broken !== null) return broken;
    if (seq > entries) {
      const detail = `the export says that it holds ${entries} entries, and another one follows`;
      return finding("seal_repeated", { tenant, line: current.number, seq, entryId: entry.entryId, detail });
    }
    current = next;
  }
  return null;
}

function checkEntry(
  state: State,
  { entry, line, next }: { entry: EntryLine; line: number; next: Numbered | null },
): ExportFinding | null {
  const { tenant } = state.head;
  const seq = state.tree.size() + 1;
  const at = { tenant, line, seq, entryId: entry.entryId };
  if (entry.seq > seq)
    return finding("seal_missing", { ...at, entryId: null, detail: `entry ${seq} is missing; the next one is ${entry.seq}` });
  if (entry.seq < seq) return finding("seal_repeated", { ...at, detail: `entry ${entry.seq} stands where ${seq} should` });
  const entryHash = hash("sha256", entry.body, "buffer");
  if (entryHash.toString("hex") !== entry.entryHash)
    return finding("entry_altered", { ...at, detail: "the bytes do not give the hash beside them" });
  const body = readBody(entry.body);
  if (body === null) return finding("entry_altered", { ...at, detail: "the bytes are not canonical JSON" });
  if (body.id !== entry.entryId || body.tenant !== tenant)
    return finding("entry_replaced", { ...at, detail: "the bytes are those of another entry or tenant" });
  return checkSeal(state, { entry, entryHash, line, next });
}

function checkSeal(
  state: State,
  { entry, entryHash, line, next }: { entry: EntryLine; entryHash: Buffer; line: number; next: Numbered | null },
): ExportFinding | null {
  const { tenant } = state.head;
  const { seq, entryId } = entry;
  const prevHash = Buffer.from(entry.prevHash, "hex");
  const sealHash = linkHash({ tenant, seq, entryId, prevHash, entryHash });
  const isOwn = sealHash.toString("hex") === entry.sealHash;
  if (!prevHash.equals(state.lastHash)) {
    const isBefore = state.last !== null && isFaultOfTheFirst({ first: state.last, second: entry, isOwn, next });
    const bad =
      isBefore && state.last !== null ? { seq: seq - 1, entryId: state.last.entryId, line: line - 1 } : { seq, entryId, line };
    return finding("chain_broken", { tenant, ...bad, detail: `seal ${seq} does not continue seal ${seq - 1}` });
  }
  if (!isOwn) return finding("seal_altered", { tenant, line, seq, entryId, detail: "the seal does not give the hash beside it" });
  state.tree.append(entryHash);
  // Within a text a quotation mark is escaped, so none can feign this.
  if (entry.body.includes('"kind":"erased"')) state.erasures += 1;
  state.last = entry;
  state.lastHash = sealHash;
  return null;
}

/**
 * Two seals do not fit: which one was altered? The first, if both say that they follow the same one, or if the second is whole and what
 * comes after it fits it. Where neither shows, the second, since up to it everything fitted.
 */
function isFaultOfTheFirst({
  first,
  second,
  isOwn,
  next,
}: {
  first: EntryLine;
  second: EntryLine;
  isOwn: boolean;
  next: Numbered | null;
}): boolean {
  if (second.prevHash === first.prevHash) return second.entryId !== first.entryId;
  if (!isOwn) return false;
  const third = next?.text == null ? null : readLine(next.text);
  return third === null || (typeof third !== "string" && third.kind === "entry" && third.prevHash === second.sealHash);
}

function checkRoots(state: State): ExportFinding | null {
  const { roots, tree, head, covered } = state;
  const size = tree.size();
  const signed = roots.get(size);
  if (signed === undefined) return null;
  const root = tree.root();
  if (signed.every((one) => one.equals(root))) {
    state.covered = size;
    return null;
  }
  const detail = `the entries after ${covered} up to ${size} are not those that the checkpoint of ${size} was signed over`;
  return finding("checkpoint_differs", { tenant: head.tenant, seq: covered + 1, detail });
}

function end({ head, tree, largest, covered, checkpoints, erasures }: State): ExportVerified | ExportFinding {
  const { tenant } = head;
  const entries = tree.size();
  const seq = entries + 1;
  if (largest > entries)
    return finding("tail_cut", { tenant, seq, detail: `the export ends at ${entries}; a checkpoint covers ${largest}` });
  if (head.entries > entries)
    return finding("tail_cut", { tenant, seq, detail: `the export ends at ${entries}; its first line says ${head.entries}` });
  return { isVerified: true, kind: "export", tenant, entries, covered, checkpoints, erasures };
}
