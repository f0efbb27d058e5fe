import type { Cancel } from "../contract/principal.ts";

/** How work under a deadline ended. */
export type Ended<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "timed_out" }
  | { readonly kind: "cancelled" };

/**
 * Runs work until it is done, its time in milliseconds is up, or nobody waits for it any more; then the work's own `Cancel` says so.
 * What the work does after that has no effect here. Throws what the work throws in time.
 */
export async function underDeadline<T>({
  cancel,
  timeoutMs,
  work,
}: {
  cancel: Cancel;
  timeoutMs: number;
  work: (cancel: Cancel) => Promise<T>;
}): Promise<Ended<T>> {
  if (cancel.isCancelled()) return { kind: "cancelled" };
  const inner = makeCancel();
  let timer: NodeJS.Timeout | undefined;
  const given = new Promise<Ended<T>>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "timed_out" }), timeoutMs);
    cancel.onCancel(() => resolve({ kind: "cancelled" }));
  });
  try {
    const ended = await Promise.race([given, begin(() => work(inner.cancel))]);
    if (ended.kind !== "done") inner.fire();
    return ended;
  } finally {
    clearTimeout(timer);
  }
}

async function begin<T>(work: () => Promise<T>): Promise<Ended<T>> {
  return { kind: "done", value: await work() };
}

function makeCancel(): { cancel: Cancel; fire: () => void } {
  const listeners: (() => void)[] = [];
  let fired = false;
  return {
    cancel: {
      isCancelled: () => fired,
      onCancel: (listener) => {
        if (fired) listener();
        else listeners.push(listener);
      },
    },
    fire: () => {
      fired = true;
      for (const listener of listeners.splice(0)) listener();
    },
  };
}
