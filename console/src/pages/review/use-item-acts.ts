import { useState } from "react";
import type { ReviewEvidence } from "../../../../src/contract/review-evidence.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { useLostAt } from "../../shell/connection.tsx";
import { type Draft, useDraft } from "./drafts.ts";
import { type Editing, editingOf } from "./editing.ts";
import { differingOf } from "./own-view.tsx";
import { reasonText } from "./reason-picker.tsx";
import { isCoveredFor } from "./row-words.ts";
import type { BarActs } from "./sign-bar.tsx";
import { isCoveredKind, isWithdrawable, needsConfirming, ownUntil, type Reader } from "./standing.ts";
import { type Answer, type Answers, useAnswers } from "./use-answers.ts";
import { useNowUntil } from "./use-now-until.ts";
import { useReady } from "./use-ready.ts";
import { useViewed } from "./use-viewed.ts";
import { type Closed, whyClosed } from "./why-closed.ts";

/** What stands in the place of the bar. */
export type Step = "answer" | "confirm" | "reject" | "edit";

/** What a person may do with the open item, and how far they are with it. */
export interface ItemActs {
  readonly step: Step;
  readonly closed: Closed;
  readonly answers: Answers;
  readonly draft: Draft;
  readonly onDraft: (changed: Partial<Draft>) => void;
  readonly isCovered: boolean;
  readonly isOwn: boolean;
  readonly isWithdrawable: boolean;
  readonly editing: Editing;
  readonly bar: BarActs;
  readonly back: () => void;
  /** Signs what the confirm bar says. */
  readonly sign: () => void;
  readonly reject: () => void;
  readonly check: () => void;
}

/** Everything that the bar and the keys do with one item. */
export function useItemActs({
  view,
  evidence,
  onDone,
  onNext,
  onWithdrawLast,
}: {
  readonly view: DecisionView;
  readonly evidence: ReviewEvidence | undefined;
  readonly onDone: (view: DecisionView, answer: Answer) => void;
  readonly onNext: () => void;
  readonly onWithdrawLast: () => void;
}): ItemActs {
  const { session } = useApi();
  const now = useNowUntil(view.expiresAt);
  const [draft, onDraft] = useDraft(view.id);
  const [step, setStep] = useState<Step>("answer");
  const isReady = useReady(view.id);
  const answers = useAnswers(view.id, {
    viewedMs: useViewed(),
    onDone: (answered, answer) => {
      if (answer.kind === "approve" || answer.kind === "reject" || answer.kind === "edit") onDraft(null);
      setStep("answer");
      onDone(answered, answer);
    },
  });
  const isCovered = isCoveredFor(view, session, draft.isCompared);
  const closed = useClosed(view, { isCovered, draft, isBusy: answers.isBusy });
  const isOwn = ownUntil(view, session, now) !== null;
  const editing = editingOf(view, evidence, draft);
  const go = (next: Step) => {
    answers.forget();
    setStep(next);
  };
  const sign = () => {
    if (isReady() && closed.approve === null) answers.give({ kind: "approve" });
  };
  const reason = reasonText(draft);
  return {
    ...{ step, closed, answers, draft, onDraft, isCovered, isOwn, editing, sign },
    isWithdrawable: isWithdrawable(view, session),
    back: () => go("answer"),
    reject: () => {
      if (closed.reject === null && reason !== "") answers.give({ kind: "reject", reason });
    },
    check: () => {
      if (closed.edit === null && editing.decision !== undefined) answers.give({ kind: "edit", decision: editing.decision });
    },
    bar: barActs({ view, draft, onDraft, answers, closed, isOwn, isReady, go, sign, onNext, onWithdrawLast, me: session }),
  };
}

/** What the bar's buttons and their keys do; what is closed does nothing. */
function barActs({
  view,
  draft,
  onDraft,
  answers,
  closed,
  isOwn,
  isReady,
  go,
  sign,
  onNext,
  onWithdrawLast,
  me,
}: Pick<ItemActs, "draft" | "onDraft" | "answers" | "closed" | "isOwn" | "sign"> & {
  readonly view: DecisionView;
  readonly me: Reader;
  readonly isReady: () => boolean;
  readonly go: (step: Step) => void;
  readonly onNext: () => void;
  readonly onWithdrawLast: () => void;
}): BarActs {
  return {
    approve: () => {
      if (closed.approve !== null || !isReady()) return;
      if (needsConfirming(view)) go("confirm");
      else sign();
    },
    reject: () => {
      if (closed.reject === null) go("reject");
    },
    askAnew: () => {
      if (closed.reject !== null || view.state !== "waiting") return;
      if (reasonText(draft) === "") onDraft({ sentence: anew });
      go("reject");
    },
    edit: () => {
      if (closed.edit !== null) return;
      onDraft({ edit: { ...ownValues(view, draft), ...draft.edit } });
      go("edit");
    },
    claim: () => {
      if (closed.reject === null) answers.give({ kind: isOwn ? "release" : "take" });
    },
    withdraw: isWithdrawable(view, me) ? () => answers.give({ kind: "withdraw" }) : onWithdrawLast,
    next: onNext,
  };
}

const anew = "Please ask for it again: what was proposed does not fit any more.";

/** What closes an item besides its own standing: it is covered, or the person's own view is another one. */
function useClosed(
  view: DecisionView,
  { isCovered, draft, isBusy }: { readonly isCovered: boolean; readonly draft: Draft; readonly isBusy: boolean },
): Closed {
  const { session, nameOf } = useApi();
  const closed = whyClosed({ view, me: session, nameOf, now: useNowUntil(view.expiresAt), isLost: useLostAt() !== null, isBusy });
  if (closed.approve !== null) return closed;
  if (isCovered) return { ...closed, approve: decideFirst, edit: decideFirst };
  return isCoveredKind(view) && differingOf(view, draft).length > 0 ? { ...closed, approve: differs } : closed;
}

const decideFirst = "Approve opens once you have filled in your own value and compared it.";
const differs = "Your value stands: check it as your edit, or take the proposed one over.";

/** An edit begins with what the person said before they saw the proposal. */
function ownValues(view: DecisionView, draft: Draft): Readonly<Record<string, string>> {
  if (!draft.isCompared) return {};
  return Object.fromEntries(differingOf(view, draft).map(({ name }) => [name, draft.own[name] ?? ""]));
}
