import { isCountersignError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { EntryKind, WriterRole } from "../contract/words.ts";
import { objectAt } from "./fields.ts";
import { parseBody, parseJson } from "./parse-entry.ts";
import type { PayloadKeys } from "./payload.ts";
import type { ReadEntry } from "./story.ts";

/** An entry as the database gives it, with its seal's place and its payload. */
export interface EntryRow {
  readonly id: string;
  readonly kind: EntryKind;
  readonly ts: string;
  readonly writer: WriterRole;
  readonly cause: string | null;
  readonly capability: string | null;
  readonly route: string | null;
  readonly effects: number | null;
  readonly body: string;
  readonly seq: string | null;
  readonly payload: Buffer | null;
  readonly has_payload: boolean;
}

/** What to do with an entry that cannot be read: who acts on it throws, who only shows it marks it. */
export type Unreadable = "throw" | "mark";

/** Opens an entry. Throws `payload_unreadable`, or marks the entry, which then has the facts of its columns alone. */
export function readEntry(reading: {
  readonly row: EntryRow;
  readonly tenant: string;
  readonly keys: PayloadKeys;
  readonly unreadable: Unreadable;
  /** Only these bodies are opened; all where it is left out. */
  readonly bodies?: readonly string[];
}): ReadEntry {
  const { row, tenant, keys, unreadable, bodies: wanted } = reading;
  const { id, kind, ts, writer, cause, seq, payload, has_payload, capability, route, effects } = row;
  const frame = { id, kind, ts: Number(ts), writer, cause, seq: seq === null ? null : Number(seq) };
  const open = (facts: JsonObject | null) => {
    if (payload === null || (wanted !== undefined && !commitsTo(facts, wanted))) return {};
    const all = keys.decrypt({ tenant, entryId: id, body: payload });
    const salted = wanted === undefined ? all : all.filter(({ name }) => wanted.includes(name));
    return Object.fromEntries(salted.map(({ name, text }) => [name, parseJson(text)]));
  };
  const body = readOr(unreadable, () => parseBody(row.body));
  const bodies = readOr(unreadable, () => open(body));
  const ofColumns: JsonObject = { capability, route, effects: effects ?? 0 };
  return {
    ...frame,
    body: body ?? ofColumns,
    bodies: bodies ?? {},
    isErased: has_payload && payload === null,
    isUnreadable: body === null || bodies === null,
  };
}

/** Says whether an entry holds one of these bodies. What it commits to is what there is; a body beside that would have no digest. */
function commitsTo(facts: JsonObject | null, wanted: readonly string[]): boolean {
  const commitments = objectAt(facts ?? {}, "commitments") ?? {};
  return wanted.some((name) => Object.hasOwn(commitments, name));
}

/** What was read; `null` for something that cannot be read where that is only marked. */
export function readOr<T>(unreadable: Unreadable, read: () => T): T | null {
  try {
    return read();
  } catch (thrown) {
    if (unreadable === "mark" && isCountersignError(thrown, "payload_unreadable")) return null;
    throw thrown;
  }
}
