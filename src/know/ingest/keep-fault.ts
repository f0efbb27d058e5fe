import type { Tx } from "../../store/database.ts";
import { type FileFault, passingFaults } from "./faults.ts";
import type { DocumentKey } from "./library.ts";
import { ownFault } from "./own-fault.ts";
import type { Plan } from "./plan-run.ts";
import type { TenantRunning } from "./running.ts";
import * as rows from "./source-rows.ts";

/** A file that is no good, by its path. */
export interface FaultyFile {
  readonly path: string;
  readonly fault: FileFault;
  readonly detail: string;
}

/**
 * Keeps what is wrong with a file. One that became unreadable is no longer what is filed of it: that goes, unless the fault may pass. Throws
 * where the database does not take it.
 */
export async function keepFault(
  running: TenantRunning,
  { seen, replaces }: Plan["file"][number],
  thrown: unknown,
): Promise<FaultyFile> {
  const { database, tenant, source } = running;
  const { contentHash, attributesHash, attributes, file } = seen;
  const { fault, detail } = ownFault(thrown);
  const isPassing = passingFaults.includes(fault);
  const key = { tenant, source: source.name };
  await database.inTenant(tenant, async (tx) => {
    await rows.lockSource(tx, key);
    const own = fault === "id_taken" ? [] : [{ id: attributes.id, version: attributes.version }];
    if (!isPassing) await removeAll(running, { tx, documents: [...replaces, ...own] });
    await rows.keepFault(tx, { ...key, path: file.path, contentHash, attributesHash, fault, detail, isPassing });
  });
  return { path: file.path, fault, detail };
}

/** Removes versions from the index, in the caller's transaction. */
export async function removeAll(
  { library, tenant }: TenantRunning,
  { tx, documents }: { tx: Tx; documents: readonly DocumentKey[] },
): Promise<void> {
  for (const document of documents) await library.remove(tx, { tenant, id: document.id, version: document.version });
}
