import { type Keys, useKeys } from "../shell/keys.tsx";

/**
 * Walks a list with `j` and `k` and leaves its detail with `esc`, after which focus stands on the row that it came from. Further keys
 * of the page go along, so that one page listens once.
 */
export function useRowKeys(
  {
    ids,
    chosen,
    onChoose,
  }: { readonly ids: readonly string[]; readonly chosen: string | null; readonly onChoose: (id: string | null) => void },
  further: Keys = {},
): void {
  const step = (by: number) => {
    const at = chosen === null ? -1 : ids.indexOf(chosen);
    const next = ids[at < 0 ? 0 : Math.min(ids.length - 1, Math.max(0, at + by))];
    if (next !== undefined && next !== chosen) onChoose(next);
  };
  const leave = () => {
    if (chosen === null) return;
    onChoose(null);
    focusRow(chosen);
  };
  useKeys({ j: () => step(1), k: () => step(-1), esc: chosen === null ? undefined : leave, ...further });
}

/** Puts focus on the row of an id, once it is on the page again. */
export function focusRow(id: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus());
}
