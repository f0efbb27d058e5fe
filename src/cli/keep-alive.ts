import type { ChildProcess } from "node:child_process";
import { CountersignError } from "../contract/errors.ts";
import { endChild, readyOf } from "./spawn-child.ts";

/** How a process that dies is started again; times in milliseconds. */
export interface Patience {
  readonly readyWithinMs: number;
  readonly stopWithinMs: number;
  /** The pause before the second start in a row; it doubles with each further one. The first has none. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** A process that lived so long counts as healthy: the count of failures begins anew. */
  readonly steadyMs: number;
  /** After so many failures in a row it is given up. */
  readonly mostInARow: number;
}

/** Gives up after about half a minute of deaths. */
export const usualPatience: Patience = {
  readyWithinMs: 30_000,
  stopWithinMs: 10_000,
  firstPauseMs: 250,
  longestPauseMs: 10_000,
  steadyMs: 30_000,
  mostInARow: 8,
};

/** A process that is kept alive until it is stopped. */
export interface Kept {
  /** The address that it said when it was first ready. */
  readonly url: string | null;
  readonly pid: () => number | undefined;
  readonly stop: () => Promise<void>;
}

/** What to keep alive, and whom to tell. */
export interface Keeping {
  readonly name: string;
  /** Spawns it; `url` is what it said when it was first ready, `null` before. */
  readonly launch: (url: string | null) => ChildProcess;
  readonly patience: Patience;
  /** Told of every death and every new start, in words for people. */
  readonly say: (line: string) => void;
  readonly onPid: () => void;
  /** Told once when it dies again and again. */
  readonly onGivenUp: (error: CountersignError) => void;
}

/** Starts a process, waits until it is ready, and starts it again when it dies. Throws what the first start throws. */
export async function keepAlive({ name, launch, patience, say, onPid, onGivenUp }: Keeping): Promise<Kept> {
  let current = launch(null);
  const url = await readyOf(current, { name, withinMs: patience.readyWithinMs });
  let bornAt = performance.now();
  let failures = 0;
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
    if (isStopping) return;
    failures = performance.now() - bornAt >= patience.steadyMs ? 1 : failures + 1;
    const died = `\`${name}\` ended with ${code ?? signal}`;
    if (failures > patience.mostInARow) {
      onGivenUp(givenUp(name, died, failures));
      return;
    }
    const pauseMs = pauseBefore(failures, patience);
    say(`${died}; starting it again${pauseMs === 0 ? "" : ` in ${pauseMs} ms`} (${failures} of ${patience.mostInARow})`);
    timer = setTimeout(launchAgain, pauseMs);
  };
  const launchAgain = (): void => {
    current = launch(url);
    bornAt = performance.now();
    current.once("exit", onExit);
    if (current.pid === undefined) onExit(1, null);
    // A start that fails or hangs is killed there, which counts as a death here.
    readyOf(current, { name, withinMs: patience.readyWithinMs }).then(
      () => say(`\`${name}\` works again`),
      (thrown: Error) => say(thrown.message),
    );
    onPid();
  };
  current.once("exit", onExit);
  // It may have died between its word and the line above.
  if (current.exitCode !== null || current.signalCode !== null) onExit(current.exitCode, current.signalCode);
  const stop = (): Promise<void> => {
    isStopping = true;
    clearTimeout(timer);
    return endChild(current, patience.stopWithinMs);
  };
  return { url, pid: () => current.pid, stop };
}

function pauseBefore(failures: number, { firstPauseMs, longestPauseMs }: Patience): number {
  return failures === 1 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 2));
}

function givenUp(name: string, died: string, failures: number): CountersignError {
  const message = `${died}, ${failures} times in a row; it is given up: mend what \`${name}.log\` in the installation's folder says, then start again`;
  return new CountersignError("service_unavailable", message, { facts: { name, failures } });
}
