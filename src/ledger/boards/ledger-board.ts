import { CountersignError } from "../../contract/errors.ts";
import type { CheckpointView, InclusionProof, LedgerEntryView, LedgerLine, LedgerState } from "../../contract/ledger-view.ts";
import type { ReadPage } from "../../contract/page.ts";
import type { Door } from "../../contract/permitted.ts";
import type { SightOf } from "../../contract/ports.ts";
import type { Principal } from "../../contract/principal.ts";
import type { EntryKind } from "../../contract/words.ts";
import type { Database, Tx } from "../../store/database.ts";
import { isId } from "../../store/ids.ts";
import type { StoreTime } from "../../store/time.ts";
import type { PayloadKeys } from "../payload.ts";
import { readCheckpoint } from "../proofs/checkpoint.ts";
import { textOf } from "../proofs/export-form.ts";
import { proveInclusion } from "../proofs/ledger-tree.ts";
import { readNoteKey } from "../proofs/signed-note.ts";
import { readEntry } from "../read-entry.ts";
import { storyOf } from "../told.ts";
import { createTurnstile } from "../turnstile.ts";
import { ledgerEntry, ledgerLine } from "./ledger-line.ts";
import {
  type LedgerQuestion,
  type LedgerRow,
  placeAt,
  placesOf,
  readLastSeal,
  readLedgerRow,
  readSealedRows,
  readUnsealedRows,
} from "./ledger-rows.ts";
import { readCheckpointView, readLedgerState } from "./ledger-state.ts";
import { readSeenStories, type SeenStory } from "./seen-stories.ts";

/** Which entries are listed. Times are those of sealing, in milliseconds since the epoch. */
interface EntriesAsked {
  readonly principal: Principal;
  readonly kind?: EntryKind | null;
  readonly writer?: LedgerLine["writer"] | null;
  readonly decision?: string | null;
  readonly from?: number | null;
  readonly before?: number | null;
  readonly limit: number;
  readonly after?: number | null;
}

/** What people are told of the ledger; `forbidden` for whoever that board is not open to. */
export interface LedgerBoard {
  /** Whether it holds, as far as was checked; it says so of all entries, whoever may see them. */
  readonly ledger: (asking: { principal: Principal }) => Promise<LedgerState>;
  /** Sealed entries, newest first, as far as this principal may see their decisions. A page may hold fewer than were asked for. */
  readonly ledgerEntries: (asking: EntriesAsked) => Promise<ReadPage<LedgerLine, [number]>>;
  /** Entries that wait for their seal, oldest first, at most 200. */
  readonly unsealedEntries: (asking: { principal: Principal }) => Promise<readonly LedgerLine[]>;
  /** One entry; `not_found` where it does not exist or this principal may not see its decision. */
  readonly ledgerEntry: (asking: { principal: Principal; id: string }) => Promise<LedgerEntryView>;
  /** The newest signed checkpoint; `not_found` where none was signed. */
  readonly checkpoint: (asking: { principal: Principal }) => Promise<CheckpointView>;
  /** A proof that an entry stands in it; `not_found` as for `ledgerEntry`, and where it was sealed after it; `ledger_broken`. */
  readonly proof: (asking: { principal: Principal; entry: string }) => Promise<InclusionProof>;
}

/** What the board is made from. `audits` says whether somebody reads entries of no decision, such as of slices. */
export interface LedgerBoardParts {
  readonly database: Database;
  readonly keys: PayloadKeys;
  readonly sightOf: SightOf;
  readonly audits: (principal: Principal) => boolean;
  readonly door: Door;
  readonly storeTime: StoreTime;
}

/** How many places of the chain one page looks through: what is rare is found over several pages, each as quick as any other. */
const mostLookedThrough = 20_000;
const mostUnsealed = 200;

/** Opens the board. */
export function ledgerBoard(parts: LedgerBoardParts): LedgerBoard {
  const { database, door, storeTime } = parts;
  // A proof walks the whole chain: one at a time leaves the desk to everybody else.
  const proofs = createTurnstile(1);
  const checkpoint = async (principal: Principal): Promise<CheckpointView> => {
    const found = await database.inSnapshot(principal.tenant, (tx) => readCheckpointView(tx, principal.tenant));
    if (found !== null) return found;
    throw new CountersignError(
      "not_found",
      "no checkpoint of this ledger was signed yet; a worker with the ledger's key signs them",
    );
  };
  return {
    ledger: async ({ principal }) => {
      door(principal);
      const { tenant } = principal;
      return database.inSnapshot(tenant, async (tx) => readLedgerState(tx, { tenant, now: await storeTime(tx) }));
    },
    ledgerEntries: async (asking) => {
      door(asking.principal);
      return database.inSnapshot(asking.principal.tenant, (tx) => readPage(tx, parts, asking));
    },
    unsealedEntries: async ({ principal }) => {
      door(principal);
      return database.inSnapshot(principal.tenant, async (tx) => {
        const rows = await readUnsealedRows(tx, { tenant: principal.tenant, limit: mostUnsealed });
        return (await seenOf(tx, parts, { principal, rows })).map(({ row, seen }) => ledgerLine(row, seen));
      });
    },
    ledgerEntry: async ({ principal, id }) => {
      door(principal);
      return database.inSnapshot(principal.tenant, (tx) => readOne(tx, parts, { principal, id }));
    },
    checkpoint: async ({ principal }) => {
      door(principal);
      return checkpoint(principal);
    },
    proof: async ({ principal, entry }) => {
      door(principal);
      const { tenant } = principal;
      const { id: entryId } = await database.inSnapshot(tenant, (tx) => readOne(tx, parts, { principal, id: entry }));
      const { text, noteKey } = await checkpoint(principal);
      const signed = readCheckpoint(text, [readNoteKey(noteKey)]);
      if (typeof signed === "string")
        throw new CountersignError("ledger_broken", `the newest checkpoint cannot be believed: ${signed}`, { facts: { tenant } });
      const bundle = await proofs.pass(() => proveInclusion({ database, tenant }, { entryId, checkpoint: signed, text }));
      // The one spelling of a proof, which verifiers hold it to, members in their order.
      return JSON.parse(textOf(bundle)) as InclusionProof;
    },
  };
}

async function readPage(tx: Tx, parts: LedgerBoardParts, asking: EntriesAsked): Promise<ReadPage<LedgerLine, [number]>> {
  const { principal, limit } = asking;
  const range = await rangeOf(tx, asking);
  if (range === null || range.before <= range.from) return { items: [], last: null };
  const from = Math.max(range.from, range.before - mostLookedThrough);
  const { kind = null, writer = null, decision: decisionId = null } = asking;
  const question: LedgerQuestion = {
    tenant: principal.tenant,
    kind,
    writer,
    decisionId,
    from,
    before: range.before,
    limit: limit + 1,
  };
  const rows = await readSealedRows(tx, question);
  const page = rows.slice(0, limit);
  const items = (await seenOf(tx, parts, { principal, rows: page })).map(({ row, seen }) => ledgerLine(row, seen));
  if (rows.length > limit) return { items, last: [Number(page.at(-1)?.seq)] };
  return { items, last: from > range.from ? [from] : null };
}

/** The places that are asked for: from the first, to before the last. */
async function rangeOf(tx: Tx, asking: EntriesAsked): Promise<{ readonly from: number; readonly before: number } | null> {
  const { principal, decision = null, from: fromAt = null, before: beforeAt = null, after = null } = asking;
  const { tenant } = principal;
  const head = (await readLastSeal(tx, tenant))?.seq ?? 0;
  const own =
    decision === null
      ? { from: 1, before: head + 1 }
      : isId(decision)
        ? await placesOf(tx, { tenant, decisionId: decision })
        : null;
  if (own === null) return null;
  const from = fromAt === null ? own.from : Math.max(own.from, await placeAt(tx, { tenant, at: fromAt, head }));
  const before = beforeAt === null ? own.before : Math.min(own.before, await placeAt(tx, { tenant, at: beforeAt, head }));
  return { from, before: after === null ? before : Math.min(before, after) };
}

interface SeenRow {
  readonly row: LedgerRow;
  readonly seen: SeenStory | null;
}

/** The rows that a principal may see: those of decisions that are open to them, and those of none to whoever audits. */
async function seenOf(
  tx: Tx,
  { keys, sightOf, audits }: LedgerBoardParts,
  { principal, rows }: { principal: Principal; rows: readonly LedgerRow[] },
): Promise<readonly SeenRow[]> {
  const decisionIds = rows.flatMap((row) => row.decision_id ?? []);
  const stories = await readSeenStories(tx, { principal, keys, sightOf, decisionIds });
  const isAuditor = audits(principal);
  return rows.flatMap((row): readonly SeenRow[] => {
    if (row.decision_id === null) return isAuditor ? [{ row, seen: null }] : [];
    const seen = stories.get(row.decision_id);
    return seen === undefined ? [] : [{ row, seen }];
  });
}

async function readOne(
  tx: Tx,
  parts: LedgerBoardParts,
  { principal, id }: { principal: Principal; id: string },
): Promise<LedgerEntryView> {
  const { tenant } = principal;
  const row = isId(id) ? await readLedgerRow(tx, { tenant, id }) : null;
  const [one] = row === null ? [] : await seenOf(tx, parts, { principal, rows: [row] });
  if (one === undefined) throw new CountersignError("not_found", "no entry of that id is open to you");
  const { seen } = one;
  return ledgerEntry(one.row, { seen, told: toldOf(one, { tenant, keys: parts.keys }), tenant });
}

/** The entry with the bodies that its decision's sight opens; of an entry of no decision all of them. */
function toldOf({ row, seen }: SeenRow, { tenant, keys }: { tenant: string; keys: PayloadKeys }) {
  if (seen !== null) return storyOf(seen.story, seen.sight).find(({ id }) => id === row.id) ?? { body: {} };
  const { body, bodies, isErased, isUnreadable } = readEntry({
    row: { ...row, writer: "acting" },
    tenant,
    keys,
    unreadable: "mark",
  });
  return { body: { ...body, bodies, ...(isErased ? { erased: true } : {}), ...(isUnreadable ? { unreadable: true } : {}) } };
}
