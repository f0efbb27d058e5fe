import type { Cancel } from "./principal.ts";

/** What is never given up. */
export const neverCancelled: Cancel = { isCancelled: () => false, onCancel: () => {} };

/** Makes a `Cancel` that ends where `fire` is called, or with its parent where it has one. A listener is told once, a late one at once. */
export function makeCancel(parent: Cancel = neverCancelled): { readonly cancel: Cancel; readonly fire: () => void } {
  const listeners: (() => void)[] = [];
  let isFired = false;
  const onCancel = (listener: () => void): void => {
    let isTold = false;
    const once = (): void => {
      if (isTold) return;
      isTold = true;
      listener();
    };
    if (isFired) once();
    else listeners.push(once);
    parent.onCancel(once);
  };
  return {
    cancel: { isCancelled: () => isFired || parent.isCancelled(), onCancel },
    fire: () => {
      isFired = true;
      for (const listener of listeners.splice(0)) listener();
    },
  };
}
