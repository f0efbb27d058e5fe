import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseDocument, type SourceDocument } from "../../it-support/sandbox/documents.ts";

const folder = fileURLToPath(new URL("../documents/", import.meta.url));

/** Reads every document of the demo, in the order of their file names. Throws with the name of a file that has not the expected form. */
export async function readDocuments(): Promise<readonly SourceDocument[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  return Promise.all(names.map(async (name) => parseDocument(name, await readFile(`${folder}${name}`, "utf8"))));
}
