import { realpath } from "node:fs/promises";
import type { FiledDocument, FiledPassage } from "../../contract/knowledge.ts";
import { chunk } from "./chunk.ts";
import { UnreadableFile } from "./faults.ts";
import { type FaultyFile, keepFault } from "./keep-fault.ts";
import type { ParsedFile } from "./parsed.ts";
import type { Plan } from "./plan-run.ts";
import { readBytes } from "./read-bytes.ts";
import type { TenantRunning } from "./running.ts";
import * as rows from "./source-rows.ts";
import { titleOf } from "./title.ts";

/** How often a long file's progress is kept, in milliseconds. */
const tellMs = 500;

/** A file that waits to be filed, and how far the run is with it. */
export type WaitingFile = Plan["file"][number] & { readonly done: number; readonly total: number };

/** A file that was read, ready to be filed. */
export interface ReadFile extends Pick<ParsedFile, "pages" | "dropped"> {
  readonly waiting: WaitingFile;
  readonly document: FiledDocument;
  readonly passages: readonly FiledPassage[];
}

/** A file of text that is longer than this, in bytes, may take a while to read; one of another kind may however short it is. */
const shortText = 64 * 1024;

/** Reads one file; or keeps its fault. `beforeLong` is waited for before a file is parsed that may take long. Throws where the database does not take it. */
export async function readOne(
  running: TenantRunning,
  waiting: WaitingFile,
  beforeLong: () => Promise<void>,
): Promise<{ readonly kind: "read"; readonly file: ReadFile } | { readonly kind: "faulty"; readonly fault: FaultyFile }> {
  const faulty = async (thrown: unknown) => ({ kind: "faulty" as const, fault: await keepFault(running, waiting, thrown) });
  let bytes: Uint8Array;
  try {
    bytes = await bytesOf(running, waiting);
  } catch (thrown) {
    return faulty(thrown);
  }
  const { format } = waiting.seen.file;
  if (bytes.length > shortText || format === "pdf" || format === "docx") await beforeLong();
  try {
    return { kind: "read", file: await parsedOf(running, { waiting, bytes }) };
  } catch (thrown) {
    return faulty(thrown);
  }
}

async function bytesOf(running: TenantRunning, { seen, done, total }: WaitingFile): Promise<Uint8Array> {
  await progressOf(running)({ done, total, path: seen.file.path });
  const { bytes, hash } = await readBytes(await realpath(running.folder), seen.file);
  // Another file than the one that was looked at: its id and who may see it may be others too.
  if (hash !== seen.contentHash) throw new UnreadableFile("changing");
  return bytes;
}

async function parsedOf(
  running: TenantRunning,
  { waiting, bytes }: { waiting: WaitingFile; bytes: Uint8Array },
): Promise<ReadFile> {
  const { done, total, seen } = waiting;
  const { file, attributes, contentHash } = seen;
  const tell = progressOf(running);
  let told = Number.NEGATIVE_INFINITY;
  const onPage = (page: number, pages: number): void => {
    if (running.clock.monotonic() - told < tellMs) return;
    told = running.clock.monotonic();
    void tell({ done, total, path: file.path, page, pages }).catch(() => {});
  };
  const parsed = await running.parser.parse({ format: file.format, bytes, onPage });
  const passages = chunk(parsed);
  if (passages.length === 0) throw new UnreadableFile("no_text");
  const document = { ...attributes, title: attributes.title ?? titleOf(parsed, file.path), contentHash };
  return { waiting, document, passages, pages: parsed.pages, dropped: parsed.dropped };
}

function progressOf({ database, tenant, source }: TenantRunning): (progress: rows.Progress) => Promise<void> {
  return (progress) => database.inTenant(tenant, (tx) => rows.tellProgress(tx, { tenant, source: source.name, ...progress }));
}
