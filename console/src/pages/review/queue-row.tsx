import type { ReactNode } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { useDraft } from "./drafts.ts";
import css from "./queue.module.css";
import { isCoveredFor, rowWords } from "./row-words.ts";
import { useLatest } from "./use-latest.ts";
import { useNowUntil } from "./use-now-until.ts";
import type { Live } from "./use-queue.ts";

/** The id of a row on the page. */
export function rowId(id: string): string {
  return `row-${id}`;
}

/** One row of the queue, 66 px: what is proposed, of which capability, and what is news about it. It stays when it was answered. */
export function QueueRow({
  row,
  live,
  openId,
  place,
  of,
  offset,
  onOpen,
}: {
  readonly row: DecisionView;
  readonly live: Live;
  readonly openId: string | undefined;
  /** Counted from 1. */
  readonly place: number;
  readonly of: number;
  /** How far from the top of the list, in pixels. */
  readonly offset: number;
  readonly onOpen: () => void;
}): ReactNode {
  const { session, nameOf } = useApi();
  const view = useLatest(row, live);
  const now = useNowUntil(view.expiresAt);
  const [draft] = useDraft(row.id);
  const isCovered = isCoveredFor(view, session, draft.isCompared);
  const words = rowWords({ view, me: session, nameOf, now, isCovered });
  const isChosen = row.id === openId || (view.supersededBy !== null && view.supersededBy === openId);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names this row as its active one
    // biome-ignore lint/a11y/useKeyWithClickEvents: `j`, `k` and `enter` on the list do the same
    <div
      id={rowId(row.id)}
      role="option"
      aria-selected={isChosen}
      aria-posinset={place}
      aria-setsize={of}
      className={`${css["row"]}${isChosen ? ` ${css["chosen"]}` : ""}${words.isQuiet ? ` ${css["quiet"]}` : ""}`}
      style={{ transform: `translateY(${offset}px)` }}
      onClick={onOpen}
    >
      <MarkOf name={words.mark} tone={words.tone} />
      <div className={css["words"]}>
        <p className={css["title"]}>{words.title}</p>
        <p className={css["facts"]}>
          <span>{words.capability}</span>
          <span className={words.newsTone === null ? undefined : `tone-${words.newsTone}`}>{words.news}</span>
        </p>
      </div>
    </div>
  );
}
