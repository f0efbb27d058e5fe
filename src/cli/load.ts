import { pathToFileURL } from "node:url";
import { CountersignError, isCountersignError, messageOf } from "../contract/errors.ts";
import { type EntryFile, entryPath } from "./entry-path.ts";

/**
 * Loads the default export of one entry file of a project. The only computed import of the whole program.
 * The caller says which type it expects; the maker of that type (`defineProject`, `defineHands`, …) has checked it.
 */
export async function loadEntry<T extends object>(folder: string, file: EntryFile): Promise<T> {
  const path = entryPath(folder, file);
  if (path === undefined) {
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
  return entryPath(folder, file) !== undefined;
}

async function imported(path: string): Promise<{ default?: unknown }> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (thrown) {
    if (isCountersignError(thrown)) throw thrown;
    throw new CountersignError("definition_invalid", `\`${path}\` could not be loaded: ${messageOf(thrown)}`, { cause: thrown });
  }
}
