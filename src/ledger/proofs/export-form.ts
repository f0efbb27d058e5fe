import { isKeepableText } from "../../contract/json.ts";

/** The first line of an export: whose ledger it is and how many entries follow. */
export interface ExportHead {
  readonly kind: "export";
  readonly tenant: string;
  /** Under which its checkpoints are signed; it ends in a slash and the tenant's id. */
  readonly origin: string;
  readonly entries: number;
}

/** A checkpoint in an export. They stand before the entries, so that one pass compares them all. */
export interface CheckpointLine {
  readonly kind: "checkpoint";
  readonly text: string;
}

/** An entry in an export: its stored bytes and its seal. Hashes are in hex. */
export interface EntryLine {
  readonly kind: "entry";
  readonly seq: number;
  readonly entryId: string;
  readonly prevHash: string;
  readonly entryHash: string;
  /** What the next seal continues. */
  readonly sealHash: string;
  /** The entry's canonical bytes. */
  readonly body: string;
}

export type ExportLine = ExportHead | CheckpointLine | EntryLine;

/** A proof that one entry stands in the tree of a checkpoint; enough to check it without the ledger. */
export interface InclusionBundle {
  readonly kind: "inclusion";
  readonly tenant: string;
  readonly entryId: string;
  readonly body: string;
  /** The entry's place, counted from 0: its `seq` less one. */
  readonly index: number;
  readonly hashes: readonly string[];
  readonly checkpoint: string;
}

/** A proof that one checkpoint continues another. */
export interface ConsistencyBundle {
  readonly kind: "consistency";
  readonly from: string;
  readonly to: string;
  readonly hashes: readonly string[];
}

export type Bundle = InclusionBundle | ConsistencyBundle;

/** The one spelling of a line or a bundle, without the newline: members in this order, no spaces. */
export function textOf(one: ExportLine | Bundle): string {
  switch (one.kind) {
    case "export":
      return JSON.stringify({ kind: one.kind, v: 1, tenant: one.tenant, origin: one.origin, entries: one.entries });
    case "checkpoint":
      return JSON.stringify({ kind: one.kind, text: one.text });
    case "entry": {
      const { kind, seq, entryId, prevHash, entryHash, sealHash, body } = one;
      return JSON.stringify({ kind, seq, entryId, prevHash, entryHash, sealHash, body });
    }
    case "inclusion": {
      const { kind, tenant, entryId, body, index, hashes, checkpoint } = one;
      return JSON.stringify({ kind, v: 1, tenant, entryId, body, index, hashes, checkpoint });
    }
    case "consistency":
      return JSON.stringify({ kind: one.kind, v: 1, from: one.from, to: one.to, hashes: one.hashes });
  }
}

/** What a line that cannot be used is: no line of an export at all, or one that is not spelled as exports are. */
export type LineFault = "line_unreadable" | "line_altered";

/** Reads one line in its one spelling: reordered, repeated or missing members and other spellings of numbers are no accident. */
export function readLine(text: string): ExportLine | Bundle | LineFault {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return "line_unreadable";
  }
  if (typeof given !== "object" || given === null || !("kind" in given) || typeof given.kind !== "string")
    return "line_unreadable";
  // An object of JSON, whose members are looked at one by one.
  const line = forms[given.kind]?.(given as Given);
  if (line === undefined) return "line_unreadable";
  return line !== null && (isPlainEntry(line, text) || textOf(line) === text) ? line : "line_altered";
}

/**
 * Whether a line is an entry's in its one spelling, seen without writing it again, which takes longer than all else: it begins as it must, and
 * in the string that ends it nothing is escaped but quotes and backslashes. A member more would make the line longer than the body explains.
 */
function isPlainEntry(line: ExportLine | Bundle, text: string): boolean {
  if (line.kind !== "entry") return false;
  const { seq, entryId, prevHash, entryHash, sealHash, body } = line;
  const start = `{"kind":"entry","seq":${seq},"entryId":"${entryId}","prevHash":"${prevHash}","entryHash":"${entryHash}","sealHash":"${sealHash}","body":"`;
  if (!text.startsWith(start) || !text.endsWith('"}')) return false;
  let escapes = 0;
  for (let at = text.indexOf("\\", start.length); at !== -1; at = text.indexOf("\\", at + 2)) {
    const escaped = text.charCodeAt(at + 1);
    if (escaped !== quote && escaped !== backslash) return false;
    escapes += 1;
  }
  return text.length === start.length + body.length + escapes + 2;
}

const [quote, backslash] = [0x22, 0x5c];

type Given = Readonly<Record<string, unknown>>;

// A map without a prototype, so that no name reaches one.
const forms: Readonly<Record<string, (given: Given) => ExportLine | Bundle | null>> = Object.assign(Object.create(null), {
  export: ({ tenant, origin, entries }: Given): ExportHead | null =>
    isText(tenant) && isText(origin) && isCount(entries) && origin.endsWith(`/${tenant}`)
      ? { kind: "export", tenant, origin, entries }
      : null,
  checkpoint: ({ text }: Given): CheckpointLine | null => (isText(text) ? { kind: "checkpoint", text } : null),
  entry: ({ seq, entryId, prevHash, entryHash, sealHash, body }: Given): EntryLine | null =>
    isCount(seq) && isId(entryId) && isHash(prevHash) && isHash(entryHash) && isHash(sealHash) && isText(body)
      ? { kind: "entry", seq, entryId, prevHash, entryHash, sealHash, body }
      : null,
  inclusion: ({ tenant, entryId, body, index, hashes, checkpoint }: Given): InclusionBundle | null =>
    isText(tenant) && isId(entryId) && isText(body) && isCount(index) && isHashes(hashes) && isText(checkpoint)
      ? { kind: "inclusion", tenant, entryId, body, index, hashes, checkpoint }
      : null,
  consistency: ({ from, to, hashes }: Given): ConsistencyBundle | null =>
    isText(from) && isText(to) && isHashes(hashes) ? { kind: "consistency", from, to, hashes } : null,
});

function isText(value: unknown): value is string {
  return typeof value === "string" && isKeepableText(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isId(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value);
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && value.length === 64 && /^[0-9a-f]+$/.test(value);
}

/** A path in a tree of 2^53 leaves has at most 54 hashes; no proof needs more than twice as many. */
function isHashes(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= 108 && value.every(isHash);
}
