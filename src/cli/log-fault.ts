import { faultName, isCountersignError } from "../contract/errors.ts";
import type { FaultLog } from "../server/problem.ts";

/** Writes the fault of a request to stderr as one JSON line: id, path, name, code and place, never data of the request. */
export const logFault: FaultLog = ({ id, path, cause }) => write({ level: "error", id, path, ...described(cause) });

/** Writes a sentence of ours that whoever runs the process should know, as one JSON line to stderr. */
export function logWarning(message: string): void {
  write({ level: "warn", message });
}

/**
 * Makes the log of what runs in the background of one process. A fault is written at once; the same again (name, code, words, place) is counted and written once
 * every `everyMs` (a minute), with how many `times` since the last line, so that a database that is gone does not fill the disk.
 */
export function backgroundLog(name: string, everyMs = 60_000): (thrown: unknown) => void {
  const counts = new Map<string, number>();
  const watch = (key: string, fault: object): void => {
    counts.set(key, 0);
    setTimeout(() => {
      const times = counts.get(key) ?? 0;
      counts.delete(key);
      if (times === 0) return;
      write({ level: "error", background: name, times, ...fault });
      watch(key, fault);
    }, everyMs).unref();
  };
  return (thrown) => {
    const fault = described(thrown);
    const whole = JSON.stringify([fault.name, fault.code, fault.message, fault.frames[0]]);
    // A fault whose words never repeat must not grow the process either.
    const key = counts.has(whole) || counts.size < mostAtOnce ? whole : `${fault.name} ${fault.code}`;
    const times = counts.get(key);
    if (times !== undefined) return void counts.set(key, times + 1);
    write({ level: "error", background: name, times: 1, ...fault });
    watch(key, fault);
  };
}

const mostAtOnce = 200;

interface Described {
  readonly name: string;
  readonly code: string | null;
  readonly message?: string;
  readonly frames: readonly string[];
  readonly cause?: Described;
}

/**
 * What may be told of a fault. The words of an error of ours hold no data, by the rule of `CountersignError`; those of any other may
 * quote what somebody sent or what a row holds, so of it there is the name, the code (SQLSTATE, errno) and the place in the code.
 */
function described(thrown: unknown, depth = 0): Described {
  if (!(thrown instanceof Error)) return { name: typeof thrown, code: null, frames: [] };
  const frames = framesOf(thrown);
  const cause = thrown.cause === undefined || depth === 3 ? {} : { cause: described(thrown.cause, depth + 1) };
  if (isCountersignError(thrown)) return { name: thrown.name, code: thrown.code, message: thrown.message, frames, ...cause };
  const code = "code" in thrown && /^[A-Z0-9_]{1,40}$/.test(String(thrown.code)) ? String(thrown.code) : null;
  return { name: faultName(thrown), code, frames, ...cause };
}

// A message of several lines can look like a frame, so what is before its end is cut off.
const frame = /^ {4}at (?:[\w.$<># [\]]{1,200} \()?(?:file:|node:|\/)[^\s()]{1,300}:\d+:\d+\)?$/;

function framesOf({ stack = "", message }: Error): readonly string[] {
  const from = message === "" ? 0 : stack.lastIndexOf(message) + message.length;
  return stack
    .slice(from)
    .split("\n")
    .filter((line) => frame.test(line))
    .map((line) => line.slice(7));
}

function write(line: object): void {
  console.error(JSON.stringify({ at: new Date().toISOString(), ...line }));
}
