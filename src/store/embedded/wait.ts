import { setTimeout as pause } from "node:timers/promises";

/** How long to try: an instant in milliseconds since the epoch, and a signal that ends the wait early. */
export type Patience = { readonly deadlineMs: number; readonly signal?: AbortSignal | undefined };

const pollMs = 15;

/** Asks again and again until `ask` gives a value; undefined once the deadline has passed, and throws the signal's reason on abort. */
export async function waitUntil<T>(patience: Patience, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  for (;;) {
    patience.signal?.throwIfAborted();
    const value = await ask();
    if (value !== undefined) return value;
    if (Date.now() >= patience.deadlineMs) return undefined;
    await pause(pollMs);
  }
}
