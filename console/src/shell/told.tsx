import { type ReactNode, useSyncExternalStore } from "react";

let words = "";
const listeners = new Set<() => void>();

/** Says something to screen readers, such as "Signed. Next: Replace the laptop of Idris Valtonen." */
export function tell(what: string): void {
  words = what;
  for (const listener of listeners) listener();
}

/** The one live region of the console. */
export function Told(): ReactNode {
  const told = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => words,
  );
  return (
    <p className="hidden" aria-live="polite">
      {told}
    </p>
  );
}
