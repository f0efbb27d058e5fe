import { CountersignError } from "../contract/errors.ts";
import type { DatabaseRole } from "../contract/words.ts";
import { embeddedStatus, startEmbedded } from "../store/embedded.ts";
import { roleUrl } from "../store/migrate.ts";
import { readSettings } from "./settings.ts";
import { withStartLock } from "./start-lock.ts";

/** Does `work` with the database URL of one role: from the environment, or of the embedded database. */
export async function withRoleUrl<T>(
  { directory, role }: { directory: string; role: DatabaseRole },
  work: (url: string) => Promise<T>,
): Promise<T> {
  const given = process.env[`COUNTERSIGN_${role.toUpperCase()}_URL`];
  if (given !== undefined && given !== "") return work(given);
  const password = await passwordOf(directory, role);
  return withEmbedded(directory, (adminUrl) => work(roleUrl({ adminUrl, role, password })));
}

/** Whether an installation is there, in its folder or by `DATABASE_URL`; looking for one makes none. */
export async function isInstalled(directory: string): Promise<boolean> {
  return (process.env["DATABASE_URL"] ?? "") !== "" || (await readSettings(directory)) !== null;
}

/** Does `work` with the owner's URL: `DATABASE_URL`, or that of the embedded database. */
export async function withOwnerUrl<T>(directory: string, work: (adminUrl: string) => Promise<T>): Promise<T> {
  const given = process.env["DATABASE_URL"];
  return given !== undefined && given !== "" ? work(given) : withEmbedded(directory, work);
}

/** Where the embedded database does not run it is started for this work and stopped again, as the only start of the installation meanwhile. */
async function withEmbedded<T>(directory: string, work: (adminUrl: string) => Promise<T>): Promise<T> {
  const withServer = async (): Promise<{ done: T; stop: () => Promise<void> }> => {
    const server = await startEmbedded({ directory });
    const stop = server.adopted ? async () => {} : () => server.stop();
    try {
      return { done: await work(server.adminUrl), stop };
    } catch (thrown) {
      await stop();
      throw thrown;
    }
  };
  if ((await embeddedStatus({ directory })).kind === "running") return (await withServer()).done;
  return withStartLock(directory, async () => {
    const { done, stop } = await withServer();
    await stop();
    return done;
  });
}

async function passwordOf(directory: string, role: DatabaseRole): Promise<string> {
  const settings = await readSettings(directory);
  if (settings !== null) return settings.rolePasswords[role];
  const message = `nothing is installed in \`${directory}\`; start it once, or set COUNTERSIGN_${role.toUpperCase()}_URL`;
  throw new CountersignError("configuration_invalid", message);
}
