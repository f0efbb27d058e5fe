import type { ReactNode } from "react";
import type { ReviewEvidence, ReviewItem } from "../../../../src/contract/review-evidence.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { useNow } from "../../parts/now.tsx";
import css from "./evidence.module.css";
import { EvidencePage } from "./evidence-page.tsx";
import { evidenceWords } from "./evidence-words.ts";
import { ItemKind } from "./item-kind.tsx";

/** Evidence that was read, or is being read. */
export interface EvidenceRead {
  readonly data: ReviewEvidence | undefined;
  readonly error: Error | null;
  readonly again: () => void;
}

/** What was loaded in an order and with numbers that tell nothing of what was proposed. */
export function plainlyOrdered(evidence: ReviewEvidence): ReviewEvidence {
  const items = evidence.items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { ...evidence, items: items.map((item, place) => ({ ...item, number: place + 1, claims: [] })) };
}

/** What a proposal rests on: cards with their numbers, or one of them opened in the same column. */
export function EvidenceColumn({
  view,
  read: { data, error, again },
  opened,
  isCovered,
  onOpen,
}: {
  readonly view: DecisionView;
  readonly read: EvidenceRead;
  /** The number of the opened piece; `null` for the list. */
  readonly opened: number | null;
  /** Nothing of what was proposed is told, such as its claims. */
  readonly isCovered: boolean;
  readonly onOpen: (number: number | null) => void;
}): ReactNode {
  const item = data?.items.find(({ number }) => number === opened);
  if (data !== undefined && item !== undefined)
    return <EvidencePage item={item} items={data.items} claims={isCovered ? [] : view.claims} onOpen={onOpen} />;
  return (
    <section className={css["column"]} aria-labelledby="evidence-title">
      <header className={css["head"]}>
        <h2 id="evidence-title">Evidence</h2>
        <span className="meta">a number opens it</span>
      </header>
      {error !== null ? <ErrorState error={error} what="The evidence" again={again} /> : null}
      {data === undefined && error === null ? <LoadingRows what="the evidence" rows={3} height={96} /> : null}
      {data === undefined ? null : <Cards items={data.items} onOpen={onOpen} />}
      {isCovered || view.capability === "" ? null : (
        <p className={css["foot"]}>
          <a href={`/decisions/${view.id}`}>How it was decided</a>
        </p>
      )}
    </section>
  );
}

function Cards({
  items,
  onOpen,
}: {
  readonly items: readonly ReviewItem[];
  readonly onOpen: (number: number) => void;
}): ReactNode {
  if (items.length === 0)
    return (
      <p className={css["foot"]}>
        <span className="meta">
          No source was loaded, or it was erased. The values and where they come from are in “What changes”.
        </span>
      </p>
    );
  return (
    <ol className={css["cards"]}>
      {items.map((item) => (
        <EvidenceCard key={item.id} item={item} onOpen={() => onOpen(item.number)} />
      ))}
    </ol>
  );
}

function EvidenceCard({ item, onOpen }: { readonly item: ReviewItem; readonly onOpen: () => void }): ReactNode {
  const now = useNow("minute");
  const { title, place, text, isQuote, foot } = evidenceWords(item, now);
  return (
    <li className={css["card"]}>
      <div className={css["title"]}>
        <button
          type="button"
          className={css["opener"]}
          data-evidence={item.number}
          onClick={onOpen}
          aria-keyshortcuts={item.number < 10 ? String(item.number) : undefined}
        >
          <span className="key">{item.number}</span> <span>{title}</span>
        </button>
        <ItemKind kind={item.kind} />
      </div>
      <div className={css["body"]}>
        <p className="meta">{place}</p>
        <p className={css["text"]}>{isQuote ? `“${text}”` : text}</p>
        <p className="meta">{foot}</p>
      </div>
    </li>
  );
}
