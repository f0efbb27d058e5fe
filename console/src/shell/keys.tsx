import { useEffect, useRef } from "react";
import { isLettersOff, keyFor } from "./settings.ts";

/** What keys do on a page: by the name that the keyboard map gives them. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/**
 * Lets letters act while the page has focus, never in a field, never with a modifier, never while a key is held down. A key that
 * closes or confirms (`esc`, `enter`) is named so.
 */
export function useKeys(keys: Keys): void {
  const held = useRef(keys);
  held.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const name = nameOf(event);
      if (name === null) return;
      const act = held.current[name];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

const afterMs = 1500;

/** Lets a letter act that follows another one soon, such as `g` and then a page's; nothing else hears it. */
export function useKeysAfter(first: string, keys: Keys): void {
  const held = useRef(keys);
  held.current = keys;
  useEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      const name = nameOf(event);
      const isAfter = performance.now() - pressedAt < afterMs;
      pressedAt = name === first && !isAfter ? performance.now() : Number.NEGATIVE_INFINITY;
      const act = isAfter && name !== null ? held.current[name] : undefined;
      if (act === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      act();
    };
    // Before the handlers of the page, which stand on the same window.
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, [first]);
}

/** The name of a pressed key in the keyboard map; `null` where it is for the browser, or for the field that has focus. */
function nameOf(event: KeyboardEvent): string | null {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === "Escape") return "esc";
  if (isField(event.target)) return null;
  if (event.key === "Enter") return isControl(event.target) ? null : "enter";
  if (event.key.length > 1) return event.key;
  return isLettersOff() && /^[a-z]$/i.test(event.key) ? null : keyFor(event.key);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Enter on a link or a button is its own. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(?:A|BUTTON|SUMMARY)$/.test(target.tagName);
}
