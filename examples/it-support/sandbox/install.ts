import { fileURLToPath } from "node:url";
import { installSystem, type SystemPasswords } from "./install-system.ts";

const definition = fileURLToPath(new URL("helpdesk.sql", import.meta.url));

/** The URLs of the three logins, under the names of the secrets that hold them. */
export type HelpdeskUrls = Readonly<Record<"HELPDESK_READ_URL" | "HELPDESK_WRITE_URL" | "HELPDESK_OBSERVE_URL", string>>;

/** Puts the help desk's system of record into a database, in the schema `helpdesk`. */
export async function installSandbox(place: { adminUrl: string; passwords: SystemPasswords }): Promise<HelpdeskUrls> {
  const { read, write, observe } = await installSystem({ schema: "helpdesk", definition }, place);
  return { HELPDESK_READ_URL: read, HELPDESK_WRITE_URL: write, HELPDESK_OBSERVE_URL: observe };
}
