import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./house-table.ts";

/** A TypeScript file with its path below the repository, slashes forward. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Reads every TypeScript file of some folders of the repository, declaration files left out; a folder that is absent gives none. */
export function readSources(folders: readonly string[]): Source[] {
  return folders
    .filter((folder) => existsSync(join(repository, folder)))
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: repository }))
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(repository, path), "utf8") }));
}
