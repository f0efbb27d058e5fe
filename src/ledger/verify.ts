import type { ChainHead, HeadKeeper } from "../contract/ports.ts";
import type { Database } from "../store/database.ts";
import type { PublicKeys } from "../store/signature.ts";
import { databaseTime } from "../store/time.ts";
import { headToHold, readRestored } from "./backup/restored.ts";
import { genesisHash, type Link, linkHash } from "./chain.ts";
import { readErasedBodies } from "./erasure/erased-bodies.ts";
import type { PayloadKeys } from "./payload.ts";
import { checkEntry, type Finding, type StoredEntry } from "./verify-entry.ts";
import {
  ageOfChainMs,
  beforeAll,
  firstUnsealed,
  type LinkedEntry,
  type Place,
  placeOf,
  readLinks,
  readUnsealed,
} from "./verify-pages.ts";

/** The first thing that is wrong with a tenant's ledger. */
export interface Break extends Finding {
  /** Its place in the chain; `null` for an entry that has none. */
  readonly seq: number | null;
  /** `null` where nothing is left that says which entry it was. */
  readonly entryId: string | null;
}

/** What a check of one tenant's ledger found. Without `broken` every sealed entry is as it was written. */
export interface LedgerReport {
  readonly tenant: string;
  readonly sealed: number;
  /** Entries that the sealer has not reached: no failure, but nothing protects them yet. Age in milliseconds. */
  readonly unsealed: { readonly count: number; readonly oldestMs: number | null };
  readonly erasedPayloads: number;
  /** Sealed entries that say what was erased; closing a tenant erases all of it and writes none. */
  readonly erasures: number;
  readonly head: ChainHead | null;
  readonly keptHead: ChainHead | null;
  /** Seals after the kept head: whoever owns the database could still cut them off unseen. */
  readonly unprotected: number;
  /** The first fault that was found. */
  readonly broken: Break | null;
  /** How many were found: behind a fault of one entry the check goes on; where the chain itself does not hold, it ends. */
  readonly faults: number;
}

/** What a check needs; without `keys` the payloads are not opened, only their presence is checked. */
export interface Verification {
  readonly database: Database;
  readonly tenant: string;
  readonly headKeeper: HeadKeeper;
  readonly keys?: PayloadKeys;
  /** Whose `restored` entries are believed: a kept head that one of them gives up is not held against the ledger. Nobody's without them. */
  readonly restoredBy?: PublicKeys;
}

const pageSize = 200;
/** A head is kept within a second of the first seal; one that is not there after this long, in milliseconds, was lost or removed. */
const headGraceMs = 5_000;

/** Recomputes a tenant's ledger from the stored bytes and names the first bad entry, page by page in transactions of their own. */
export async function verifyLedger(verification: Verification): Promise<LedgerReport> {
  const { tenant, headKeeper } = verification;
  const found = findings();
  // Read before the tables, since a sealer may be at work: the table's head can only be at or after it.
  const keptHead = await headHeld(verification, await headKeeper.read(tenant));
  const { last, erasedPayloads, erasures, isWhole } = await walkChain(verification, keptHead, found);
  const head = last === null ? null : { tenant, seq: last.seq, hash: linkHash(last).toString("hex") };
  const sealed = last?.seq ?? 0;
  const isComplete = isWhole && found.add(await checkTail(verification, { last, keptHead }));
  const unsealed = isComplete ? await checkUnsealed(verification, last, found) : { count: 0, oldestMs: null };
  const unprotected = Math.max(0, sealed - (keptHead?.seq ?? 0));
  return { tenant, sealed, unsealed, erasedPayloads, erasures, head, keptHead, unprotected, ...found.told() };
}

/** The kept head, or what stands in its place after a restore. */
async function headHeld({ database, tenant, restoredBy }: Verification, kept: ChainHead | null): Promise<ChainHead | null> {
  if (restoredBy === undefined) return kept;
  const restored = await database.inTenant(tenant, (tx) => readRestored(tx, { tenant, keys: restoredBy }));
  return headToHold({ kept, restored, tenant, graceMs: headGraceMs });
}

/** Collects what is found; `add` says whether that was nothing. */
interface Findings {
  readonly add: (one: Break | null) => boolean;
  readonly told: () => Pick<LedgerReport, "broken" | "faults">;
}

function findings(): Findings {
  let broken: Break | null = null;
  let faults = 0;
  return {
    add: (one) => {
      if (one === null) return true;
      broken ??= one;
      faults += 1;
      return false;
    },
    told: () => ({ broken, faults }),
  };
}

interface Walk {
  readonly last: Link | null;
  readonly erasedPayloads: number;
  readonly erasures: number;
  /** Whether every link continues the one before it. */
  readonly isWhole: boolean;
}

async function walkChain(verification: Verification, kept: ChainHead | null, found: Findings): Promise<Walk> {
  let last: Link | null = null;
  let [erasedPayloads, erasures] = [0, 0];
  for (;;) {
    const after: number = last?.seq ?? 0;
    const page = await readPage(verification, after);
    for (const one of page) {
      if (!(await holds(verification, { last, one, kept, found }))) return { last, erasedPayloads, erasures, isWhole: false };
      if (isErased(one.entry)) erasedPayloads += 1;
      if (one.entry?.kind === "erased") erasures += 1;
      last = one.link;
    }
    if (page.length < pageSize) return { last, erasedPayloads, erasures, isWhole: true };
  }
}

/** Whether the chain holds up to this link; what is wrong with its entry alone is noted, and the chain holds all the same. */
async function holds(
  verification: Verification,
  { last, one, kept, found }: { last: Link | null; one: LinkedEntry; kept: ChainHead | null; found: Findings },
): Promise<boolean> {
  if (!found.add(await checkLink(verification, { last, link: one.link }))) return false;
  found.add(await checkSealed(verification, one));
  return found.add(checkKept(one.link, kept));
}

function isErased(entry: LinkedEntry["entry"]): boolean {
  return entry?.has_payload === true && entry.payload === null;
}

function readPage({ database, tenant }: Verification, after: number, limit = pageSize): Promise<readonly LinkedEntry[]> {
  return database.inTenant(tenant, (tx) => readLinks({ tx, tenant, after, limit }));
}

/** Does the link continue the one before it? */
async function checkLink(verification: Verification, { last, link }: { last: Link | null; link: Link }): Promise<Break | null> {
  const seq = (last?.seq ?? 0) + 1;
  if (link.seq !== seq) {
    const entryId = await unsealedBetween(verification, { last, next: link });
    return { seq, entryId, fault: "seal_missing", detail: `seal ${seq} is missing; the next one is ${link.seq}` };
  }
  const continued = last === null ? genesisHash : linkHash(last);
  if (link.prevHash.equals(continued)) return null;
  const [next] = await readPage(verification, link.seq, 1);
  const isBefore = last !== null && isFaultOfTheFirst({ first: last, second: link, third: next?.link ?? null });
  const bad = isBefore ? last : link;
  return {
    seq: bad.seq,
    entryId: bad.entryId,
    fault: "chain_broken",
    detail: `seal ${link.seq} does not continue seal ${seq - 1}`,
  };
}

/**
 * Two links do not fit: which one was altered? The first, if the second still fits what follows it, or if the two fit once
 * their entries change places. Where neither shows, the second, since up to it everything fitted.
 */
function isFaultOfTheFirst({ first, second, third }: { first: Link; second: Link; third: Link | null }): boolean {
  if (third !== null && linkHash(second).equals(third.prevHash)) return true;
  const exchanged = { ...first, entryId: second.entryId, entryHash: second.entryHash };
  return linkHash(exchanged).equals(second.prevHash);
}

async function checkSealed(verification: Verification, { link, entry }: LinkedEntry): Promise<Break | null> {
  const at = { seq: link.seq, entryId: link.entryId };
  if (entry === null) return { ...at, fault: "entry_missing", detail: "the entry is gone; its seal is still there" };
  const finding = await checkStored(verification, entry);
  // Where bytes and hash were both exchanged, the seal is what remembers.
  if (finding?.fault === "entry_altered" || entry.hash.equals(link.entryHash)) return finding && { ...at, ...finding };
  return { ...at, fault: "entry_replaced", detail: "the entry is not the one that was sealed" };
}

function checkKept(link: Link, kept: ChainHead | null): Break | null {
  if (kept?.seq !== link.seq || linkHash(link).toString("hex") === kept.hash) return null;
  const detail = `the chain at ${link.seq} is not the one whose head was kept; it was rewritten`;
  return { seq: link.seq, entryId: link.entryId, fault: "head_differs", detail };
}

/** Is the chain as long as the head that was kept, and is nothing before its end without a seal? */
async function checkTail(
  verification: Verification,
  { last, keptHead }: { last: Link | null; keptHead: ChainHead | null },
): Promise<Break | null> {
  const { database, tenant } = verification;
  const sealed = last?.seq ?? 0;
  if (keptHead !== null && sealed < keptHead.seq) {
    const after = await placeOfLink(verification, last);
    const [next] = await database.inTenant(tenant, (tx) => readUnsealed({ tx, tenant, after, limit: 1 }));
    const detail = `the chain ends at ${sealed}; its head was kept at ${keptHead.seq}`;
    return { seq: sealed + 1, entryId: next?.id ?? null, fault: "tail_cut", detail };
  }
  if (last === null) return null;
  if (keptHead === null) {
    const ageMs = await database.inTenant(tenant, (tx) => ageOfChainMs({ tx, tenant }));
    const detail = `${sealed} entries are sealed and no head is kept, so nobody can tell whether more were cut off; look for the folder of heads, or restore it from where heads are posted`;
    if (ageMs !== null && ageMs > headGraceMs) return { seq: last.seq, entryId: last.entryId, fault: "head_missing", detail };
  }
  const upTo = await placeOfLink(verification, last);
  const entryId = await database.inTenant(tenant, (tx) => firstUnsealed({ tx, tenant, after: beforeAll, upTo }));
  if (entryId === null) return null;
  return { seq: null, entryId, fault: "entry_not_sealed", detail: "the entry stands before the head and has no seal" };
}

/** Bodies may be gone from a payload where entries say so; those are looked for only where something is not as it was written. */
async function checkStored({ database, tenant, keys }: Verification, entry: StoredEntry): Promise<Finding | null> {
  const finding = checkEntry(entry, keys ?? null);
  const { id: entryId, decision_id: decisionId } = entry;
  if (finding?.fault !== "payload_altered" || decisionId === null) return finding;
  const erased = await database.inTenant(tenant, (tx) => readErasedBodies({ tx, tenant, decisionId, entryId }));
  return erased.length === 0 ? finding : checkEntry(entry, keys ?? null, erased);
}

async function checkUnsealed(verification: Verification, last: Link | null, found: Findings): Promise<LedgerReport["unsealed"]> {
  const { database, tenant } = verification;
  const now = await database.inTenant(tenant, databaseTime);
  let after = await placeOfLink({ database, tenant }, last);
  let count = 0;
  let oldestMs: number | null = null;
  for (;;) {
    const page = await database.inTenant(tenant, (tx) => readUnsealed({ tx, tenant, after, limit: pageSize }));
    for (const entry of page) {
      count += 1;
      oldestMs = Math.max(oldestMs ?? 0, now - Number(entry.ts));
      after = entry;
      const finding = await checkStored(verification, entry);
      found.add(finding && { seq: null, entryId: entry.id, ...finding });
    }
    if (page.length < pageSize) return { count, oldestMs };
  }
}

async function unsealedBetween(
  verification: Verification,
  { last, next }: { last: Link | null; next: Link },
): Promise<string | null> {
  const { database, tenant } = verification;
  const after = await placeOfLink(verification, last);
  const upTo = await placeOfLink(verification, next);
  return database.inTenant(tenant, (tx) => firstUnsealed({ tx, tenant, after, upTo }));
}

async function placeOfLink({ database, tenant }: Pick<Verification, "database" | "tenant">, link: Link | null): Promise<Place> {
  if (link === null) return beforeAll;
  return (await database.inTenant(tenant, (tx) => placeOf({ tx, tenant, entryId: link.entryId }))) ?? beforeAll;
}
