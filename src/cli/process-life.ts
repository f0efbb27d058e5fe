import { isCountersignError, messageOf } from "../contract/errors.ts";
import type { FaultLog } from "../server/problem.ts";

/** Writes a fault to stderr as one JSON line: code, message and place, never data of a request. */
export const logFault: FaultLog = ({ id, path, cause }) => {
  const at = new Date().toISOString();
  const code = isCountersignError(cause) ? cause.code : "internal";
  const stack = cause instanceof Error ? cause.stack : undefined;
  console.error(JSON.stringify({ at, level: "error", id, path, code, message: messageOf(cause), stack }));
};

/** Tells whoever started this process that it works, then waits for a signal or for the parent's end, and closes. */
export async function runUntilStopped({ url, close }: { url: string | null; close: () => Promise<void> }): Promise<void> {
  if (process.send === undefined) console.log(url === null ? "ready" : `ready ${url}`);
  else process.send({ url });
  await new Promise<void>((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
    process.once("disconnect", () => resolve());
  });
  await close();
  if (process.connected) process.disconnect();
}
