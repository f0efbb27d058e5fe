import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DatabaseRole, databaseRoles } from "../contract/words.ts";
import { startEmbedded, stopEmbedded } from "../store/embedded.ts";
import { migrate, roleUrl } from "../store/migrate.ts";

/** A database server of its own that nothing else uses. */
export interface ScratchServer {
  /** Where its server and whatever else belongs to it stands; gone afterwards. */
  readonly directory: string;
  readonly adminUrl: string;
  /** The process was told to end: whatever fails from now on says nothing. */
  readonly isLeaving: () => boolean;
}

/** A migrated database on a server of its own. */
export interface ScratchDatabase extends Omit<ScratchServer, "directory"> {
  readonly urls: Readonly<Record<DatabaseRole, string>>;
}

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Does `work` with a scratch database: another server than the installation's, since logins belong to a whole server. It is gone
 * afterwards, also where the process is told to end meanwhile. Throws what starting a database throws.
 */
export function withScratchDatabase<T>(work: (database: ScratchDatabase) => Promise<T>): Promise<T> {
  return withScratchServer(async ({ adminUrl, isLeaving }) => {
    const password = () => randomBytes(24).toString("base64url");
    const passwords = { deciding: password(), desk: password(), acting: password(), ingesting: password() };
    await migrate({ adminUrl, passwords });
    const urls = Object.fromEntries(databaseRoles.map((role) => [role, roleUrl({ adminUrl, role, password: passwords[role] })]));
    // One pair for each role of the list.
    return work({ adminUrl, urls: urls as ScratchDatabase["urls"], isLeaving });
  });
}

/**
 * Does `work` with a database server that nothing else uses and in which nothing is yet. It is gone afterwards, also where the process is
 * told to end meanwhile; `onLeave` is waited for first then. Throws what starting a database throws.
 */
export async function withScratchServer<T>(
  work: (server: ScratchServer) => Promise<T>,
  onLeave: () => Promise<void> = async () => {},
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-scratch-"));
  // Where root may not make user namespaces, PostgreSQL runs as another user, who has to get through.
  await chmod(directory, 0o711);
  const remove = async (): Promise<void> => {
    await stopEmbedded({ directory });
    await rm(directory, { recursive: true, force: true });
  };
  let left: Promise<never> | null = null;
  const leave = (): void => {
    left ??= onLeave()
      .then(remove)
      .then(
        () => process.exit(130),
        () => process.exit(130),
      );
  };
  for (const signal of signals) process.once(signal, leave);
  try {
    // Nothing in it outlives the run, so nothing is written with care.
    const { adminUrl } = await startEmbedded({ directory, settings: { fsync: "off", synchronous_commit: "off" } });
    return await work({ directory, adminUrl, isLeaving: () => left !== null });
  } finally {
    // Ends with the process: what the work came to without its database is nobody's result.
    if (left !== null) await left;
    for (const signal of signals) process.off(signal, leave);
    await remove();
  }
}
