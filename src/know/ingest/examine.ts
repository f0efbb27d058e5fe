import { createHash } from "node:crypto";
import type { FolderSource } from "../../contract/document-source.ts";
import { canonicalJson } from "../../contract/json.ts";
import { type FileFault, passingFaults, UnreadableFile } from "./faults.ts";
import { faultOf, type ListedFile } from "./list-files.ts";
import { type Attributes, attributesOf, type Metadata, readMetadata } from "./metadata.ts";
import { decodeText } from "./parsers/decode-text.ts";
import { frontMatterEnd } from "./parsers/front-matter.ts";
import { readBeside, readBytes, stampOf } from "./read-bytes.ts";

/** Changes with what the parsers and the division into passages make of a file: what was filed by an older one is filed anew. */
const readerVersion = 1;

/** A file before it is read by a parser: what its document will be, or why there will be none. */
export type Seen =
  | {
      readonly kind: "good";
      readonly file: ListedFile;
      readonly contentHash: string;
      readonly attributes: Attributes;
      /** SHA-256 over the attributes but for who may see it, in hex. */
      readonly attributesHash: string;
    }
  | {
      readonly kind: "faulty";
      readonly path: string;
      readonly contentHash: string | null;
      readonly fault: FileFault;
      readonly detail: string;
    };

/** What is remembered of files between runs, so that only those that were written to are opened again. */
export type Remembered = Map<string, { readonly stamp: string; readonly seen: Seen }>;

/** Looks at a file: its hash and what is said of it. Never throws for a file. */
export async function examine({
  root,
  source,
  file,
  remembered,
}: {
  root: string;
  source: FolderSource;
  file: ListedFile;
  remembered: Remembered;
}): Promise<Seen> {
  try {
    const stamp = await stampsOf(root, file);
    const known = remembered.get(file.path);
    if (known !== undefined && known.stamp === stamp) return known.seen;
    const seen = await look({ root, source, file });
    const isPassing = seen.kind === "faulty" && passingFaults.includes(seen.fault);
    // Written to while it was looked at: the next run looks again.
    if (isPassing || (await stampsOf(root, file)) !== stamp) remembered.delete(file.path);
    else remembered.set(file.path, { stamp, seen });
    return seen;
  } catch (thrown) {
    return { kind: "faulty", path: file.path, contentHash: null, ...faultOf(thrown) };
  }
}

async function look({ root, source, file }: { root: string; source: FolderSource; file: ListedFile }): Promise<Seen> {
  let contentHash: string | null = null;
  try {
    const { bytes, hash } = await readBytes(root, file);
    contentHash = hash;
    const beside = file.beside === null ? {} : await metadataBeside(root, file.beside);
    const metadata: Metadata = { ...(file.format === "markdown" ? frontMatter(bytes) : {}), ...beside };
    const attributes = attributesOf({ source, path: file.path, metadata, contentHash });
    return { kind: "good", file, contentHash, attributes, attributesHash: hashOf(attributes) };
  } catch (thrown) {
    return { kind: "faulty", path: file.path, contentHash, ...faultOf(thrown) };
  }
}

function frontMatter(bytes: Buffer): Metadata {
  const text = decodeText(bytes);
  const end = frontMatterEnd(text);
  return end === 0
    ? {}
    : readMetadata(
        text
          .slice(0, end)
          .replace(/^\uFEFF?---[ \t]*\n/, "")
          .replace(/---[ \t]*\n?$/, ""),
      );
}

async function metadataBeside(root: string, path: string): Promise<Metadata> {
  const { bytes } = await readBeside(root, path).catch((thrown: unknown) => {
    // What it says could be anybody's; nobody takes it for nothing said, which may be wider.
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ELOOP")
      throw new UnreadableFile("bad_metadata", "the file beside it is a link");
    throw thrown;
  });
  return bytes.byteLength === 0 ? {} : readMetadata(decodeText(bytes));
}

function hashOf({ scopes: _, ...attributes }: Attributes): string {
  return createHash("sha256")
    .update(canonicalJson({ ...attributes, readerVersion }))
    .digest("hex");
}

async function stampsOf(root: string, { place, beside }: ListedFile): Promise<string> {
  return `${await stampOf(place)} ${beside === null ? "" : await stampOf(`${root}/${beside}`)}`;
}
