import type { LedgerEntryView } from "../../../../src/contract/ledger-view.ts";
import { bytesOfHex, hexOf, joined, sha256, utf8 } from "./bytes.ts";

/** What of one entry does not hold; a closed list, in the words of the verifiers where they have one. */
export type EntryFault = "entry_altered" | "entry_replaced" | "seal_altered";

/**
 * Computes anew, in this browser, what an entry's bytes and its seal hash to, and compares it with what the desk says. `null` where all
 * of it holds. An entry without a seal has its bytes checked alone.
 */
export async function checkEntry(entry: LedgerEntryView, tenant: string): Promise<EntryFault | null> {
  const entryHash = await sha256(utf8(entry.bytes));
  if (hexOf(entryHash) !== entry.hash) return "entry_altered";
  if (!namesItself(entry, tenant)) return "entry_replaced";
  if (entry.seq === null) return null;
  const sealed = await sealOf(entry, { tenant, entryHash });
  return sealed === null || sealed !== entry.sealHash ? "seal_altered" : null;
}

/** The bytes say whose entry it is: those of another one, moved here, do not pass. */
function namesItself({ bytes, id }: LedgerEntryView, tenant: string): boolean {
  try {
    const body: unknown = JSON.parse(bytes);
    if (typeof body !== "object" || body === null || !("id" in body) || !("tenant" in body)) return false;
    return body.id === id && body.tenant === tenant;
  } catch {
    return false;
  }
}

/** The hash of a seal over its fixed layout (docs/proofs.md): label, tenant, place, id, the seal before, the entry. */
async function sealOf(
  { seq, id, prevHash }: LedgerEntryView,
  { tenant, entryHash }: { readonly tenant: string; readonly entryHash: Uint8Array },
): Promise<string | null> {
  const previous = bytesOfHex(prevHash ?? "", 32);
  const entryId = bytesOfHex(id.replaceAll("-", ""), 16);
  if (seq === null || previous === null || entryId === null) return null;
  const name = utf8(tenant);
  const numbers = new DataView(new ArrayBuffer(10));
  numbers.setUint16(0, name.length);
  numbers.setBigUint64(2, BigInt(seq));
  const [length, place] = [new Uint8Array(numbers.buffer, 0, 2), new Uint8Array(numbers.buffer, 2, 8)];
  return hexOf(await sha256(joined(utf8("countersign seal v1\n"), length, name, place, entryId, previous, entryHash)));
}
