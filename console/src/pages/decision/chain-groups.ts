import type { ExplainedLook, Explanation } from "../../../../src/contract/explanation.ts";
import type { EntryView } from "../../../../src/contract/views.ts";
import type { EntryKind } from "../../../../src/contract/words.ts";
import { asObject } from "../../words/changes.ts";
import { numberAt } from "./fields.ts";

/** Entries that belong together: those of one effect, or those of the whole decision before or after. */
export interface ChainGroup {
  readonly key: string;
  /** What the effect does, with its number; `null` for the whole decision. */
  readonly title: string | null;
  readonly entries: readonly EntryView[];
}

const ofEffects: readonly EntryKind[] = ["applying", "applied", "observed", "compensated", "escalated", "resolved", "refused"];

/** The entries of a decision, in the order of what was committed, those of each effect together. */
export function chainGroups({ entries, effects }: Explanation): readonly ChainGroup[] {
  const effectOf = ({ kind, body }: EntryView) => (ofEffects.includes(kind) ? numberAt(asObject(body), "effectIndex") : null);
  const firstAt = entries.findIndex((entry) => effectOf(entry) !== null);
  const indexes = [...new Set(entries.map(effectOf))].filter((index) => index !== null).toSorted((a, b) => a - b);
  const whole = (isBefore: boolean) =>
    entries.filter((entry, place) => effectOf(entry) === null && (firstAt < 0 || place < firstAt) === isBefore);
  const groups = [
    { key: "before", title: null, entries: whole(true) },
    ...indexes.map((index) => ({
      key: `effect ${index}`,
      title: `${index + 1} ${effects.find((one) => one.index === index)?.sentence ?? "Effect"}`,
      entries: entries.filter((entry) => effectOf(entry) === index),
    })),
    { key: "after", title: null, entries: whole(false) },
  ];
  return groups.filter((group) => group.entries.length > 0);
}

/** The read that decided each operation: its last one. Others are told where they differ. */
export function tellingLooks({ effects }: Explanation): ReadonlyMap<string, ExplainedLook> {
  const looks = effects.flatMap(({ operations }) =>
    operations.flatMap((operation) =>
      operation.looks.filter(
        (look, place) => place === operation.looks.length - 1 || look.differs.length > 0 || look.forbidden.length > 0,
      ),
    ),
  );
  return new Map(looks.map((look) => [look.entryId, look]));
}
