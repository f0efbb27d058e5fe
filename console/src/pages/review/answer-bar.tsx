import type { ReactNode } from "react";
import { isCountersignError } from "../../../../src/contract/errors.ts";
import type { ReviewEvidence } from "../../../../src/contract/review-evidence.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { ConfirmBar } from "./confirm-bar.tsx";
import { doubtsOf } from "./doubts.ts";
import { EditBar } from "./edit-bar.tsx";
import { ReasonPicker } from "./reason-picker.tsx";
import { SignBar } from "./sign-bar.tsx";
import type { ItemActs } from "./use-item-acts.ts";

/** The bar of an item, or the step that one of its answers asks for, in the same place. */
export function AnswerBar({
  view,
  evidence,
  acts,
  isPhone,
}: {
  readonly view: DecisionView;
  readonly evidence: ReviewEvidence | undefined;
  readonly acts: ItemActs;
  readonly isPhone: boolean;
}): ReactNode {
  const { nameOf } = useApi();
  const { step, closed, draft, onDraft, editing, answers, back } = acts;
  switch (step) {
    case "confirm": {
      const doubts = doubtsOf(view, evidence).map(({ title }) => title);
      return <ConfirmBar view={view} doubts={doubts} whyClosed={closed.approve} onSign={acts.sign} onBack={back} />;
    }
    case "reject":
      return (
        <ReasonPicker
          draft={draft}
          asker={nameOf(view.requestedBy)}
          isVoid={view.state === "needs_person"}
          whyClosed={closed.reject}
          onDraft={onDraft}
          onReject={acts.reject}
          onBack={back}
        />
      );
    case "edit":
      return (
        <EditBar
          view={view}
          beside={editing.beside}
          draft={draft}
          whole={editing.whole}
          isWholeNeeded={editing.choices.length === 0 || isCountersignError(answers.error, "input_invalid")}
          fault={editing.fault}
          whyClosed={closed.edit}
          onDraft={onDraft}
          onCheck={acts.check}
          onBack={back}
        />
      );
    case "answer":
      return (
        <SignBar
          view={view}
          closed={closed}
          isOwn={acts.isOwn}
          isWithdrawable={acts.isWithdrawable}
          isPhone={isPhone}
          acts={acts.bar}
        />
      );
  }
}
