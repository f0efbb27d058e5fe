import { appendFileSync } from "node:fs";
import type { CountersignError } from "../contract/errors.ts";
import { type DatabaseRole, databaseRoles, writerRoles } from "../contract/words.ts";
import { type Kept, keepAlive, usualPatience } from "./keep-alive.ts";
import { commandOf, logOf, spawnChild } from "./spawn-child.ts";

/** The three processes, and the reader of documents where the project has some. */
export interface Children {
  /** The desk's address. */
  readonly url: string;
  readonly pids: () => readonly number[];
  readonly stop: () => Promise<void>;
}

/** Starts the processes, each with an environment of its own, and keeps them alive. Where one fails, none is left. */
export async function startChildren({
  env,
  hasDocuments,
  directory,
  say,
  onPid,
  onGivenUp,
}: {
  env: Readonly<Record<DatabaseRole, NodeJS.ProcessEnv>>;
  /** Whether the project has documents to be read or to be given vectors; without, nobody needs the fourth process. */
  hasDocuments: boolean;
  directory: string;
  say: (line: string) => void;
  onPid: () => void;
  onGivenUp: (error: CountersignError) => void;
}): Promise<Children> {
  const keep = (role: DatabaseRole): Promise<Kept> =>
    keepAlive({
      name: commandOf[role],
      launch: (url) => spawnChild({ role, directory, env: url === null ? env[role] : { ...env[role], ...samePort(url) } }),
      patience: usualPatience,
      say: (line) => {
        say(line);
        const entry = { at: new Date().toISOString(), level: "warn", message: line };
        appendFileSync(logOf(directory, role), `${JSON.stringify(entry)}\n`);
      },
      onPid,
      onGivenUp,
    });
  const begun = await Promise.allSettled((hasDocuments ? databaseRoles : writerRoles).map(keep));
  const children = begun.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const stop = async (): Promise<void> => void (await Promise.all(children.map((child) => child.stop())));
  const [, desk] = children;
  const failed = begun.find((one) => one.status === "rejected");
  if (failed === undefined) return { url: desk?.url ?? "", pids: () => children.flatMap((child) => child.pid() ?? []), stop };
  await stop();
  throw failed.reason;
}

/** Whoever took any free port comes back on the one that it had, so that addresses stay good. */
function samePort(url: string): { PORT: string } {
  return { PORT: new URL(url).port };
}
