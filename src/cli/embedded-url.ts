import { CountersignError } from "../contract/errors.ts";
import type { WriterRole } from "../contract/words.ts";
import { startEmbedded } from "../store/embedded.ts";
import { roleUrl } from "../store/migrate.ts";
import { readSettings } from "./settings.ts";

/** The database URL of one role: from the environment, or of the embedded database, which is started where it does not run. */
export async function embeddedUrl(directory: string, role: WriterRole): Promise<string> {
  const given = process.env[`COUNTERSIGN_${role.toUpperCase()}_URL`];
  if (given !== undefined && given !== "") return given;
  const settings = await readSettings(directory);
  if (settings === null) {
    throw new CountersignError("configuration_invalid", `nothing is installed in \`${directory}\`; start it once, or set COUNTERSIGN_${role.toUpperCase()}_URL`);
  }
  const { adminUrl } = await startEmbedded({ directory });
  return roleUrl({ adminUrl, role, password: settings.rolePasswords[role] });
}
