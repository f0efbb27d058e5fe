import type { Database } from "../../store/database.ts";
import { publicKeysOf } from "../../store/signature.ts";
import type { FileHeadKeeper } from "../head.ts";
import { type Ledgers, readKept } from "../proofs/publisher.ts";
import { isReplaced, readRestored } from "./restored.ts";

/** What of a tenant was set aside. */
export interface SetAside {
  readonly tenant: string;
  /** The seq of the kept head that was given up; `null` where only checkpoints were. */
  readonly head: number | null;
  /** How many kept checkpoints were. */
  readonly checkpoints: number;
}

/**
 * Sets aside the kept heads and checkpoints that a signed `restored` entry gives up, so that the ledger goes on after the backup: they stay in
 * their folders under another name. Without such an entry nothing is touched. Returns what was set aside, of the tenants where something was.
 */
export async function setAsideReplaced({
  database,
  headKeeper,
  ledgers,
}: {
  database: Database;
  headKeeper: FileHeadKeeper;
  ledgers: Ledgers;
}): Promise<readonly SetAside[]> {
  const aside: SetAside[] = [];
  for (const tenant of await database.tenants()) {
    const keys = publicKeysOf(ledgers.key);
    const restored = await database.inTenant(tenant, (tx) => readRestored(tx, { tenant, keys }));
    if (restored.length === 0) continue;
    const kept = await headKeeper.read(tenant);
    const isHeadGivenUp = kept !== null && isReplaced(restored, kept);
    if (isHeadGivenUp) await headKeeper.setAside(kept);
    const givenUp = new Set(restored.flatMap(({ checkpoints }) => checkpoints.map(({ size, root }) => `${size} ${root}`)));
    const checkpoints = (await readKept(ledgers, tenant)).flatMap(({ said }) => said ?? []);
    const those = checkpoints.filter(({ size, root }) => givenUp.has(`${size} ${root.toString("hex")}`));
    for (const { size } of those) await ledgers.folder.setAside({ tenant, size });
    const head = isHeadGivenUp ? kept.seq : null;
    if (head !== null || those.length > 0) aside.push({ tenant, head, checkpoints: those.length });
  }
  return aside;
}
