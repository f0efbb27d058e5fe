/** Starts the target, waits with it for a caller at a mark, and reads what it wrote down. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SentChange } from "./project/connectors.ts";

/** Where a call may be when its caller dies: it has arrived, the change is made and not answered, a read has arrived. */
export type Mark = "arrived" | "applied" | "read";
export const marks: readonly Mark[] = ["arrived", "applied", "read"];

/** What the target is told, and what it tells. */
export interface TargetOrder {
  readonly tell: Mark | null;
}
export interface Passing {
  readonly mark: Mark;
  readonly pid: number;
}

/** One change that the target made: its own truth, a line of its log. */
export interface Applied extends Pick<SentChange, "kind" | "thing" | "value" | "key" | "fence"> {
  /** Whose call it was. */
  readonly pid: number;
  /** How long it was under way: from the instant at which its sender let go of it to the one at which the change was made. */
  readonly inFlightMs: number;
  readonly at: number;
}

/** The target, running. */
export interface Target {
  readonly secrets: { readonly read: string; readonly write: string; readonly observe: string };
  /** The process of the next call that passes a mark; `null` where none does within `ms`. */
  readonly next: (mark: Mark, ms: number) => Promise<number | null>;
  /** Everything that it has changed so far. */
  readonly applied: () => Promise<readonly Applied[]>;
  readonly close: () => Promise<void>;
}

const program = fileURLToPath(new URL("./children/target.ts", import.meta.url));

/** Starts the target with its log in a folder. */
export async function startTarget({ directory, env }: { directory: string; env: NodeJS.ProcessEnv }): Promise<Target> {
  const key = (): string => randomBytes(12).toString("hex");
  const keys = { writer: key(), reader: key(), observer: key() };
  const log = join(directory, "target.log");
  const child = spawn(process.execPath, [program], {
    env: { ...env, TARGET_LOG: log, TARGET_KEYS: JSON.stringify(keys) },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const port = await portOf(child);
  const way = (who: keyof typeof keys): string => `http://${who}:${keys[who]}@127.0.0.1:${port}`;
  return {
    secrets: { read: way("reader"), write: way("writer"), observe: way("observer") },
    next: (mark, ms) => nextAt({ child, mark, ms }),
    applied: async () => {
      const text = await readFile(log, "utf8");
      // Written by the target, line by line.
      return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Applied]));
    },
    close: async () => {
      const gone = once(child, "exit");
      if (child.exitCode !== null || !child.kill("SIGKILL")) return;
      await gone;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  const [said] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => {
      throw new Error("the target ended before it listened");
    }),
  ]);
  return Number((said as { port: number }).port); // the first thing that it says
}

/** One waits at a time: the storm. */
function nextAt({ child, mark, ms }: { child: ChildProcess; mark: Mark; ms: number }): Promise<number | null> {
  return new Promise((resolve) => {
    const order = (tell: Mark | null): void => void (child.connected && child.send({ tell } satisfies TargetOrder));
    const heard = ({ mark: passed, pid }: Passing): void => {
      if (passed === mark) end(pid);
    };
    const timer = setTimeout(() => {
      order(null);
      end(null);
    }, ms);
    const end = (pid: number | null): void => {
      clearTimeout(timer);
      child.removeListener("message", heard);
      resolve(pid);
    };
    child.on("message", heard);
    order(mark);
  });
}
