import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Dedupe } from "../../../src/contract/words.ts";
import type { House } from "../../postgres/acting/house.ts";
import type { Point } from "../../postgres/acting/project.ts";

/** What the child is told. */
export interface ChildSettings {
  readonly point: Point;
  readonly dedupe: Dedupe;
  readonly actingUrl: string;
  readonly sandboxUrl: string;
  readonly pinnedKeys: readonly string[];
  readonly policyKey: string;
  readonly payloadKey: string;
}

/** Starts a worker, waits until it is at the point of its first send, and kills it there. Throws where it never comes there. */
export async function killWorkerAt(point: Point, { house, dedupe }: { house: House; dedupe: Dedupe }): Promise<void> {
  const settings: ChildSettings = {
    ...{ point, dedupe, actingUrl: house.store.urls.acting, sandboxUrl: house.store.adminUrl },
    ...{ pinnedKeys: [house.deskKey.open], policyKey: house.policyKey.secret },
    payloadKey: house.payloadKey.toString("base64"),
  };
  const file = fileURLToPath(new URL("./child.ts", import.meta.url));
  const env = { PATH: process.env["PATH"], SETTINGS: JSON.stringify(settings) };
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  const gone = once(child, "exit");
  let printed = "";
  child.stdout.setEncoding("utf8");
  for await (const text of child.stdout) {
    printed += text;
    if (printed.includes("halted")) break;
  }
  child.kill("SIGKILL");
  await gone;
  if (!printed.includes("halted")) throw new Error(`the worker never came to \`${point}\`; it printed: ${printed}`);
}
