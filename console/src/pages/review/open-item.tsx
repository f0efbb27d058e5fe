import { type ReactNode, type RefObject, useState } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useTitle } from "../../parts/page-heading.tsx";
import { AnswerBar } from "./answer-bar.tsx";
import { EditCell } from "./edit-bar.tsx";
import { EvidenceColumn, type EvidenceRead, plainlyOrdered } from "./evidence.tsx";
import { ItemBody } from "./item-body.tsx";
import { RefusedAnswer } from "./refused-answer.tsx";
import css from "./review.module.css";
import { rowTitle } from "./row-words.ts";
import type { Answer } from "./use-answers.ts";
import { useClaimRenewed, useExpiryTold } from "./use-claim.ts";
import { useItemActs } from "./use-item-acts.ts";
import { useItemKeys } from "./use-item-keys.ts";
import type { Queue } from "./use-queue.ts";
import type { Width } from "./use-width.ts";

interface OpenItemProps {
  readonly view: DecisionView;
  /** Its place in the list, counted from 1; 0 where it is not in it. */
  readonly place: number;
  readonly queue: Queue;
  readonly read: EvidenceRead;
  readonly opened: number | null;
  readonly width: Width;
  /** How many items may be answered together with this one, itself included. */
  readonly alike: number;
  readonly titleRef: RefObject<HTMLHeadingElement | null>;
  readonly onEvidence: (number: number | null) => void;
  readonly onBulk: () => void;
  readonly onQueue: () => void;
  readonly onNext: () => void;
  readonly onDone: (view: DecisionView, answer: Answer) => void;
  readonly onWithdrawLast: () => void;
  /** What stands above the bar. */
  readonly above: ReactNode;
}

/** One item with its evidence beside or below it, and the bar that answers it. */
export function OpenItem({
  view,
  place,
  queue,
  read,
  opened,
  width,
  alike,
  titleRef,
  onEvidence,
  onBulk,
  onQueue,
  onNext,
  onDone,
  onWithdrawLast,
  above,
}: OpenItemProps): ReactNode {
  const [areKeptShown, setAreKeptShown] = useState(false);
  const acts = useItemActs({ view, evidence: read.data, onDone, onNext, onWithdrawLast });
  const shown = read.data === undefined || !acts.isCovered ? read.data : plainlyOrdered(read.data);
  const { step, editing, draft, onDraft, isCovered } = acts;
  useTitle(rowTitle(view, isCovered));
  useClaimRenewed(view);
  useExpiryTold(view);
  useItemKeys(acts, {
    opened,
    most: shown?.items.length ?? 0,
    onEvidence,
    onFocus: () => titleRef.current?.focus(),
    onKept: () => setAreKeptShown((before) => !before),
    onQueue: width === "phone" ? onQueue : undefined,
  });
  const cell = (effect: number, field: string) => {
    const choice = editing.choices.find(({ name }) => name === field);
    return choice === undefined ? null : <EditCell choice={choice} effect={effect} draft={draft} onDraft={onDraft} />;
  };
  const evidence = (
    <EvidenceColumn view={view} read={{ ...read, data: shown }} opened={opened} isCovered={isCovered} onOpen={onEvidence} />
  );
  const isBeside = width === "wide" || opened !== null;
  return (
    <div className={`${css["open"]}${opened === null ? "" : ` ${css["at-evidence"]}`}`}>
      <section className={css["item"]} aria-labelledby="sentence">
        <ItemBody
          {...{ view, place, queue, acts, alike, titleRef, areKeptShown, onEvidence, onBulk, onQueue }}
          evidence={read.data}
          edit={step === "edit" ? cell : undefined}
          below={isBeside ? null : evidence}
        />
      </section>
      {isBeside ? <div className={css["evidence"]}>{evidence}</div> : null}
      <div className={css["bar"]}>
        {above}
        <RefusedAnswer error={acts.answers.error} answer={acts.answers.answer} />
        <AnswerBar view={view} evidence={read.data} acts={acts} isPhone={width === "phone"} />
      </div>
    </div>
  );
}
