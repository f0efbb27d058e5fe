import { useState } from "react";

/**
 * What is typed into a form whose question stands in the address: it begins as the address has it, and again whenever the address changes,
 * as by the way back.
 */
export function useTyped<T extends object>(asked: T): readonly [T, (changed: Partial<T>) => void] {
  const of = JSON.stringify(asked);
  const [draft, setDraft] = useState({ of, typed: asked });
  const typed = draft.of === of ? draft.typed : asked;
  return [typed, (changed) => setDraft({ of, typed: { ...typed, ...changed } })];
}
