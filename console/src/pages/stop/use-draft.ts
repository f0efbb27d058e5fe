import { useState } from "react";

/** A text that survives a lost sign-in: kept in this tab under a name, and forgotten once it is empty or the tab is closed. */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const key = placeOf(name);
  const [text, setText] = useState(() => read(key));
  const keep = (changed: string) => {
    setText(changed);
    try {
      if (changed === "") sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, changed);
    } catch {
      // A browser that keeps nothing still has it until the page is left.
    }
  };
  return [text, keep];
}

/** Forgets such a text. */
export function clearDraft(name: string): void {
  sessionStorage.removeItem(placeOf(name));
}

function placeOf(name: string): string {
  return `countersign.stop.${name}`;
}

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}
