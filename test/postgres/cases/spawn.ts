import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CaseHouse } from "./house.ts";

/** What the child is told. */
export interface ChildSettings {
  /** The id at whose asking it stands still; `null` for never. */
  readonly haltAt: number | null;
  readonly actingUrl: string;
  readonly sandboxUrl: string;
  readonly pinnedKeys: readonly string[];
  readonly policyKey: string;
  readonly payloadKey: string;
}

/** A worker in a process of its own. */
export interface ChildWorker {
  /** Resolves when it has printed the text; rejects when it ends without. */
  readonly prints: (text: string) => Promise<void>;
  /** Ends it at once, as a crash does, and waits until it is gone. */
  readonly kill: () => Promise<void>;
}

/** Starts a worker that works until it is killed, or stands still at the id of that number. */
export function spawnCaseWorker(house: CaseHouse, haltAt: number | null): ChildWorker {
  const settings: ChildSettings = {
    haltAt,
    actingUrl: house.store.urls.acting,
    sandboxUrl: house.store.adminUrl,
    pinnedKeys: [house.deskKey.open],
    policyKey: house.policyKey.secret,
    payloadKey: house.common.payloadKey.toString("base64"),
  };
  const child = spawn(process.execPath, [fileURLToPath(new URL("./child.ts", import.meta.url))], {
    env: { ...process.env, SETTINGS: JSON.stringify(settings) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  return {
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
