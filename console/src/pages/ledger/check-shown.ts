import type { LedgerEntryView, LedgerLine, LedgerState } from "../../../../src/contract/ledger-view.ts";
import { checkEntry, type EntryFault } from "./check-entry.ts";

/** What was computed anew of the entries that a page shows, and what was found. */
export interface ShownCheck {
  readonly at: number;
  /** Entries whose bytes, hash and seal were computed anew. */
  readonly checked: number;
  readonly sealed: number;
  /** The first and the last place among them. */
  readonly from: number | null;
  readonly to: number | null;
  /** Pairs of neighbours of which the later seal names the earlier one. */
  readonly joins: number;
  /** Whether the last seal is the head that the desk names; `null` where the head is not among them. */
  readonly isHead: boolean | null;
  readonly faults: readonly FoundFault[];
  /** Not read: they were beyond the most that is checked at once. */
  readonly left: number;
}

export interface FoundFault {
  readonly seq: number | null;
  readonly id: string;
  readonly fault: EntryFault | "chain_broken" | "list_differs" | "head_differs";
}

/** Most entries that one check reads; each is a request of its own. */
const mostChecked = 200;
const atOnce = 6;

/** Reads the shown entries whole and computes their hashes, their seals and their chain anew in this browser. */
export async function checkShown({
  lines,
  tenant,
  state,
  read,
  onCount,
}: {
  readonly lines: readonly LedgerLine[];
  readonly tenant: string;
  readonly state: LedgerState | undefined;
  readonly read: (id: string) => Promise<LedgerEntryView>;
  readonly onCount: (count: number) => void;
}): Promise<ShownCheck> {
  const chosen = lines.slice(0, mostChecked);
  const faults: FoundFault[] = [];
  const entries: LedgerEntryView[] = [];
  for (let at = 0; at < chosen.length; at += atOnce) {
    const group = chosen.slice(at, at + atOnce);
    const found = await Promise.all(group.map(async (line) => ({ line, entry: await read(line.id) })));
    for (const { line, entry } of found) {
      const fault =
        (await checkEntry(entry, tenant)) ?? (line.hash === entry.hash && line.seq === entry.seq ? null : "list_differs");
      if (fault !== null) faults.push({ seq: line.seq, id: line.id, fault });
      entries.push(entry);
    }
    onCount(entries.length);
  }
  const chain = chainOf(entries);
  const isHead = headOf(chain.sealed, state);
  const head = chain.sealed.at(-1);
  const headFault: FoundFault[] =
    isHead === false && head !== undefined ? [{ seq: head.seq, id: head.id, fault: "head_differs" }] : [];
  return {
    at: Date.now(),
    checked: entries.length,
    sealed: chain.sealed.length,
    ...{ from: chain.sealed[0]?.seq ?? null, to: head?.seq ?? null, joins: chain.joins, isHead },
    faults: [...faults, ...chain.faults, ...headFault],
    left: lines.length - chosen.length,
  };
}

/** Each seal names the one before it; where both are here that is compared. */
function chainOf(entries: readonly LedgerEntryView[]) {
  const sealed = entries.filter(({ seq }) => seq !== null).toSorted((one, other) => (one.seq ?? 0) - (other.seq ?? 0));
  const faults: FoundFault[] = [];
  let joins = 0;
  for (const [place, entry] of sealed.entries()) {
    const before = sealed[place - 1];
    if (before === undefined || before.seq === null || entry.seq !== before.seq + 1) continue;
    if (entry.prevHash === before.sealHash) joins += 1;
    else faults.push({ seq: entry.seq, id: entry.id, fault: "chain_broken" });
  }
  return { sealed, joins, faults };
}

function headOf(sealed: readonly LedgerEntryView[], state: LedgerState | undefined): boolean | null {
  const last = sealed.at(-1);
  if (state === undefined || last === undefined || last.seq !== state.head) return null;
  return last.sealHash === state.headHash;
}
