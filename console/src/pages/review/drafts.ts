import { useCallback, useSyncExternalStore } from "react";
import { useApi } from "../../api/api.tsx";

/** What a person has begun to say of an item. It outlives a lost sign-in in this window, and is gone once the item is answered. */
export interface Draft {
  readonly version: 1;
  /** The number of the reason, from 1; 0 for none. */
  readonly reason: number;
  readonly sentence: string;
  /** The values that are being edited, as typed, by the name of the param. */
  readonly edit: Readonly<Record<string, string>>;
  /** The whole decision as typed; empty where it is made of `edit`. */
  readonly whole: string;
  /** The person's own values and view, before they see what was proposed. */
  readonly own: Readonly<Record<string, string>>;
  readonly ownView: string;
  /** They have asked to compare it: the proposal is open to them. */
  readonly isCompared: boolean;
}

const none: Draft = { version: 1, reason: 0, sentence: "", edit: {}, whole: "", own: {}, ownView: "", isCompared: false };
const kept = new Map<string, Draft>();
const listeners = new Set<() => void>();

/** The draft of one item, and how to change it; `null` clears it. */
export function useDraft(id: string): readonly [Draft, (changed: Partial<Draft> | null) => void] {
  const { session } = useApi();
  const place = placeOf(session.id, id);
  const draft = useSyncExternalStore(subscribe, () => draftAt(place));
  const save = useCallback(
    (changed: Partial<Draft> | null) => put(place, changed === null ? null : { ...draftAt(place), ...changed }),
    [place],
  );
  return [draft, save];
}

/** Says whether somebody has compared their own view with the proposal of an item, so that it is covered no more. */
export function isCompared(person: string, id: string): boolean {
  return draftAt(placeOf(person, id)).isCompared;
}

function placeOf(person: string, id: string): string {
  return `countersign.draft.${person}.${id}`;
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

function draftAt(place: string): Draft {
  const known = kept.get(place);
  if (known !== undefined) return known;
  const read = readDraft(place);
  kept.set(place, read);
  return read;
}

function put(place: string, draft: Draft | null): void {
  kept.set(place, draft ?? none);
  try {
    if (draft === null) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing still has it until the page is left.
  }
  for (const tell of listeners) tell();
}

function readDraft(place: string): Draft {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(place) ?? "null");
    if (typeof read !== "object" || read === null || !("version" in read) || read.version !== 1) return none;
    return { ...none, ...read, version: 1 };
  } catch {
    return none;
  }
}
