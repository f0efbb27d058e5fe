import type { ChildProcess } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { CountersignError, isCountersignError } from "../contract/errors.ts";
import { type DatabaseRole, databaseRoles } from "../contract/words.ts";
import { freePort } from "./port.ts";
import { commandOf, endChild, logOf, readyOf, spawnChild } from "./spawn-child.ts";

/** Processes that decide, sign and act over one database of a scratch installation. */
export interface EvalWorld {
  readonly adminUrl: string;
  /** Where its logs are. */
  readonly directory: string;
  /** The desk's address. */
  readonly url: string;
  /** Ends one kind of process; nothing is there of it afterwards. */
  readonly end: (role: DatabaseRole) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What a world is made of. */
export interface WorldParts {
  readonly adminUrl: string;
  /** Where logs and heads are kept. */
  readonly directory: string;
  readonly roles: readonly DatabaseRole[];
  readonly environments: (ports: { desk: number; decider: number }) => Readonly<Record<DatabaseRole, NodeJS.ProcessEnv>>;
}

/** Longer than the first comparison of documents is waited for, on a machine that is busy. */
const readyWithinMs = 60_000;
const stopWithinMs = 10_000;

/** Starts the processes, each with an environment of its own. Where one fails none is left; throws what it said. */
export async function openWorld({ adminUrl, directory, roles, environments }: WorldParts): Promise<EvalWorld> {
  await mkdir(directory, { recursive: true });
  const env = environments({ desk: await freePort(), decider: await freePort() });
  const children = new Map<DatabaseRole, ChildProcess>();
  const end = async (role: DatabaseRole): Promise<void> => {
    const child = children.get(role);
    children.delete(role);
    if (child !== undefined) await endChild(child, stopWithinMs);
  };
  const stop = async (): Promise<void> => void (await Promise.all([...children.keys()].map(end)));
  const urls = await Promise.allSettled(
    roles.map((role) => {
      const child = spawnChild({ role, env: env[role], directory });
      children.set(role, child);
      return readyOf(child, { name: commandOf[role], withinMs: readyWithinMs });
    }),
  );
  const failed = urls.find((one) => one.status === "rejected");
  if (failed !== undefined) {
    await stop();
    throw await explained(failed.reason, directory);
  }
  const desk = urls[roles.indexOf("desk")];
  return { adminUrl, directory, url: desk?.status === "fulfilled" ? (desk.value ?? "") : "", end, stop };
}

/** The logs go with the world, so what a process last said of its end is told here. */
async function explained(thrown: unknown, directory: string): Promise<unknown> {
  const name = isCountersignError(thrown) ? thrown.facts["name"] : undefined;
  const role = databaseRoles.find((one) => commandOf[one] === name);
  if (!isCountersignError(thrown) || role === undefined) return thrown;
  const log = await readFile(logOf(directory, role), "utf8").catch(() => "");
  const said = log.trim().split("\n").slice(-12).join(" ").slice(-1_500);
  return new CountersignError(
    thrown.code,
    `\`${commandOf[role]}\` did not start in the scratch installation: ${said || thrown.message}`,
    { cause: thrown },
  );
}
