import { useSyncExternalStore } from "react";

/** What a person sets for this browser. */
export interface Settings {
  readonly version: 1;
  readonly theme: "system" | "light" | "dark";
  /** Single letters do nothing (WCAG 2.1.4). */
  readonly lettersOff: boolean;
  /** The key of the map -> the key that stands for it here. */
  readonly keys: Readonly<Record<string, string>>;
}

const place = "countersign.settings";
const usual: Settings = { version: 1, theme: "system", lettersOff: false, keys: {} };
const listeners = new Set<() => void>();
let settings: Settings = read();

/** What is set in this browser. */
export function useSettings(): Settings {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => settings,
  );
}

/** Keeps a setting in this browser, and applies it at once. */
export function saveSettings(changed: Partial<Settings>): void {
  settings = { ...settings, ...changed };
  try {
    localStorage.setItem(place, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still applies it until the page is left.
  }
  applyTheme();
  for (const tell of listeners) tell();
}

/** Puts the chosen theme on the page. */
export function applyTheme(): void {
  const { theme } = settings;
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Says whether single letters are switched off. */
export function isLettersOff(): boolean {
  return settings.lettersOff;
}

/** The key of the map for a pressed one. */
export function keyFor(pressed: string): string {
  const mapped = Object.entries(settings.keys).find(([, own]) => own === pressed);
  if (mapped !== undefined) return mapped[0];
  // A key that was given another letter no longer acts by its old one.
  return Object.hasOwn(settings.keys, pressed) ? "" : pressed;
}

function read(): Settings {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? "null");
    return isSettings(kept) ? kept : usual;
  } catch {
    return usual;
  }
}

function isSettings(kept: unknown): kept is Settings {
  if (typeof kept !== "object" || kept === null || !("version" in kept) || kept.version !== 1) return false;
  const { theme, lettersOff, keys } = kept as Partial<Record<keyof Settings, unknown>>;
  const isTheme = theme === "system" || theme === "light" || theme === "dark";
  return isTheme && typeof lettersOff === "boolean" && typeof keys === "object" && keys !== null;
}
