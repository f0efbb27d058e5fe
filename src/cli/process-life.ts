import { isCountersignError } from "../contract/errors.ts";

/** A process that works: its address, where it has one, and how to end it. */
export interface Running {
  readonly url: string | null;
  readonly close: () => Promise<void>;
}

/** Less than what `start` waits before it kills a child. */
const closeWithinMs = 8_000;

/**
 * Opens one of the three processes, tells whoever started it that it works, waits for a signal or for the parent's end, and closes.
 * A parent that spawned it is told the error with its code. Throws what `open` throws.
 */
export async function runProcess(open: () => Promise<Running>): Promise<void> {
  // Before anything is opened: a parent that dies meanwhile must not leave a process without one.
  const ended = endOfLife();
  try {
    const { url, close } = await open();
    if (process.send === undefined) console.log(url === null ? "ready" : `ready ${url}`);
    else await tellParent({ ready: url });
    await ended;
    // A caller that holds its connection, or a database that is gone, must not hold the process.
    exitAfter(closeWithinMs);
    await close();
  } catch (thrown) {
    if (process.send !== undefined && isCountersignError(thrown)) {
      await tellParent({ error: { code: thrown.code, message: thrown.message } });
    }
    // What was opened before the fault must not keep the process either.
    exitAfter(1_000);
    throw thrown;
  } finally {
    if (process.connected) process.disconnect();
  }
}

function endOfLife(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
    process.once("disconnect", () => resolve());
    // The parent died while this process was being loaded: the event has passed.
    if (process.send !== undefined && !process.connected) resolve();
  });
}

/** A parent that has gone is told nothing, which is no fault: `disconnect` ends this process. */
function tellParent(message: object): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) resolve();
    else process.send?.(message, undefined, {}, () => resolve());
  });
}

function exitAfter(ms: number): void {
  setTimeout(() => process.exit(process.exitCode ?? 1), ms).unref();
}
