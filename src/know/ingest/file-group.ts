import type { Tx } from "../../store/database.ts";
import { UnreadableFile } from "./faults.ts";
import { type FaultyFile, keepFault, removeAll } from "./keep-fault.ts";
import type { ReadFile } from "./read-one.ts";
import type { TenantRunning } from "./running.ts";
import { readOwners } from "./shelf.ts";
import * as rows from "./source-rows.ts";

/**
 * Files what was read, with what it replaces removed, in one transaction. Where that does not go through, each by itself: whatever is wrong
 * with one keeps out that one alone, and its fault is kept and given. Throws where the database takes neither.
 */
export async function fileGroup(running: TenantRunning, group: readonly ReadFile[]): Promise<readonly FaultyFile[]> {
  const [first, ...others] = group;
  if (first === undefined) return [];
  try {
    await fileAll(running, group);
    return [];
  } catch (thrown) {
    if (others.length === 0) return [await keepFault(running, first.waiting, thrown)];
    const faults: FaultyFile[] = [];
    for (const one of group) faults.push(...(await fileGroup(running, [one])));
    return faults;
  }
}

async function fileAll(running: TenantRunning, group: readonly ReadFile[]): Promise<void> {
  const { database, library, tenant, source } = running;
  const key = { tenant, source: source.name };
  await database.inTenant(tenant, async (tx) => {
    await rows.lockSource(tx, key);
    for (const { document } of group) await refuseForeignId(tx, { ...key, id: document.id });
    await removeAll(running, { tx, documents: group.flatMap(({ waiting }) => waiting.replaces) });
    await library.file(tx, { tenant, versions: group.map(({ document, passages }) => ({ document, passages })) });
    for (const { waiting, document, passages, pages, dropped } of group) {
      const { contentHash, attributesHash, file } = waiting.seen;
      const kept = { path: file.path, contentHash, attributesHash, document, passages: passages.length, pages, dropped };
      await rows.keepFiled(tx, { ...key, ...kept });
    }
  });
}

/** Whoever may write into one folder could hide the documents of another by a newer version. */
async function refuseForeignId(tx: Tx, { tenant, source, id }: { tenant: string; source: string; id: string }): Promise<void> {
  const owners = await readOwners(tx, { tenant, id });
  const other = owners.find((owner) => owner !== source);
  if (other === undefined) return;
  const whose = other === null ? "a document that was filed by hand" : `a document of the source \`${other}\``;
  throw new UnreadableFile("id_taken", `its id \`${id}\` is that of ${whose}; give it another`);
}
