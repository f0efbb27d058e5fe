import { parse } from "yaml";
import { z } from "zod";
import { instantOfDay } from "../../contract/document-dates.ts";
import { type FolderSource, wholeTenant } from "../../contract/document-source.ts";
import { isKeepableText } from "../../contract/json.ts";
import { type DocumentStatus, documentStatuses, type FiledDocument } from "../../contract/knowledge.ts";
import { idPattern } from "../../contract/limits.ts";
import { UnreadableFile } from "./faults.ts";

/** What is known of a file before it is read: everything of its document but the title, where nobody gives one. */
export type Attributes = Omit<FiledDocument, "title" | "contentHash"> & { readonly title: string | null };

/** Most characters of front matter, or of a file beside a file. */
const mostText = 64 * 1024;
/** Most labels of a file, and bytes of them together: who may see it is part of the key of what is filed, and that has a limit. */
const mostLabels = 50;
const mostLabelBytes = 1_000;

const words = z.string().trim().min(1).max(300);
const labels = z
  .union([z.string().transform((list) => list.split(",")), z.array(z.string())])
  .transform((list) => list.map((label) => label.trim()).filter((label) => label !== ""))
  .refine(
    (list) => list.length <= mostLabels && Buffer.byteLength(list.join("")) <= mostLabelBytes,
    `has more than ${mostLabels} labels, or ${mostLabelBytes} bytes of them`,
  );
const date = z.string().trim();
const metadataForm = z.strictObject({
  id: z.string().regex(idPattern, "is no id").optional(),
  title: words.optional(),
  version: z
    .string()
    .regex(/^[0-9A-Za-z.-]{1,40}$/, "has more than digits, letters, `.` and `-`")
    .optional(),
  owner: z.string().regex(idPattern, "is no id").optional(),
  status: z.enum(documentStatuses).optional(),
  superseded_by: z.string().optional(),
  valid_from: date.optional(),
  valid_to: date.optional(),
  scopes: labels.optional(),
  authority: z.enum(["true", "false"]).optional(),
  collection: z.string().regex(idPattern, "is no id").optional(),
  metadata: z.record(z.string().min(1).max(100), z.string().max(1_000)).optional(),
});

/** What a file, or the file beside it, says of itself. */
export type Metadata = z.infer<typeof metadataForm>;

/**
 * Reads what stands in front matter, or in a `.meta.yaml` or `.meta.json` beside a file: JSON is YAML too. Every value is text, so `2.0`
 * stays a version. Throws `UnreadableFile` that names the key.
 */
export function readMetadata(text: string): Metadata {
  if (text.length > mostText) throw bad(`it is longer than ${mostText} characters`);
  const parsed = metadataForm.safeParse(withoutEmpty(parsedYaml(text)));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === "unrecognized_keys") throw bad(`it has the unknown key \`${issue.keys[0]?.slice(0, 60)}\``);
  throw bad(`\`${issue?.path.join(".").slice(0, 60)}\` ${issue?.message}`);
}

/**
 * Joins what a file says of itself to what its source says; `path` is the file's within the source, with `/`. Throws `UnreadableFile`:
 * `bad_metadata`, or `wider_access` where it would be open to a label that its source is not open to.
 */
export function attributesOf({
  source,
  path,
  metadata,
  contentHash,
}: {
  source: FolderSource;
  path: string;
  metadata: Metadata;
  contentHash: string;
}): Attributes {
  const validFrom = dateOf(metadata, "valid_from") ?? source.validFrom;
  const validTo = dateOf(metadata, "valid_to") ?? source.validTo;
  if (validTo !== null && validTo <= validFrom) throw bad("it ends before it begins");
  const texts = Object.entries(metadata.metadata ?? {}).flat();
  if (![...texts, metadata.title ?? ""].every(isKeepableText)) throw bad("it holds text that cannot be kept");
  return {
    id: metadata.id ?? idOfPath(path),
    version: metadata.version ?? contentHash.slice(0, 12),
    title: metadata.title ?? null,
    collection: metadata.collection ?? source.collection,
    owner: metadata.owner ?? source.owner,
    source: source.name,
    ...statusOf(metadata, source.status),
    isAuthority: metadata.authority === undefined ? source.isAuthority : metadata.authority === "true",
    validFrom,
    validTo,
    scopes: scopesOf(metadata, source.scopes),
    metadata: metadata.metadata ?? {},
  };
}

/** An id by a path without its ending: `Terms/Refunds 2024.md` is `terms.refunds-2024`. Throws `UnreadableFile` where nothing is left of it. */
export function idOfPath(path: string): string {
  const plain = path
    .replace(/\.[^./]+$/, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();
  const id = plain
    .split("/")
    .map((part) => part.replace(/[^a-z0-9_.]+/g, "-").replace(/^[-_.]+|-+$/g, ""))
    .filter((part) => part !== "")
    .join(".");
  if (id === "") throw bad("its name holds no letter or digit of ASCII; give it an `id`");
  // Cut names would be those of other files.
  if (id.length > 63) throw bad("its path is too long for an id; give it an `id`");
  return id;
}

function statusOf(
  { status, superseded_by }: Metadata,
  fallback: DocumentStatus,
): { status: DocumentStatus; supersededBy: string | null } {
  const own = status ?? (superseded_by === undefined ? fallback : "superseded");
  if ((own === "superseded") !== (superseded_by !== undefined))
    throw bad("`superseded_by` is given where the status is `superseded`, and only there");
  return { status: own, supersededBy: superseded_by ?? null };
}

function scopesOf({ scopes }: Metadata, source: readonly string[]): readonly string[] {
  if (scopes === undefined) return source;
  const wider = source.includes(wholeTenant) ? undefined : scopes.find((label) => !source.includes(label));
  if (wider !== undefined)
    throw new UnreadableFile("wider_access", `it names the label \`${wider.slice(0, 100)}\`, which its source is not open to`);
  return scopes;
}

function dateOf(metadata: Metadata, field: "valid_from" | "valid_to"): number | null {
  const text = metadata[field];
  if (text === undefined) return null;
  const instant = instantOfDay(text, field === "valid_to");
  if (instant === null) throw bad(`\`${field}\` is neither a day such as \`2026-01-31\` nor an instant with its time zone`);
  return instant;
}

function parsedYaml(text: string): unknown {
  try {
    return parse(text, { schema: "failsafe", maxAliasCount: 20, prettyErrors: false }) ?? {};
  } catch {
    throw bad("it is no YAML");
  }
}

/** A key without a value is left out, as in `valid_to:`. */
function withoutEmpty(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ""));
}

function bad(detail: string): UnreadableFile {
  return new UnreadableFile("bad_metadata", detail);
}
