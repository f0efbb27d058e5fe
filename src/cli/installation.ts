import { mkdir } from "node:fs/promises";
import type { Sandbox } from "../define/sandbox.ts";
import { startEmbedded } from "../store/embedded.ts";
import { migrate } from "../store/migrate.ts";
import { addTenants, countOpenSlices } from "../store/owner.ts";
import { type ProjectSecrets, secretsFromEnvironment } from "./environments.ts";
import { hasEntry, loadEntry } from "./load.ts";
import { openSettings, type Settings } from "./settings.ts";

/** A database at the newest migration, with its settings and the project's secrets. */
export interface Installation {
  readonly adminUrl: string;
  readonly settings: Settings;
  readonly secrets: ProjectSecrets;
  readonly sandbox: Sandbox | null;
  /** Ends the embedded database; does nothing to one that was given by URL. */
  readonly stopDatabase: () => Promise<void>;
}

/** Prepares everything that the three processes need: database, migrations, keys, and in demo mode the sandbox. */
export async function prepareInstallation({ directory, project }: { directory: string; project: string }): Promise<Installation> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const sandbox = hasEntry(project, "sandbox") ? await loadEntry<Sandbox>(project, "sandbox") : null;
  const settings = await openSettings({ directory, people: (sandbox?.people ?? []).map((person) => ({ ...person, roles: [...person.roles] })) });
  const { adminUrl, stopDatabase } = await openDatabaseServer(directory);
  await migrate({ adminUrl, passwords: settings.rolePasswords });
  if (sandbox === null) return { adminUrl, settings, secrets: secretsFromEnvironment(process.env), sandbox, stopDatabase };
  await addTenants({ adminUrl, tenants: sandbox.tenants });
  return { adminUrl, settings, secrets: await sandbox.install({ adminUrl }), sandbox, stopDatabase };
}

async function openDatabaseServer(directory: string): Promise<Pick<Installation, "adminUrl" | "stopDatabase">> {
  const given = process.env["DATABASE_URL"];
  if (given !== undefined && given !== "") return { adminUrl: given, stopDatabase: async () => {} };
  const server = await startEmbedded({ directory });
  return { adminUrl: server.adminUrl, stopDatabase: () => server.stop() };
}

/** Says whether every slice of the sandbox has been opened by the acting process. */
export async function areSlicesOpen({ adminUrl, sandbox }: { adminUrl: string; sandbox: Sandbox }): Promise<boolean> {
  return (await countOpenSlices({ adminUrl })) >= sandbox.slices.length;
}
