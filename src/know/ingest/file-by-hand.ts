import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { FolderSource } from "../../contract/document-source.ts";
import type { Database, Tx } from "../../store/database.ts";
import { chunk } from "./chunk.ts";
import { examine, type Seen } from "./examine.ts";
import { UnreadableFile } from "./faults.ts";
import type { Library } from "./library.ts";
import { listFiles } from "./list-files.ts";
import type { Attributes } from "./metadata.ts";
import { ownFault } from "./own-fault.ts";
import type { Parser } from "./parse-apart.ts";
import { readBytes } from "./read-bytes.ts";
import { keyText, readOwners, readShelf } from "./shelf.ts";
import { shorten } from "./shorten.ts";
import { titleOf } from "./title.ts";

/** What is filed by hand: a file or a folder, and what its documents are where they do not say it themselves. */
export interface HandFiling {
  readonly tenant: string;
  readonly path: string;
  /** What a source says of its documents. */
  readonly defaults: Omit<FolderSource, "name" | "tenants" | "folder" | "freshWithinMs">;
}

/** What became of one file. */
export type HandReport =
  | { readonly kind: "filed"; readonly path: string; readonly id: string; readonly version: string; readonly passages: number }
  | { readonly kind: "faulty"; readonly path: string; readonly fault: string; readonly detail: string };

/**
 * Files a file or a folder once, without following it; what is wrong with one file stops no other. A file that says no version takes the
 * place of its earlier ones, but of no other file of the same call.
 */
export async function fileByHand(
  { database, library, parser }: { database: Database; library: Library; parser: Parser },
  { tenant, path, defaults }: HandFiling,
): Promise<readonly HandReport[]> {
  const place = await realpath(path);
  const isFolder = (await stat(place)).isDirectory();
  const { root, files, faults } = await listFiles(isFolder ? place : dirname(place));
  const wanted = (each: { path: string }): boolean => isFolder || each.path === basename(place);
  const source = { ...defaults, name: "by-hand", tenants: [tenant], folder: root, freshWithinMs: 1_000 };
  const reports: HandReport[] = faults.filter(wanted).map((one) => ({ kind: "faulty", ...one }));
  const filed = new Map<string, string>();
  for (const file of files.filter(wanted)) {
    const seen = await examine({ root, source, file, remembered: new Map() });
    reports.push(await fileSeen({ database, library, parser, tenant, root, filed }, seen));
  }
  return reports;
}

type Filing = Parameters<typeof fileByHand>[0] & {
  readonly tenant: string;
  readonly root: string;
  /** What was filed in this call, with the path of each. */
  readonly filed: Map<string, string>;
};

async function fileSeen(filing: Filing, seen: Seen): Promise<HandReport> {
  if (seen.kind === "faulty") return { kind: "faulty", path: seen.path, fault: seen.fault, detail: seen.detail };
  const { database, library, parser, tenant, root, filed } = filing;
  const { file, contentHash, attributes } = seen;
  const isUnversioned = attributes.version === contentHash.slice(0, 12);
  const key = keyOf(attributes, isUnversioned);
  try {
    refuseTwice(attributes.id, filed.get(key));
    const { bytes, hash } = await readBytes(root, file);
    if (hash !== contentHash) throw new UnreadableFile("changing");
    const parsed = await parser.parse({ format: file.format, bytes });
    const passages = chunk(parsed);
    if (passages.length === 0) throw new UnreadableFile("no_text");
    const title = attributes.title ?? titleOf(parsed, join(file.path));
    await database.inTenant(tenant, async (tx) => {
      await refuseOfSource(tx, { tenant, id: attributes.id });
      if (isUnversioned) await removeEarlier(tx, { library, tenant, id: attributes.id });
      const document = { ...attributes, source: null, title, contentHash };
      await library.file(tx, { tenant, versions: [{ document, passages }] });
    });
    filed.set(key, file.path);
    return { kind: "filed", path: file.path, id: attributes.id, version: attributes.version, passages: passages.length };
  } catch (thrown) {
    return { kind: "faulty", path: file.path, ...ownFault(thrown) };
  }
}

/** A document is one of its versions, or the one that nobody named. */
function keyOf({ id, version }: Attributes, isUnversioned: boolean): string {
  return isUnversioned ? id : keyText({ id, version });
}

function refuseTwice(id: string, other: string | undefined): void {
  if (other === undefined) return;
  throw new UnreadableFile("id_taken", `its id \`${id}\` is that of \`${shorten(other, 200)}\`; give it another, or a version`);
}

/** What a source keeps to its folder is changed in that folder. */
async function refuseOfSource(tx: Tx, { tenant, id }: { tenant: string; id: string }): Promise<void> {
  const owner = (await readOwners(tx, { tenant, id })).find((one) => one !== null);
  if (owner !== undefined)
    throw new UnreadableFile("id_taken", `its id \`${id}\` is that of a document of the source \`${owner}\``);
}

/** Versions that nobody named are states of one file, of which there is the last one. */
async function removeEarlier(tx: Tx, { library, tenant, id }: { library: Library; tenant: string; id: string }): Promise<void> {
  for (const one of await readShelf(tx, { tenant, source: null }))
    if (one.id === id && one.version === one.contentHash.slice(0, 12))
      await library.remove(tx, { tenant, id, version: one.version });
}
