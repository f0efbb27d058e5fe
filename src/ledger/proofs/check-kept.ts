import { isCountersignError } from "../../contract/errors.ts";
import type { Break } from "../verify.ts";
import { type LedgerTree, treeNow } from "./ledger-tree.ts";
import { type Ledgers, readKept } from "./publisher.ts";

/** What the kept checkpoints say of a ledger whose chain holds: how many there are, and the first that does not. */
export interface KeptCheck {
  readonly checkpoints: number;
  readonly broken: Break | null;
}

/** Compares a ledger with every checkpoint of it that was kept: a chain that was rewritten whole fits itself, and none of them. */
export async function checkKept(of: LedgerTree, ledgers: Ledgers): Promise<KeptCheck> {
  const kept = await readKept(ledgers, of.tenant);
  const none = { seq: null, entryId: null };
  if (kept.some(({ said }) => said === null)) {
    const detail = "a kept checkpoint is not one that this installation's key signed";
    return { checkpoints: kept.length, broken: { ...none, fault: "checkpoint_invalid", detail } };
  }
  try {
    const said = kept.flatMap((one) => one.said ?? []);
    if (said.length > 0) await treeNow(of, said);
    return { checkpoints: kept.length, broken: null };
  } catch (thrown) {
    if (!isCountersignError(thrown, "ledger_broken")) throw thrown;
    const { size } = thrown.facts;
    const seq = typeof size === "number" ? size : null;
    return { checkpoints: kept.length, broken: { ...none, seq, fault: "checkpoint_differs", detail: thrown.message } };
  }
}
