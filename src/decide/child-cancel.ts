import type { Cancel } from "../contract/principal.ts";

/** A `Cancel` that ends with its parent, or by itself where `fire` is called. */
export function childCancel(parent: Cancel): { readonly cancel: Cancel; readonly fire: () => void } {
  const listeners: (() => void)[] = [];
  let isFired = false;
  const fire = (): void => {
    isFired = true;
    for (const listener of listeners.splice(0)) listener();
  };
  return {
    cancel: {
      isCancelled: () => isFired || parent.isCancelled(),
      onCancel: (listener) => {
        let isTold = false;
        const once = (): void => {
          if (!isTold) listener();
          isTold = true;
        };
        if (isFired) once();
        else listeners.push(once);
        parent.onCancel(once);
      },
    },
    fire,
  };
}
