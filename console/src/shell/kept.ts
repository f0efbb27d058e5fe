/**
 * What somebody has typed and not sent: kept in this tab of this browser, for one person, so that it survives a reload and a lost sign-in and
 * is read by nobody who signs in after them. `what` names it, such as `ask`.
 */
export interface KeptPlace {
  readonly person: string;
  readonly what: string;
}

/** What is kept there, read as JSON; `null` where nothing is, or nothing that is understood. */
export function readKept(place: KeptPlace): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(place)) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps it until the tab is closed; `null` forgets it. A browser that keeps nothing still has it until the page is left. */
export function keep(place: KeptPlace, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(nameOf(place));
    else sessionStorage.setItem(nameOf(place), JSON.stringify(value));
  } catch {
    // Storage is full or denied: what was typed is on the page.
  }
}

function nameOf({ person, what }: KeptPlace): string {
  return `countersign.kept.${person}.${what}`;
}
