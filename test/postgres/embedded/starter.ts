import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { EmbeddedServer } from "../../../src/store/embedded.ts";

const children = new Set<ChildProcess>();

/** Kills the child processes of a test that are still there. */
export async function endChildren(): Promise<void> {
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await once(child, "exit");
  }
  children.clear();
}

/** Has `endChildren` end a process that a test spawned. */
export function track(child: ChildProcess): ChildProcess {
  children.add(child);
  return child;
}

type Started = Pick<EmbeddedServer, "adopted" | "port" | "dataDirectory">;
type ChildOptions = { uid?: number; gid?: number; path?: string; stayAlive?: boolean };

/** Starts the server from another process, which ends after it; rejects with what that process printed when it fails. */
export async function startInChild(folder: string, options: ChildOptions = {}): Promise<Started> {
  const { child, output } = runChild(folder, options);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(output());
  return JSON.parse(output());
}

/** Starts the server from another process, in a process group of its own; `output` is what it printed so far. */
export function runChild(folder: string, { uid, gid, path, stayAlive }: ChildOptions) {
  const source = `
    import { startEmbedded } from ${JSON.stringify(new URL("../../../src/store/embedded.ts", import.meta.url).href)};
    try {
      const { adopted, port, dataDirectory } = await startEmbedded({ directory: ${JSON.stringify(folder)} });
      console.log(JSON.stringify({ adopted, port, dataDirectory }));
      ${stayAlive === true ? "setInterval(() => {}, 1000);" : ""}
    } catch (error) {
      console.log(error.code, error.stack);
      process.exitCode = 1;
    }`;
  const account = uid === undefined ? {} : { uid, gid };
  const env = { ...process.env, A_SECRET_OF_OURS: "hush", ...(path === undefined ? {} : { PATH: path }) };
  const args = ["--input-type=module", "--eval", source];
  const child = spawn(process.execPath, args, { ...account, env, cwd: "/", detached: true, stdio: ["ignore", "pipe", "pipe"] });
  track(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  return { child, output: () => output };
}
