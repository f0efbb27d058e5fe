import type { ContextItem, Passage } from "../../contract/context.ts";
import { canonicalJson } from "../../contract/json.ts";
import type { FindDuplicates, LeftOut } from "../../contract/retrieval.ts";
import { shownItem } from "../../contract/shown-item.ts";

/** What goes into a prompt, and what was found and does not. */
export interface Fitted {
  readonly items: readonly ContextItem[];
  readonly leftOut: readonly LeftOut[];
  readonly estimated: number;
  /** Records, facts and memory alone are beyond the budget: they are never cut. */
  readonly isTooLarge: boolean;
}

/**
 * Makes context that is worth its room, one list for each need in its order: a passage that was found twice counts once, of those that say the same
 * one stays, and of the rest as much as the budget holds, what each need found first before anything else. What is given again is what was given.
 */
export function fitContext(
  lists: readonly (readonly ContextItem[])[],
  { queries, budget, findDuplicates }: { queries: readonly string[]; budget: number; findDuplicates: FindDuplicates | undefined },
): Fitted {
  const leftOut: LeftOut[] = [];
  const seen = new Set<string>();
  const once = lists.map((items) =>
    items.filter((item) => {
      const isNew = item.kind !== "passage" || !seen.has(item.id);
      if (!isNew) leave(leftOut, item, "found_before");
      seen.add(item.id);
      return isNew;
    }),
  );
  const ranked = once.flatMap((items) => items.flatMap((item, rank) => (item.kind === "passage" ? [{ item, rank }] : [])));
  // Best first over all needs; a sort keeps the order of equals.
  const inOrder = ranked.toSorted((one, other) => one.rank - other.rank).map(({ item }) => item);
  const doubles = new Map(findDuplicates?.(inOrder.map(candidateOf), queries).map(({ id, sameAs }) => [id, sameAs]));
  let estimated = once.flat().reduce((sum, item) => sum + (item.kind === "passage" ? 0 : tokensOf(item)), 0);
  const isTooLarge = estimated > budget;
  const kept = new Set<string>();
  for (const item of inOrder) {
    const sameAs = doubles.get(item.id);
    const tokens = tokensOf(item);
    if (sameAs !== undefined) leave(leftOut, item, "duplicate", sameAs);
    else if (estimated + tokens > budget) leave(leftOut, item, "beyond_budget");
    else {
      estimated += tokens;
      kept.add(item.id);
    }
  }
  return { items: once.flat().filter((item) => item.kind !== "passage" || kept.has(item.id)), leftOut, estimated, isTooLarge };
}

function leave(leftOut: LeftOut[], { id, need }: ContextItem, why: LeftOut["why"], sameAs: string | null = null): void {
  leftOut.push({ id, need, why, sameAs });
}

function candidateOf({ id, text, isAuthority, isCurrent }: Passage) {
  return { id, text, isAuthority: isAuthority === true, isCurrent: isCurrent !== false };
}

/** Three bytes of what a model may be shown are taken for a token: English has four, code and other scripts have less. */
function tokensOf(item: ContextItem): number {
  return Math.ceil(utf8Bytes(canonicalJson(shownItem(item))) / 3);
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
