import type { Sandbox } from "../define/sandbox.ts";
import { hashOfKey } from "../identity/keys.ts";
import { putPeople } from "../identity/manage-accounts.ts";
import { startEmbedded } from "../store/embedded.ts";
import { migrate, roleUrl } from "../store/migrate.ts";
import { addTenants, countOpenSlices } from "../store/owner.ts";
import { type ProjectSecrets, secretsFromEnvironment } from "./environments.ts";
import { hasEntry, loadEntry } from "./load.ts";
import { keepSandboxFacts } from "./sandbox-facts.ts";
import { isSame, openSettings, type Settings } from "./settings.ts";

/** A database at the newest migration, with its settings and the project's secrets. */
export interface Installation {
  readonly adminUrl: string;
  readonly settings: Settings;
  readonly secrets: ProjectSecrets;
  readonly sandbox: Sandbox | null;
  readonly isEmbedded: boolean;
  /** Ends the embedded database; does nothing to one that was given by URL. */
  readonly stopDatabase: () => Promise<void>;
}

/** Prepares everything that the three processes need: database, migrations, keys, and in demo mode the sandbox. */
export async function prepareInstallation({
  directory,
  project,
  signal,
}: {
  directory: string;
  project: string;
  signal: AbortSignal;
}): Promise<Installation> {
  const sandbox = hasEntry(project, "sandbox") ? await loadEntry<Sandbox>(project, "sandbox") : null;
  const settings = await openSettings({
    directory,
    people: (sandbox?.people ?? []).map((person) => ({ ...person, roles: [...person.roles] })),
  });
  const server = await openDatabaseServer(directory, signal);
  try {
    return {
      ...server,
      settings,
      sandbox,
      secrets: await fillInstallation({ adminUrl: server.adminUrl, settings, sandbox, signal }),
    };
  } catch (thrown) {
    await server.stopDatabase();
    throw thrown;
  }
}

/** Migrates and, in demo mode, fills the sandbox; what a kill leaves half done, the next start completes. Gives the project's secrets. */
export async function fillInstallation({
  adminUrl,
  settings,
  sandbox,
  signal,
}: Pick<Installation, "adminUrl" | "settings" | "sandbox"> & { signal: AbortSignal }): Promise<ProjectSecrets> {
  signal.throwIfAborted();
  await migrate({ adminUrl, passwords: settings.rolePasswords });
  if (sandbox === null) {
    await putPeople(adminUrl, { people: keptPeople(settings), follows: false });
    return secretsFromEnvironment(process.env);
  }
  signal.throwIfAborted();
  await addTenants({ adminUrl, tenants: sandbox.tenants });
  const isDemo = (one: { tenant: string; id: string }) => sandbox.people.some((person) => isSame(one, person));
  const kept = keptPeople(settings);
  await putPeople(adminUrl, { people: kept.filter((one) => !isDemo(one)), follows: false });
  await putPeople(adminUrl, { people: kept.filter(isDemo), follows: true });
  const secrets = await sandbox.install({ adminUrl });
  const url = roleUrl({ adminUrl, role: "acting", password: settings.rolePasswords.acting });
  await keepSandboxFacts({ url, facts: sandbox.facts ?? [] });
  return secrets;
}

/** The people that the settings keep: those of sandboxes with their keys, and those of an earlier version with the hashes of theirs. */
function keptPeople({ people, accounts = [] }: Settings): Parameters<typeof putPeople>[1]["people"] {
  return [
    ...people.map(({ key, ...person }) => ({ ...person, keyHash: hashOfKey(key) })),
    ...accounts.map(({ hashes, ...person }) => ({ ...person, keyHash: Buffer.from(hashes.desk, "hex") })),
  ];
}

async function openDatabaseServer(
  directory: string,
  signal: AbortSignal,
): Promise<Pick<Installation, "adminUrl" | "stopDatabase" | "isEmbedded">> {
  const given = process.env["DATABASE_URL"];
  if (given !== undefined && given !== "") return { adminUrl: given, isEmbedded: false, stopDatabase: async () => {} };
  const server = await startEmbedded({ directory, signal });
  return { adminUrl: server.adminUrl, isEmbedded: true, stopDatabase: () => server.stop() };
}

/** Says whether every slice of the sandbox has been opened by the acting process. */
export async function areSlicesOpen({ adminUrl, sandbox }: { adminUrl: string; sandbox: Sandbox }): Promise<boolean> {
  return (await countOpenSlices({ adminUrl })) >= sandbox.slices.length;
}
