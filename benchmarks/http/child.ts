/** A process that says where it listens, started with its own environment and ended by whoever started it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { CountersignError } from "../../src/contract/errors.ts";

/** A process that listens. */
export interface Child {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts Node with `args` and resolves at its line `ready URL`. Throws `internal` with what it said where it ends before that. */
export async function startChild({ args, env }: { args: readonly string[]; env: NodeJS.ProcessEnv }): Promise<Child> {
  const child = spawn(process.execPath, [...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  let said = "";
  child.stderr.on("data", (part: Buffer) => {
    said = `${said}${part.toString()}`.slice(-2_000);
  });
  const url = await new Promise<string | null>((resolve) => {
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => line.startsWith("ready ") && resolve(line.slice("ready ".length)));
    void ended.then(() => resolve(null));
  });
  if (url === null) throw new CountersignError("internal", `a process of the benchmark ended before it listened: ${said}`);
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
