import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../documents/", import.meta.url));
const fields = ["id", "title", "version", "owner", "status", "valid_from", "valid_to", "scopes"] as const;

/** A document with its passages: the sections, in order from position 1. Dates are days in UTC; `validTo` is the last day. */
export interface SourceDocument {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly owner: string;
  readonly status: "current" | "draft" | "archived";
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly scopes: readonly string[];
  readonly passages: readonly { readonly position: number; readonly section: string; readonly text: string }[];
}

/** Reads every document of the demo, in the order of their file names. Throws with the name of a file that has not the expected form. */
export async function readDocuments(): Promise<readonly SourceDocument[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  return Promise.all(names.map(async (name) => parseDocument(name, await readFile(`${folder}${name}`, "utf8"))));
}

/** Reads one document: front matter between two lines of `---`, then sections that begin with `## `. */
export function parseDocument(name: string, text: string): SourceDocument {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined || body === undefined) throw new Error(`document \`${name}\` has no front matter`);
  const front = readFrontMatter(name, head);
  const passages = body
    .split(/^## /m)
    .slice(1)
    .map((part, index) => readSection(part, index + 1));
  if (passages.length === 0) throw new Error(`document \`${name}\` has no section`);
  return {
    id: front.id,
    title: front.title,
    version: front.version,
    owner: front.owner,
    status: readStatus(name, front.status),
    validFrom: front.valid_from,
    validTo: front.valid_to === "" ? null : front.valid_to,
    scopes: front.scopes
      .split(",")
      .map((label) => label.trim())
      .filter((label) => label !== ""),
    passages,
  };
}

function readFrontMatter(name: string, head: string): Record<(typeof fields)[number], string> {
  const found = new Map(
    head.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const read = (field: (typeof fields)[number]) => {
    const value = found.get(field);
    if (value === undefined) throw new Error(`document \`${name}\` does not say its \`${field}\``);
    return [field, value];
  };
  // One pair per field of the list, so every key is there.
  return Object.fromEntries(fields.map(read)) as Record<(typeof fields)[number], string>;
}

function readSection(part: string, position: number): SourceDocument["passages"][number] {
  const [section = "", ...lines] = part.split("\n");
  return { position, section: section.trim(), text: lines.join("\n").trim() };
}

function readStatus(name: string, status: string): SourceDocument["status"] {
  if (status === "current" || status === "draft" || status === "archived") return status;
  throw new Error(`document \`${name}\` has the unknown status \`${status}\``);
}
