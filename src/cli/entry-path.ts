import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** The entry files of a project; `ingest` may be left out, and `sandbox` is for demo mode alone. */
export type EntryFile = "project" | "decide" | "hands" | "ingest" | "sandbox";

/** Where an entry file is: TypeScript as it is written, or JavaScript, since within `node_modules` Node strips no types. */
export function entryPath(folder: string, file: EntryFile): string | undefined {
  return ["ts", "js"].map((ending) => join(resolve(folder), `${file}.${ending}`)).find((path) => existsSync(path));
}
