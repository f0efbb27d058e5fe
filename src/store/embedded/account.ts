import { chmod, cp, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { CountersignError } from "../../contract/errors.ts";
import { type Binaries, binary } from "./binaries.ts";
import { type Account, runProgram } from "./run.ts";

/** Where root keeps what an unprivileged account must reach: such an account often cannot enter the project's own folder. */
export const reachableRoot = "/var/lib/countersign";

/**
 * Chooses the account that runs PostgreSQL, which refuses root: ourselves, or for root a user namespace, or an unprivileged user.
 * `owner` is the uid of existing data; it decides, because PostgreSQL serves only what its account owns.
 * Throws `database_start_failed` with what to do when no account will do.
 */
export async function chooseAccount(owner: { uid: number; gid: number } | undefined): Promise<Account> {
  const uid = process.getuid?.();
  if (uid === undefined) throw unsupported(process.platform);
  if (uid !== 0) {
    if (owner === undefined || owner.uid === uid) return { kind: "self" };
    const message = `the database belongs to the user with uid ${owner.uid} and we run as uid ${uid}; start as that user`;
    throw new CountersignError("database_start_failed", message, { facts: { ownerUid: owner.uid, uid } });
  }
  if (owner !== undefined && owner.uid !== 0) return { kind: "user", ...owner };
  if (await canUseNamespaces()) return { kind: "namespace" };
  // Files of root cannot be served by another user, and taking them over is not ours to decide.
  const other = owner === undefined ? await unprivilegedUser() : undefined;
  if (other !== undefined) return other;
  throw noAccount(owner !== undefined);
}

/** Gives programs that the account can run: the installed ones, or a copy where it cannot reach those. */
export async function reachableBinaries(account: Account, binaries: Binaries): Promise<Binaries> {
  if (account.kind !== "user" || (await canRun(account, binaries))) return binaries;
  const copy: Binaries = { root: join(reachableRoot, `postgresql-${binaries.version}`), version: binaries.version };
  if (await canRun(account, copy)) return copy;
  const draft = `${copy.root}.${process.pid}`;
  await makeReachableRoot();
  await cp(binaries.root, draft, { recursive: true, verbatimSymlinks: true });
  await rm(copy.root, { recursive: true, force: true });
  await rename(draft, copy.root);
  if (await canRun(account, copy)) return copy;
  throw new CountersignError(
    "database_start_failed",
    `uid ${account.uid} cannot run PostgreSQL from \`${copy.root}\`; check its permissions`,
    {
      facts: { uid: account.uid, path: copy.root },
    },
  );
}

/** Says whether the account can pass through a directory to files below it. */
export async function canEnter(account: Account, directory: string): Promise<boolean> {
  return (await runProgram({ command: "/bin/sh", args: ["-c", '[ -x "$1" ]', "sh", directory], account })).code === 0;
}

/** Makes the folder that every account can enter and only root can write; throws `database_start_failed` when it cannot. */
export async function makeReachableRoot(): Promise<void> {
  try {
    await mkdir(reachableRoot, { recursive: true });
    await chmod(reachableRoot, 0o755);
  } catch (cause) {
    const message = `cannot create \`${reachableRoot}\`; create it, or start as a user who is not root, or set \`DATABASE_URL\``;
    throw new CountersignError("database_start_failed", message, { facts: { path: reachableRoot }, cause });
  }
}

async function canRun(account: Account, binaries: Binaries): Promise<boolean> {
  return (await runProgram({ command: binary(binaries, "postgres"), args: ["--version"], account })).code === 0;
}

/** `initdb` also wants a name for the uid it runs under, so the namespace is asked for one. */
async function canUseNamespaces(): Promise<boolean> {
  return (await runProgram({ command: "id", args: ["-un"], account: { kind: "namespace" } })).code === 0;
}

async function unprivilegedUser(): Promise<Account | undefined> {
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = await Promise.all([idOf("-u", name), idOf("-g", name)]);
    if (uid !== undefined && gid !== undefined && uid > 0) return { kind: "user", uid, gid };
  }
  return undefined;
}

async function idOf(which: "-u" | "-g", name: string): Promise<number | undefined> {
  const { code, output } = await runProgram({ command: "id", args: [which, name] });
  return code === 0 ? Number(output.trim()) : undefined;
}

function noAccount(isRootOwned: boolean): CountersignError {
  const reason = isRootOwned ? "its data belongs to root" : "there is no user `postgres` or `nobody`";
  const message = `PostgreSQL does not run as root, user namespaces are not allowed here and ${reason}; start as a user who is not root, or set \`DATABASE_URL\``;
  return new CountersignError("database_start_failed", message, { facts: { isRootOwned } });
}

function unsupported(platform: string): CountersignError {
  const message = `the embedded database does not run on \`${platform}\`; set \`DATABASE_URL\` to a PostgreSQL 18 server`;
  return new CountersignError("database_start_failed", message, { facts: { platform } });
}
