import { access, constants, mkdir } from "node:fs/promises";
import { CountersignError } from "../contract/errors.ts";

/** Makes an installation's folder, for its owner alone. Throws `configuration_invalid` where it cannot be made or written. */
export async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const why = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    const message = `\`${directory}\` cannot be written (${why}); name a folder of your own with --directory`;
    throw new CountersignError("configuration_invalid", message, { facts: { directory, why }, cause });
  }
}
