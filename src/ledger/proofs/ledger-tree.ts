import { CountersignError } from "../../contract/errors.ts";
import type { Database } from "../../store/database.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Bundle, InclusionBundle } from "./export-form.ts";
import { growTree } from "./merkle.ts";
import { readChain } from "./read-chain.ts";
import { readSealed } from "./read-sealed.ts";
import { consistencyStretches, hashStretches, inclusionStretches, type Stretch } from "./stretches.ts";

/** A tenant's sealed ledger as a tree. */
export interface LedgerTree {
  readonly database: Database;
  readonly tenant: string;
}

/**
 * The tree over all entries that are sealed now. It sees that every checkpoint that was signed before still holds. Throws `ledger_broken`
 * where the chain does not hold, or is not the one of a checkpoint.
 */
export async function treeNow(of: LedgerTree, known: readonly Checkpoint[]): Promise<Pick<Checkpoint, "size" | "root">> {
  const tree = growTree();
  const refuseOther = () => {
    for (const { root } of bySize.get(tree.size()) ?? []) if (!tree.root().equals(root)) throw rewritten(of.tenant, tree.size());
  };
  const bySize = Map.groupBy(known, ({ size }) => size);
  refuseOther();
  for await (const { entryHash } of readChain(of)) {
    tree.append(entryHash);
    refuseOther();
  }
  const largest = known.reduce((most, { size }) => Math.max(most, size), 0);
  if (tree.size() < largest) throw cut(of.tenant, { size: tree.size(), known: largest });
  return { size: tree.size(), root: tree.root() };
}

/** Proves that an entry stands in the tree of a checkpoint. Throws `not_found` where it is sealed after it, `ledger_broken`. */
export async function proveInclusion(
  of: LedgerTree,
  { entryId, checkpoint, text }: { entryId: string; checkpoint: Checkpoint; text: string },
): Promise<InclusionBundle> {
  const { tenant } = of;
  const sealed = await readSealed(of, entryId);
  if (sealed === null)
    throw new CountersignError("not_found", "no sealed entry has that id; a new one is sealed within a second");
  if (sealed.seq > checkpoint.size)
    throw new CountersignError("not_found", `the entry is sealed at ${sealed.seq}, after the checkpoint of ${checkpoint.size}`);
  const index = sealed.seq - 1;
  const hashes = await hashesOf(of, { checkpoint, stretches: inclusionStretches({ index, size: checkpoint.size }) });
  return { kind: "inclusion", tenant, entryId, body: sealed.body, index, hashes, checkpoint: text };
}

/** Proves that a checkpoint continues an earlier one. Throws `bad_request` where it is not the later one, `ledger_broken`. */
export async function proveConsistency(
  of: LedgerTree,
  { from, to, texts }: { from: Checkpoint; to: Checkpoint; texts: { from: string; to: string } },
): Promise<Bundle> {
  const stretches = consistencyStretches({ from: from.size, to: to.size });
  return { kind: "consistency", ...texts, hashes: await hashesOf(of, { checkpoint: to, stretches }) };
}

async function hashesOf(
  of: LedgerTree,
  { checkpoint, stretches }: { checkpoint: Checkpoint; stretches: readonly Stretch[] },
): Promise<readonly string[]> {
  const hasher = hashStretches(stretches);
  const tree = growTree();
  for await (const { entryHash } of readChain({ ...of, upTo: checkpoint.size })) {
    hasher.append(entryHash);
    tree.append(entryHash);
  }
  if (tree.size() < checkpoint.size) throw cut(of.tenant, { size: tree.size(), known: checkpoint.size });
  if (!tree.root().equals(checkpoint.root)) throw rewritten(of.tenant, checkpoint.size);
  return hasher.hashes().map((one) => one.toString("hex"));
}

function rewritten(tenant: string, size: number): CountersignError {
  const message = `the ledger of \`${tenant}\` up to ${size} is not the one that a checkpoint was signed over; it was rewritten`;
  return new CountersignError("ledger_broken", message, { facts: { tenant, size } });
}

function cut(tenant: string, { size, known }: { size: number; known: number }): CountersignError {
  const message = `the ledger of \`${tenant}\` ends at ${size}, and a checkpoint covers ${known}; its end was cut off`;
  return new CountersignError("ledger_broken", message, { facts: { tenant, size, known } });
}
