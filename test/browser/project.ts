import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The whole project, running over a folder of its own. */
export interface RunningProject {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the project as its command line does, with all three processes and the demo. */
export async function startProject(): Promise<RunningProject> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-browser-"));
  const child = spawn(process.execPath, ["bin/countersign.mjs", "start", "--directory", directory, "--port", "0", "--json"], {
    cwd: new URL("../..", import.meta.url),
    stdio: ["ignore", "pipe", "pipe"],
    env: withoutDatabases(process.env),
  });
  const said: string[] = [];
  child.stderr.on("data", (part: Buffer) => said.push(part.toString()));
  const ended = once(child, "exit");
  const url = await Promise.race([readyUrl(child), ended.then(() => null)]);
  if (url === null) throw new Error(`the project did not start: ${said.join("")}`);
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function readyUrl({ stdout }: ChildProcess): Promise<string | null> {
  if (stdout === null) return null;
  for await (const line of createInterface({ input: stdout })) {
    const said: unknown = JSON.parse(line);
    if (typeof said === "object" && said !== null && "ready" in said) return String(said.ready);
    throw new Error(`the project did not start: ${line}`);
  }
  return null;
}

/** The test has a database of its own, whatever the shell names. */
function withoutDatabases(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:DATABASE_URL|COUNTERSIGN_.*|PORT)$/.test(name)));
}
