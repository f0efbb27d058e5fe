import { realpath } from "node:fs/promises";
import type { Tx } from "../../store/database.ts";
import { chunk } from "./chunk.ts";
import { type FileFault, passingFaults, UnreadableFile } from "./faults.ts";
import type { DocumentKey } from "./library.ts";
import { ownFault } from "./own-fault.ts";
import type { ParsedFile } from "./parsed.ts";
import type { Plan } from "./plan-run.ts";
import { readBytes } from "./read-bytes.ts";
import type { TenantRunning } from "./running.ts";
import { readOwners } from "./shelf.ts";
import * as rows from "./source-rows.ts";
import { titleOf } from "./title.ts";

/** How often a long file's progress is kept, in milliseconds. */
const tellMs = 500;

/**
 * Reads one file, and files it with what it replaces removed, in one transaction; or keeps its fault. Throws where the database takes
 * neither.
 */
export async function fileOne(
  running: TenantRunning,
  one: Plan["file"][number] & { readonly done: number; readonly total: number },
): Promise<{
  readonly filedAt: number;
  readonly fault: { readonly path: string; readonly fault: FileFault; readonly detail: string } | null;
}> {
  const { path } = one.seen.file;
  try {
    const parsed = await parsedFile(running, one);
    await file(running, { ...one, parsed });
    return { filedAt: running.clock.now(), fault: null };
  } catch (thrown) {
    const { fault, detail } = ownFault(thrown);
    await keepFault(running, { ...one, fault, detail });
    return { filedAt: running.clock.now(), fault: { path, fault, detail } };
  }
}

type One = Parameters<typeof fileOne>[1];

async function parsedFile(running: TenantRunning, { seen, done, total }: One): Promise<ParsedFile> {
  const { parser, folder } = running;
  const { file, contentHash } = seen;
  const tell = progressOf(running);
  await tell({ done, total, path: file.path });
  const { bytes, hash } = await readBytes(await realpath(folder), file);
  // Another file than the one that was looked at: its id and who may see it may be others too.
  if (hash !== contentHash) throw new UnreadableFile("changing");
  let told = Number.NEGATIVE_INFINITY;
  const onPage = (page: number, pages: number): void => {
    if (running.clock.monotonic() - told < tellMs) return;
    told = running.clock.monotonic();
    void tell({ done, total, path: file.path, page, pages }).catch(() => {});
  };
  return parser.parse({ format: file.format, bytes, onPage });
}

function progressOf({ database, tenant, source }: TenantRunning): (progress: rows.Progress) => Promise<void> {
  return (progress) => database.inTenant(tenant, (tx) => rows.tellProgress(tx, { tenant, source: source.name, ...progress }));
}

async function file(running: TenantRunning, { seen, replaces, parsed }: One & { parsed: ParsedFile }): Promise<void> {
  const { database, library, tenant, source } = running;
  const { contentHash, attributes, attributesHash, file: listed } = seen;
  const passages = chunk(parsed);
  if (passages.length === 0) throw new UnreadableFile("no_text");
  const document = { ...attributes, title: attributes.title ?? titleOf(parsed, listed.path), contentHash };
  await database.inTenant(tenant, async (tx) => {
    await rows.lockSource(tx, { tenant, source: source.name });
    await refuseForeignId(tx, { tenant, source: source.name, id: document.id });
    await removeAll(running, { tx, documents: replaces });
    await library.file(tx, { tenant, document, passages });
    await rows.keepFiled(tx, {
      ...{ tenant, source: source.name, path: listed.path, contentHash, attributesHash, document },
      ...{ passages: passages.length, pages: parsed.pages, dropped: parsed.dropped },
    });
  });
}

/** A file that became unreadable is no longer what is filed of it: that goes, unless the fault may pass. */
async function keepFault(
  running: TenantRunning,
  { seen, replaces, fault, detail }: One & { fault: FileFault; detail: string },
): Promise<void> {
  const { database, tenant, source } = running;
  const { contentHash, attributesHash, attributes, file: listed } = seen;
  const isPassing = passingFaults.includes(fault);
  const key = { tenant, source: source.name };
  await database.inTenant(tenant, async (tx) => {
    await rows.lockSource(tx, key);
    const own = fault === "id_taken" ? [] : [{ id: attributes.id, version: attributes.version }];
    if (!isPassing) await removeAll(running, { tx, documents: [...replaces, ...own] });
    await rows.keepFault(tx, { ...key, path: listed.path, contentHash, attributesHash, fault, detail, isPassing });
  });
}

async function removeAll(
  { library, tenant }: TenantRunning,
  { tx, documents }: { tx: Tx; documents: readonly DocumentKey[] },
): Promise<void> {
  for (const document of documents) await library.remove(tx, { tenant, id: document.id, version: document.version });
}

/** Whoever may write into one folder could hide the documents of another by a newer version. */
async function refuseForeignId(tx: Tx, { tenant, source, id }: { tenant: string; source: string; id: string }): Promise<void> {
  const owners = await readOwners(tx, { tenant, id });
  const other = owners.find((owner) => owner !== source);
  if (other === undefined) return;
  const whose = other === null ? "a document that was filed by hand" : `a document of the source \`${other}\``;
  throw new UnreadableFile("id_taken", `its id \`${id}\` is that of ${whose}; give it another`);
}
