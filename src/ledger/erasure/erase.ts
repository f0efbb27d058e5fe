// Erases bodies. What is committed to them stays, so the ledger stays valid; each erasure is an entry. Nothing is erased while something
// that was begun may still need it: whoever is turned away comes again.
import { sql } from "kysely";
import type { EntryDraft } from "../../contract/entry.ts";
import { isCountersignError } from "../../contract/errors.ts";
import type { Ids } from "../../contract/ports.ts";
import type { Tx } from "../../store/database.ts";
import { writeEntries } from "../entries.ts";
import type { PayloadKeys, SaltedBody } from "../payload.ts";
import { busyDecisions, type WaitsFor } from "./busy.ts";

/** What of a decision is erased: its inputs alone, or everything that is encrypted. */
export type ErasedPart = "inputs" | "payload";

/** The bodies of an outcome that hold what was asked with. */
const inputBodies: readonly string[] = ["attributes", "given", "inputs", "received"];

/** One erasure that is due. */
export interface Erasing {
  readonly decisionId: string;
  readonly part: ErasedPart;
  readonly why: "retention" | "request";
  /** In words, of a request; it goes into the entry's own payload. */
  readonly reason: string | null;
}

/** What erases. */
export interface Eraser {
  readonly tx: Tx;
  readonly tenant: string;
  readonly keys: PayloadKeys;
  readonly ids: Ids;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly now: number;
}

/** What became of a group: the decisions that were left, each with what it waits for, and how many entries say that something is gone. */
export interface Erased {
  readonly left: ReadonlyMap<string, WaitsFor>;
  readonly erased: number;
}

/** Erases a group in the caller's transaction. Of a decision that has nothing left to erase nothing is written. */
export async function eraseBodies(group: readonly Erasing[], eraser: Eraser): Promise<Erased> {
  const decisionIds = group.map(({ decisionId }) => decisionId);
  const ofDays = group.filter(({ why, part }) => why === "retention" && part === "payload");
  const forReview = ofDays.map(({ decisionId }) => decisionId);
  const left = new Map(await busyDecisions({ ...eraser, decisionIds, forReview }));
  const free = group.filter(({ decisionId }) => !left.has(decisionId));
  const whole = free.filter(({ part }) => part === "payload");
  // Of what goes as a whole no part is left.
  const parts = free.filter((one) => one.part === "inputs" && !whole.some(({ decisionId }) => decisionId === one.decisionId));
  const payloads = await erasePayloads(whole, eraser);
  const inputs = await eraseInputs(parts, eraser);
  for (const decisionId of inputs.unreadable) left.set(decisionId, "unreadable");
  return { left, erased: payloads + inputs.erased };
}

async function erasePayloads(group: readonly Erasing[], eraser: Eraser): Promise<number> {
  const { tx, tenant } = eraser;
  const entries = await readEntries(eraser, group);
  const kept = new Set((await lockKept(eraser, entries)).map(({ entry_id }) => entry_id));
  const drafts = group.flatMap((one): EntryDraft[] => {
    const ours = entries.filter(({ decision_id }) => decision_id === one.decisionId);
    const cause = ours.find(isOutcome)?.id;
    const gone = ours.filter(({ id }) => kept.has(id)).map(({ id }) => id);
    return cause === undefined || gone.length === 0 ? [] : [draftOf({ one, cause, facts: { entries: gone } }, eraser)];
  });
  await writeEntries({ tx, drafts, keys: eraser.keys });
  await sql`
    update countersign.payload set body = null, erased_at = clock_timestamp()
    where tenant = ${tenant} and entry_id = any (${[...kept]}::uuid[])`.execute(tx);
  return drafts.length;
}

/** The inputs stand in the outcome's payload alone; the rest of it is encrypted anew. */
async function eraseInputs(
  group: readonly Erasing[],
  eraser: Eraser,
): Promise<{ readonly erased: number; readonly unreadable: readonly string[] }> {
  const outcomes = (await readEntries(eraser, group)).filter(isOutcome);
  const drafts: EntryDraft[] = [];
  const shortened: { readonly id: string; readonly body: Buffer }[] = [];
  const unreadable: string[] = [];
  for (const { entry_id: id, body } of await lockKept(eraser, outcomes)) {
    const decisionId = outcomes.find((one) => one.id === id)?.decision_id;
    const one = group.find((each) => each.decisionId === decisionId);
    if (one === undefined) continue;
    const bodies = readable({ tenant: eraser.tenant, entryId: id, body }, eraser.keys);
    if (bodies === null) unreadable.push(one.decisionId);
    const gone = (bodies ?? []).filter(({ name }) => inputBodies.includes(name)).map(({ name }) => name);
    if (bodies === null || gone.length === 0) continue;
    const rest = bodies.filter(({ name }) => !inputBodies.includes(name));
    drafts.push(draftOf({ one, cause: id, facts: { bodies: gone, entries: [id] } }, eraser));
    shortened.push({ id, body: eraser.keys.encrypt({ tenant: eraser.tenant, entryId: id, bodies: rest }) });
  }
  // The entries come first: without them the database lets no payload be shortened.
  await writeEntries({ tx: eraser.tx, drafts, keys: eraser.keys });
  await shorten(shortened, eraser);
  return { erased: drafts.length, unreadable };
}

async function shorten(payloads: readonly { id: string; body: Buffer }[], { tx, tenant }: Eraser): Promise<void> {
  if (payloads.length === 0) return;
  await sql`
    update countersign.payload set body = made.body
    from unnest(${payloads.map(({ id }) => id)}::uuid[], ${payloads.map(({ body }) => body)}::bytea[]) as made (id, body)
    where payload.tenant = ${tenant} and payload.entry_id = made.id`.execute(tx);
}

interface EntryRow {
  readonly id: string;
  readonly decision_id: string;
  readonly kind: string;
}

function isOutcome({ kind }: EntryRow): boolean {
  return kind === "decided" || kind === "stopped";
}

// An array of ids and no join on them, in two branches: each kind of entry has an index of its own.
async function readEntries({ tx, tenant }: Eraser, group: readonly Erasing[]): Promise<readonly EntryRow[]> {
  if (group.length === 0) return [];
  const decisionIds = [...new Set(group.map(({ decisionId }) => decisionId))];
  const { rows } = await sql<EntryRow>`
    select id, decision_id, kind from countersign.entry
    where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[]) and kind in ('decided', 'stopped')
    union all
    select id, decision_id, kind from countersign.entry
    where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[]) and kind not in ('decided', 'stopped') and kind <> 'erased'`.execute(
    tx,
  );
  return rows;
}

// In one order, so that two that erase wait for each other and do not block each other.
async function lockKept(
  { tx, tenant }: Eraser,
  entries: readonly EntryRow[],
): Promise<readonly { entry_id: string; body: Buffer }[]> {
  if (entries.length === 0) return [];
  const { rows } = await sql<{ entry_id: string; body: Buffer }>`
    select entry_id, body from countersign.payload
    where tenant = ${tenant} and entry_id = any (${entries.map(({ id }) => id)}::uuid[]) and body is not null
    order by entry_id for update`.execute(tx);
  return rows;
}

function readable(payload: { tenant: string; entryId: string; body: Buffer }, keys: PayloadKeys): readonly SaltedBody[] | null {
  try {
    return keys.decrypt(payload);
  } catch (thrown) {
    if (isCountersignError(thrown, "payload_unreadable")) return null;
    throw thrown;
  }
}

function draftOf(
  { one, cause, facts }: { one: Erasing; cause: string; facts: EntryDraft["facts"] },
  { tenant, ids, now }: Eraser,
): EntryDraft {
  return {
    ...{ id: ids.next(), tenant, kind: "erased", ts: now, writer: "acting", decisionId: one.decisionId, cause },
    facts: { ...facts, part: one.part, why: one.why },
    bodies: one.reason === null ? {} : { reason: one.reason },
  };
}
