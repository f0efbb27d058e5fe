import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CountersignError, isCountersignError, messageOf } from "../contract/errors.ts";

/** The entry files of a project; `ingest` may be left out, and `sandbox` is for demo mode alone. */
export type EntryFile = "project" | "decide" | "hands" | "ingest" | "sandbox";

/**
 * Loads the default export of one entry file of a project. The only computed import of the whole program.
 * The caller says which type it expects; the maker of that type (`defineProject`, `defineHands`, …) has checked it.
 */
export async function loadEntry<T extends object>(folder: string, file: EntryFile): Promise<T> {
  const path = join(resolve(folder), `${file}.ts`);
  if (!existsSync(path)) {
    throw new CountersignError(
      "configuration_invalid",
      `there is no \`${file}.ts\` in \`${folder}\`; name a project with --project`,
    );
  }
  const loaded: { default?: unknown } = await imported(path);
  if (typeof loaded.default !== "object" || loaded.default === null) {
    throw new CountersignError("definition_invalid", `\`${file}.ts\` of \`${folder}\` has no default export`);
  }
  return loaded.default as T; // made by the matching define function, see above
}

/** Says whether a project has an entry file. */
export function hasEntry(folder: string, file: EntryFile): boolean {
  return existsSync(join(resolve(folder), `${file}.ts`));
}

async function imported(path: string): Promise<{ default?: unknown }> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (thrown) {
    if (isCountersignError(thrown)) throw thrown;
    throw new CountersignError("definition_invalid", `\`${path}\` could not be loaded: ${messageOf(thrown)}`, { cause: thrown });
  }
}
