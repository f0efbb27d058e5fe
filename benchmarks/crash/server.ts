/** The embedded PostgreSQL under fire: killed with SIGKILL and started again, or paused with all that it consists of. */
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { type EmbeddedServer, embeddedStatus, startEmbedded, stopEmbedded } from "../../src/store/embedded.ts";

/** The database's server. It keeps its port through every death. */
export interface Server {
  readonly adminUrl: string;
  /** Kills the postmaster or, as often as not, one process that serves a connection; resolves when it serves again. `false` where none ran. */
  readonly kill: () => Promise<boolean>;
  /** Pauses the whole server for a while. */
  readonly pause: (ms: number) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** Starts the server of a folder with its durable defaults. */
export async function startServer(directory: string): Promise<Server> {
  // Less to recover from after each death, and a bound for the disk.
  const start = (): Promise<EmbeddedServer> => startEmbedded({ directory, settings: { max_wal_size: "256MB" } });
  const { adminUrl } = await start();
  const processes = async (): Promise<readonly number[]> => {
    const status = await embeddedStatus({ directory });
    return status.kind === "running" ? [status.pid, ...(await childrenOf(status.pid))] : [];
  };
  return {
    adminUrl,
    async kill() {
      const [postmaster, ...others] = await processes();
      const one = others[Math.floor(Math.random() * others.length)];
      const isWhole = Math.random() < 0.7 || one === undefined;
      const victim = isWhole ? postmaster : one;
      if (victim === undefined || !signal(victim, "SIGKILL")) return false;
      while (isWhole && (await processes()).includes(victim)) await wait(10);
      await start();
      return true;
    },
    async pause(ms) {
      const paused = (await processes()).filter((pid) => signal(pid, "SIGSTOP"));
      await wait(ms);
      for (const pid of paused.reverse()) signal(pid, "SIGCONT");
      return paused.length > 0;
    },
    close: async () => void (await stopEmbedded({ directory })),
  };
}

/** The processes of a postmaster; where the system does not list them, none: then only the postmaster itself is struck. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text
    .split(" ")
    .map(Number)
    .filter((child) => child > 0);
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
