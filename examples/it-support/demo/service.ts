import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Client, createClient } from "countersign/client";

const program = fileURLToPath(new URL("../../../bin/countersign.mjs", import.meta.url));
const project = fileURLToPath(new URL("..", import.meta.url));

/** What `countersign start` keeps in its folder; read here as its administrator would. */
interface Secrets {
  readonly rolePasswords: Readonly<Record<"deciding" | "desk" | "acting", string>>;
  readonly people: readonly { readonly id: string; readonly key: string }[];
}

/** A service that runs for the demo, and ways into it: over HTTP as a person, and into its database as an administrator or a role. */
export interface Service {
  readonly as: (personId: string) => Client;
  readonly adminUrl: string;
  readonly roleUrl: (role: "deciding" | "desk") => string;
  readonly command: (...words: string[]) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts the service in a new temporary folder and waits until it is ready. */
export async function startService(): Promise<Service> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-demo-"));
  const child = spawn(
    process.execPath,
    [program, "start", "--directory", directory, "--project", project, "--port", "0", "--json"],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const url = await readyUrl(child);
  const secrets = JSON.parse(await readFile(join(directory, "secrets/settings.json"), "utf8")) as Secrets; // written by `start`
  const adminUrl = await administratorUrl(directory);
  return {
    as: (personId) => createClient({ baseUrl: url, apiKey: keyOf(secrets, personId) }),
    adminUrl,
    roleUrl: (role) => {
      const own = new URL(adminUrl);
      own.username = role;
      own.password = secrets.rolePasswords[role];
      return own.href;
    },
    command: async (...words) =>
      (await promisify(execFile)(process.execPath, [program, ...words, "--directory", directory])).stdout,
    stop: async () => {
      await promisify(execFile)(process.execPath, [program, "stop", "--directory", directory]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function readyUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the service has no output");
  for await (const line of createInterface({ input: child.stdout })) {
    const said: { ready?: string } = JSON.parse(line);
    if (said.ready !== undefined) return said.ready;
  }
  throw new Error("the service ended before it was ready");
}

function keyOf(secrets: Secrets, personId: string): string {
  const person = secrets.people.find((one) => one.id === personId);
  if (person === undefined) throw new Error(`nobody in the demo has the id ${personId}`);
  return person.key;
}

/** The database's own login, from the files beside it: the port stands in the fourth line of `postmaster.pid`. */
async function administratorUrl(directory: string): Promise<string> {
  const [password, pidFile] = await Promise.all([
    readFile(join(directory, "secrets/admin-password"), "utf8"),
    readFile(join(directory, "postgres/postmaster.pid"), "utf8"),
  ]);
  return `postgresql://postgres:${encodeURIComponent(password.trim())}@127.0.0.1:${pidFile.split("\n")[3]}/postgres`;
}
