import type { CheckpointView, LedgerState } from "../../contract/ledger-view.ts";
import type { Tx } from "../../store/database.ts";
import { linkHash } from "../chain.ts";
import { type KeptCheck, readCheck } from "../proofs/check-record.ts";
import { newestLookedAt, readLastSeal, readUnsealedRows } from "./ledger-rows.ts";

/** The check looks each second; where it has said nothing for this long, in milliseconds, nothing is known of late. */
const silenceMs = 60_000;

/** What the badge of a tenant's ledger tells at a time of the store's clock. */
export async function readLedgerState(tx: Tx, { tenant, now }: { tenant: string; now: number }): Promise<LedgerState> {
  const last = await readLastSeal(tx, tenant);
  const check = await readCheck(tx, tenant);
  const unsealed = await readUnsealedRows(tx, { tenant, limit: newestLookedAt });
  const head = last?.seq ?? 0;
  const oldest = unsealed[0];
  return {
    head,
    headHash: last === null ? null : linkHash(last).toString("hex"),
    state: stateOf({ check, head, now }),
    verifiedTo: Math.min(check?.verifiedTo ?? 0, head),
    ...{ verifiedAt: check?.lookedAt ?? null, begunAt: check?.begunAt ?? null },
    unsealed: {
      ...{ count: unsealed.length, isOver: unsealed.length === newestLookedAt },
      oldestMs: oldest === undefined ? null : Math.max(0, now - Number(oldest.ts)),
    },
    break: check?.broken ?? null,
    checkpoint: checkpointOf(check, head),
  };
}

/** The newest checkpoint with its text and key; `null` where none was signed. */
export async function readCheckpointView(tx: Tx, tenant: string): Promise<CheckpointView | null> {
  const check = await readCheck(tx, tenant);
  const line = checkpointOf(check, (await readLastSeal(tx, tenant))?.seq ?? 0);
  if (line === null || check === null || check.signed === null) return null;
  const { text, noteKey } = check.signed;
  return { ...line, text, noteKey };
}

function stateOf({ check, head, now }: { check: KeptCheck | null; head: number; now: number }): LedgerState["state"] {
  if (check !== null && check.broken !== null) return "tampered";
  if (check === null || check.lookedAt === null || now - check.lookedAt > silenceMs) return "unverified";
  return check.verifiedTo >= head ? "verified" : "checking";
}

function checkpointOf(check: KeptCheck | null, head: number): LedgerState["checkpoint"] {
  if (check === null || check.signed === null) return null;
  const { size, at, noteKey, witness } = check.signed;
  // A note key is `<origin>+<id>+<key>`, and an origin holds no plus.
  const [origin = "", keyId = ""] = noteKey.split("+");
  return { origin, size, at, keyId, witness, uncovered: Math.max(0, head - size) };
}
