import { hash } from "node:crypto";
import type { Json, JsonObject } from "../contract/json.ts";
import { columnsOf } from "./entries.ts";
import { commitmentOf, type PayloadKeys, type SaltedBody } from "./payload.ts";

/** What can be wrong with a ledger; a closed list. */
export type Fault =
  | "seal_missing"
  | "chain_broken"
  | "entry_missing"
  | "entry_altered"
  | "entry_replaced"
  | "column_altered"
  | "payload_missing"
  | "payload_altered"
  | "entry_not_sealed"
  | "tail_cut"
  | "head_differs"
  | "head_missing"
  | "checkpoint_differs"
  | "checkpoint_invalid";

/** One fault in words; `null` in its place means that nothing is wrong. */
export interface Finding {
  readonly fault: Fault;
  readonly detail: string;
}

/** An entry as it stands in the tables, columns and bytes. */
export interface StoredEntry {
  readonly id: string;
  readonly tenant: string;
  readonly kind: string;
  readonly decision_id: string | null;
  readonly cause: string | null;
  readonly capability: string | null;
  readonly route: string | null;
  readonly effects: number;
  readonly ts: string;
  readonly writer: string;
  readonly body: string;
  readonly hash: Buffer;
  /** Whether a payload row is there, and what it holds: `null` once erased. */
  readonly has_payload: boolean;
  readonly payload: Buffer | null;
}

/**
 * Checks an entry against its own bytes: their hash, the columns beside them, and the payload that they commit to. Bodies that later
 * entries say to be erased may be gone from it.
 */
export function checkEntry(entry: StoredEntry, keys: PayloadKeys | null, erased: readonly string[] = []): Finding | null {
  if (hash("sha256", entry.body, "hex") !== entry.hash.toString("hex")) {
    return { fault: "entry_altered", detail: "the bytes do not give the hash beside them" };
  }
  const body = parse(entry.body);
  if (body === null) return { fault: "entry_altered", detail: "the bytes are not a JSON object" };
  return checkColumns(entry, body) ?? checkPayload({ entry, body, keys, erased });
}

function checkColumns(entry: StoredEntry, body: JsonObject): Finding | null {
  const told = columnsOf(body);
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ["id", entry.id, body["id"]],
    ["tenant", entry.tenant, told.tenant],
    ["kind", entry.kind, told.kind],
    ["decision_id", entry.decision_id, told.decisionId],
    ["cause", entry.cause, told.cause],
    ["capability", entry.capability, told.capability],
    ["route", entry.route, told.route],
    ["effects", entry.effects, told.effects],
    ["ts", Number(entry.ts), told.ts],
    ["writer", entry.writer, told.writer],
  ];
  const wrong = pairs.find(([, column, inBytes]) => column !== inBytes);
  return wrong === undefined
    ? null
    : { fault: "column_altered", detail: `the column \`${wrong[0]}\` does not say what the bytes say` };
}

function checkPayload({
  entry,
  body,
  keys,
  erased,
}: {
  entry: StoredEntry;
  body: JsonObject;
  keys: PayloadKeys | null;
  erased: readonly string[];
}): Finding | null {
  const commitments = objectOf(body["commitments"]);
  const names = Object.keys(commitments);
  if (names.length === 0) return entry.has_payload ? altered("a payload stands beside an entry that commits to none") : null;
  if (!entry.has_payload)
    return { fault: "payload_missing", detail: "the entry commits to a payload that is gone and was not erased" };
  // Erased: the commitments stay, and say what was there to whoever still has it.
  if (entry.payload === null || keys === null) return null;
  const bodies = readable({ entry, payload: entry.payload, keys });
  if (bodies === null) return altered("the payload does not decrypt with the tenant's key");
  const held = new Set(bodies.map(({ name }) => name));
  if (held.size !== bodies.length || names.some((name) => !held.has(name) && !erased.includes(name)))
    return altered("the payload does not hold the bodies that the entry commits to");
  const wrong = bodies.find((one) => commitmentOf(one) !== commitments[one.name]);
  return wrong === undefined ? null : altered(`the body \`${wrong.name}\` does not give its commitment`);
}

function readable({
  entry,
  payload,
  keys,
}: {
  entry: StoredEntry;
  payload: Buffer;
  keys: PayloadKeys;
}): readonly SaltedBody[] | null {
  try {
    return keys.decrypt({ tenant: entry.tenant, entryId: entry.id, body: payload });
  } catch {
    return null;
  }
}

function altered(detail: string): Finding {
  return { fault: "payload_altered", detail };
}

function parse(bytes: string): JsonObject | null {
  try {
    // `JSON.parse` returns plain JSON; that it is an object is checked.
    const value = JSON.parse(bytes) as Json;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? objectOf(value) : null;
  } catch {
    return null;
  }
}

function objectOf(value: Json | undefined): JsonObject {
  // Narrowed: arrays and scalars are refused, what is left is a plain object.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
