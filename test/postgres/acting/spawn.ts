import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { House } from "./house.ts";
import type { Point } from "./project.ts";

/** What the child is told. */
export interface ChildSettings {
  readonly point: Point | null;
  readonly actingUrl: string;
  readonly sandboxUrl: string;
  readonly pinnedKeys: readonly string[];
  readonly policyKey: string;
  readonly payloadKey: string;
}

/** A worker in a process of its own. */
export interface ChildWorker {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  /** Resolves when it has printed the text; rejects when it ends without. */
  readonly prints: (text: string) => Promise<void>;
  /** Ends it at once, as a crash does, and waits until it is gone. */
  readonly kill: () => Promise<void>;
}

/** Starts a worker that does one round and halts at `point`. */
export function spawnWorker(house: House, point: Point | null): ChildWorker {
  const settings: ChildSettings = {
    point,
    actingUrl: house.store.urls.acting,
    sandboxUrl: house.store.adminUrl,
    pinnedKeys: [house.deskKey.open],
    policyKey: house.policyKey.secret,
    payloadKey: house.payloadKey.toString("base64"),
  };
  const file = fileURLToPath(new URL("./child.ts", import.meta.url));
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, SETTINGS: JSON.stringify(settings) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  return {
    process: child,
    async prints(text) {
      while (!printed.includes(text)) {
        const ended = await Promise.race([
          once(child.stdout, "data").then(() => false),
          once(child.stdout, "end").then(() => true),
        ]);
        if (ended && !printed.includes(text)) throw new Error(`the worker ended without \`${text}\`; it printed: ${printed}`);
      }
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
