import { makeCancel } from "../contract/cancel.ts";
import type { Deadline } from "../contract/ports.ts";
import type { Cancel } from "../contract/principal.ts";

/** How work under a deadline ended. */
export type Ended<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "threw"; readonly thrown: unknown }
  | { readonly kind: "timed_out" }
  | { readonly kind: "cancelled" };

/**
 * Runs work until it is done, its time in milliseconds is up, or nobody waits for it any more; then the work's own `Cancel` says so.
 * What the work does after that has no effect here.
 */
export async function underDeadline<T>({
  cancel,
  deadline,
  ms,
  work,
}: {
  cancel: Cancel;
  deadline: Deadline;
  ms: number;
  work: (cancel: Cancel) => Promise<T>;
}): Promise<Ended<T>> {
  if (cancel.isCancelled()) return { kind: "cancelled" };
  const inner = makeCancel();
  // Neither of the two rejects, so a rejection is the deadline's.
  const first = Promise.race([whenCancelled(cancel), begin(() => work(inner.cancel))]);
  const ended = await deadline.within(ms, first).catch((): Ended<T> => ({ kind: "timed_out" }));
  if (ended.kind === "timed_out" || ended.kind === "cancelled") inner.fire();
  return ended;
}

/** Waits so many milliseconds; shorter where nobody waits for what comes after. */
export async function pause({ ms, cancel, deadline }: { ms: number; cancel: Cancel; deadline: Deadline }): Promise<void> {
  if (!cancel.isCancelled()) await deadline.within(ms, whenCancelled(cancel)).catch(() => {});
}

function whenCancelled(cancel: Cancel): Promise<{ readonly kind: "cancelled" }> {
  return new Promise((resolve) => cancel.onCancel(() => resolve({ kind: "cancelled" })));
}

async function begin<T>(work: () => Promise<T>): Promise<Ended<T>> {
  try {
    return { kind: "done", value: await work() };
  } catch (thrown) {
    return { kind: "threw", thrown };
  }
}
