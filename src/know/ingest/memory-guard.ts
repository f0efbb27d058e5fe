/**
 * Watches, in a thread of its own, how much memory the whole process has: buffers stand outside of any limit of the engine, and a thread
 * that unpacks a bomb answers nobody. Ends the process at once, also where whoever started it was killed: one that is busy for ever
 * would not notice.
 */
import { workerData } from "node:worker_threads";
import { z } from "zod";
import { memorySignal } from "./parsed.ts";

const { mostBytes } = z.object({ mostBytes: z.number().positive() }).parse(workerData);
const everyMs = 25;

const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  // A signal of its own: whatever else ends the process says nothing of the file.
  if (process.memoryUsage.rss() > mostBytes) process.kill(process.pid, memorySignal);
}, everyMs);
