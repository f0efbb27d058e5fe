/** Whether the chain of every tenant still verifies, entry by entry, once nothing is under way any more. */
import { setTimeout as wait } from "node:timers/promises";
import { createHeadKeeper } from "../../src/ledger/head.ts";
import { payloadKeys } from "../../src/ledger/payload.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { openDatabase } from "../../src/store/database.ts";
import type { House } from "./house.ts";

/** What was found of one tenant's ledger. */
export interface LedgerFound {
  readonly tenant: string;
  readonly sealed: number;
  readonly isSound: boolean;
  /** The first fault, where there is one. */
  readonly fault: string | null;
}

const sealWithinMs = 60_000;

/** Waits until the workers have sealed everything, and verifies as `countersign ledger verify` does. */
export async function verifyHouse({ owner, tenants, actingUrl, heads, payloadKey }: House): Promise<readonly LedgerFound[]> {
  const end = performance.now() + sealWithinMs;
  const text = "select (select count(*) from countersign.entry)::int - (select count(*) from countersign.seal)::int as left";
  while (((await owner.ask<{ left: number }>(text))[0]?.left ?? 0) > 0 && performance.now() < end) await wait(200);
  const database = openDatabase({ url: actingUrl, role: "acting", connections: 2 });
  // It only reads, so nothing of it can fail in the background.
  const headKeeper = createHeadKeeper({ directory: heads, onError: () => {} });
  const found: LedgerFound[] = [];
  try {
    for (const tenant of tenants) {
      const report = await verifyLedger({ database, tenant, headKeeper, keys: payloadKeys(payloadKey, undefined, database) });
      const { sealed, broken, unsealed } = report;
      const fault = broken === null ? null : `${broken.fault} at ${broken.seq}: ${broken.detail}`;
      found.push({ tenant, sealed, isSound: broken === null && unsealed.count === 0 && sealed > 0, fault });
    }
  } finally {
    await database.close();
  }
  return found;
}
