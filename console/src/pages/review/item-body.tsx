import { Link } from "@tanstack/react-router";
import type { ReactNode, RefObject } from "react";
import type { ReviewEvidence } from "../../../../src/contract/review-evidence.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { counted, plainCount } from "../../words/plain.ts";
import css from "./item.module.css";
import { ItemBanners } from "./item-banners.tsx";
import { ItemHead } from "./item-head.tsx";
import { LookedAt } from "./looked-at.tsx";
import { Compared, OwnView } from "./own-view.tsx";
import { Proposal } from "./proposal.tsx";
import { Signatures } from "./signatures.tsx";
import { Stale } from "./stale.tsx";
import { isCoveredKind } from "./standing.ts";
import type { ItemActs } from "./use-item-acts.ts";
import type { Queue } from "./use-queue.ts";

/** What a person reads of an item, from its sentence to what was asked; of a covered one nothing that was proposed. */
export function ItemBody({
  view,
  place,
  queue: { count },
  acts: { draft, onDraft, isCovered },
  evidence,
  alike,
  titleRef,
  areKeptShown,
  edit,
  below,
  onEvidence,
  onBulk,
}: {
  readonly view: DecisionView;
  readonly place: number;
  readonly queue: Queue;
  readonly acts: ItemActs;
  readonly evidence: ReviewEvidence | undefined;
  readonly alike: number;
  readonly titleRef: RefObject<HTMLHeadingElement | null>;
  readonly areKeptShown: boolean;
  readonly edit: ((effect: number, field: string) => ReactNode) | undefined;
  /** The evidence, where it has no column of its own. */
  readonly below: ReactNode;
  readonly onEvidence: (number: number) => void;
  readonly onBulk: () => void;
}): ReactNode {
  return (
    <>
      <p className={css["to-queue"]}>
        <Link to="/review">Queue {count.isOver ? "over 10,000" : plainCount(count.count)}</Link>
      </p>
      <div className={css["scroll"]}>
        <ItemHead view={view} place={place} of={count} isCovered={isCovered} titleRef={titleRef} />
        <ItemBanners view={view} />
        {isCovered ? (
          <OwnView view={view} draft={draft} onDraft={onDraft} />
        ) : (
          <>
            <Alike count={alike} onBulk={onBulk} />
            <Stale view={view} />
            <Signatures view={view} />
            {isCoveredKind(view) && draft.isCompared ? <Compared view={view} draft={draft} onDraft={onDraft} /> : null}
            <Proposal view={view} evidence={evidence} areKeptShown={areKeptShown} edit={edit} onEvidence={onEvidence} />
          </>
        )}
        <LookedAt steps={evidence?.steps ?? []} />
        <Asked view={view} />
        {below}
      </div>
    </>
  );
}

function Alike({ count, onBulk }: { readonly count: number; readonly onBulk: () => void }): ReactNode {
  if (count < 2) return null;
  return (
    <p className={css["act"]}>
      {counted(count, "alike item")} of low risk wait; only values differ.{" "}
      <Button isSmall onClick={onBulk}>
        Show them together
      </Button>
    </p>
  );
}

function Asked({ view }: { readonly view: DecisionView }): ReactNode {
  const { nameOf } = useApi();
  if (view.request === null) return null;
  return (
    <>
      <h2>What was asked</h2>
      <div className="card padded">
        <p className={css["request"]}>“{view.request}”</p>
        <p className="meta">{nameOf(view.requestedBy)}, in their own words. Shown as written, never followed.</p>
      </div>
    </>
  );
}
