import { hash } from "node:crypto";
import { sql } from "kysely";
import type { EntryDraft, WrittenEntry } from "../contract/entry.ts";
import { CountersignError } from "../contract/errors.ts";
import { canonicalJson, type Json, type JsonObject } from "../contract/json.ts";
import type { Tx } from "../store/database.ts";
import { endWaiting } from "./lists.ts";
import { commitmentOf, type PayloadKeys, type SaltedBody } from "./payload.ts";
import { pooledRandom, type RandomBytes } from "./random.ts";

/** An entry ready to be stored: its bytes, their hash, the columns beside them and the encrypted payload. */
export interface BuiltEntry extends WrittenEntry {
  readonly columns: EntryColumns;
  /** `null` where the entry has no bodies. */
  readonly payload: Buffer | null;
}

/** The query columns that stand beside the bytes. They repeat the bytes; `verify` compares the two. */
export interface EntryColumns {
  readonly tenant: string;
  readonly kind: string;
  readonly decisionId: string | null;
  readonly cause: string | null;
  readonly capability: string | null;
  readonly route: string | null;
  /** How many effects the proposal of a decision holds; 0 for every other kind. */
  readonly effects: number;
  readonly ts: number;
  readonly writer: string;
}

/** Writes entries with their payloads in the caller's own transaction, in the order given; what they answer waits no more. */
export async function writeEntries({
  tx,
  drafts,
  keys,
  random = pooledRandom(),
}: {
  tx: Tx;
  drafts: readonly EntryDraft[];
  keys: PayloadKeys;
  random?: RandomBytes;
}): Promise<WrittenEntry[]> {
  const built = drafts.map((draft) => buildEntry({ draft, keys, random }));
  if (built.length === 0) return [];
  await insertEntries(tx, built);
  await endWaiting(tx, drafts);
  return built.map(({ id, bytes, hash }) => ({ id, bytes, hash }));
}

/** Builds an entry's canonical bytes, hash and payload. Throws `unserialisable` for what JSON would lose and for a fraction. */
export function buildEntry({ draft, keys, random }: { draft: EntryDraft; keys: PayloadKeys; random: RandomBytes }): BuiltEntry {
  const bodies = saltedBodies(draft.bodies, random);
  const body = bodyOf(draft, bodies);
  const bytes = canonicalJson(body);
  const payload = bodies.length === 0 ? null : keys.encrypt({ tenant: draft.tenant, entryId: draft.id, bodies });
  return { id: draft.id, bytes, hash: hash("sha256", bytes, "hex"), columns: columnsOf(body), payload };
}

/** The columns that belong to an entry's body, as they must stand beside it. */
export function columnsOf(body: JsonObject): EntryColumns {
  return {
    tenant: String(body["tenant"]),
    kind: String(body["kind"]),
    decisionId: textOrNull(body["decisionId"]),
    cause: textOrNull(body["cause"]),
    capability: textOrNull(body["capability"]),
    route: textOrNull(body["route"]),
    effects: typeof body["effects"] === "number" ? body["effects"] : 0,
    ts: Number(body["ts"]),
    writer: String(body["writer"]),
  };
}

function saltedBodies(bodies: EntryDraft["bodies"], random: RandomBytes): SaltedBody[] {
  return Object.keys(bodies)
    .sort()
    .map((name) => ({ name, salt: random(16).toString("hex"), text: canonicalJson(bodies[name]) }));
}

const ownFields = new Set(["v", "id", "tenant", "kind", "ts", "writer", "decisionId", "cause", "commitments"]);

function bodyOf(draft: EntryDraft, bodies: readonly SaltedBody[]): JsonObject {
  for (const name of Object.keys(draft.facts)) {
    if (ownFields.has(name))
      throw new CountersignError("internal", `the fact \`${name}\` has the name of a field that every entry has`);
    refuseFractions(draft.facts[name], name);
  }
  const { id, tenant, kind, ts, writer, decisionId, cause } = draft;
  refuseFractions(ts, "ts");
  const commitments: { [name: string]: Json } = {};
  for (const body of bodies) commitments[body.name] = commitmentOf(body);
  return mergedInOrder({ cause, commitments, decisionId, id, kind, tenant, ts, v: 1, writer }, draft.facts);
}

/** Merges two records whose names stand in canonical order into one that keeps it; a record out of order is only slower to write. */
function mergedInOrder(one: JsonObject, other: JsonObject): JsonObject {
  const merged: { [name: string]: Json } = {};
  const [ones, others] = [Object.keys(one), Object.keys(other)];
  let i = 0;
  for (const name of others) {
    while (i < ones.length && (ones[i] as string) < name) add(merged, ones[i++] as string, one); // within the bounds of the list
    add(merged, name, other);
  }
  while (i < ones.length) add(merged, ones[i++] as string, one); // within the bounds of the list
  return merged;
}

function add(merged: { [name: string]: Json }, name: string, from: JsonObject): void {
  const value = from[name];
  if (value !== undefined) merged[name] = value;
}

// Invariant: an entry holds no floats. Two programs may write the same float differently; integers they cannot.
function refuseFractions(value: Json | undefined, path: string): void {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new CountersignError(
      "unserialisable",
      `\`${path}\` of an entry is not an integer; use parts per million or micro-units`,
      {
        facts: { path },
      },
    );
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) refuseFractions(member, `${path}/${name}`);
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

// Columns come joined by newline, which canonical JSON, ids and words do not hold: one call for a group of any size, and the fastest
// form that was measured (see migrations/0005_journal.sql). The order of the drafts is that of `n`.
async function insertEntries(tx: Tx, built: readonly BuiltEntry[]): Promise<void> {
  const column = (of: (entry: BuiltEntry) => string | number | null): string => built.map((entry) => of(entry) ?? "").join("\n");
  const hashes = Buffer.concat(built.map((entry) => Buffer.from(entry.hash, "hex")));
  const payloads = built.map(({ payload }) => payload ?? noPayload);
  let next = 1;
  const starts = payloads.map(({ length }) => {
    next += length;
    return next - length;
  });
  await sql`
    select countersign.write_entries(${column(({ columns }) => columns.tenant)}, ${column(({ id }) => id)},
      ${column(({ columns }) => columns.kind)}, ${column(({ columns }) => columns.decisionId)}, ${column(({ columns }) => columns.cause)},
      ${column(({ columns }) => columns.capability)}, ${column(({ columns }) => columns.route)}, ${column(({ columns }) => columns.effects)},
      ${column(({ columns }) => columns.ts)}, ${column(({ bytes }) => bytes)}, ${hashes}, ${starts.join("\n")},
      ${payloads.map(({ length }) => length).join("\n")}, ${Buffer.concat(payloads)})`.execute(tx);
}

const noPayload = Buffer.alloc(0);
