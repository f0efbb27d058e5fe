import type { ReactNode } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../words/plain.ts";
import { isHalfSigned } from "../../words/states.ts";
import css from "./bar.module.css";
import { needsConfirming } from "./standing.ts";
import type { Closed } from "./why-closed.ts";

/** What the bar's buttons do. */
export interface BarActs {
  readonly approve: () => void;
  readonly reject: () => void;
  readonly edit: () => void;
  readonly askAnew: () => void;
  readonly claim: () => void;
  readonly withdraw: () => void;
  readonly next: () => void;
}

/** The bar below an item: approve and reject of equal weight, edit, and why any of them is closed. */
export function SignBar({
  view,
  closed,
  isOwn,
  isWithdrawable,
  isPhone,
  acts,
}: {
  readonly view: DecisionView;
  readonly closed: Closed;
  readonly isOwn: boolean;
  readonly isWithdrawable: boolean;
  readonly isPhone: boolean;
  readonly acts: BarActs;
}): ReactNode {
  const edit = (
    <Button keyName="e" disabled={closed.edit !== null} onClick={acts.edit}>
      Edit
    </Button>
  );
  const ways = <Ways {...{ view, closed, isOwn, isWithdrawable, acts }} />;
  return (
    <section className={css["bar"]} aria-label="Your answer">
      <div className={css["answers"]}>
        <Button look="primary" keyName="a" disabled={closed.approve !== null} onClick={acts.approve}>
          {approveWords(view)}
        </Button>
        <Button look="solid" keyName="r" disabled={closed.reject !== null} onClick={acts.reject}>
          Reject…
        </Button>
      </div>
      {isPhone ? null : edit}
      <div className={css["why"]}>
        <p>{whyWords(view, closed)}</p>
        {isPhone ? null : <div className={css["ways"]}>{ways}</div>}
      </div>
      {isPhone ? (
        <details className={css["more"]}>
          <summary className="button">More</summary>
          <div className={css["ways"]}>
            {edit}
            {ways}
          </div>
        </details>
      ) : null}
    </section>
  );
}

/** What else may be done with it; nothing that answers it. */
function Ways({
  view,
  closed,
  isOwn,
  isWithdrawable,
  acts,
}: {
  readonly view: DecisionView;
  readonly closed: Closed;
  readonly isOwn: boolean;
  readonly isWithdrawable: boolean;
  readonly acts: BarActs;
}): ReactNode {
  const isOpen = closed.reject === null;
  return (
    <>
      {isOpen ? (
        <Button isSmall keyName="c" onClick={acts.claim}>
          {isOwn ? "Release" : "Claim"}
        </Button>
      ) : null}
      {isOpen && view.state === "waiting" ? (
        <Button isSmall keyName="n" onClick={acts.askAnew}>
          Ask for a new proposal…
        </Button>
      ) : null}
      {isWithdrawable ? (
        <Button isSmall keyName="w" onClick={acts.withdraw}>
          Withdraw your signature
        </Button>
      ) : null}
      {isOpen ? null : (
        <Button isSmall keyName="j" onClick={acts.next}>
          Next
        </Button>
      )}
      {view.supersededBy === null ? null : <a href={`/review/${view.supersededBy}`}>What stands in its place</a>}
    </>
  );
}

/** What the button that approves says: the verb and how much. */
function approveWords(view: DecisionView): string {
  const { effects } = view;
  const dots = needsConfirming(view) ? "…" : "";
  if (effects.length === 0) return `Approve the answer${dots}`;
  if (isHalfSigned(view)) return `Approve as second${dots}`;
  return `Approve ${effects.length === 1 ? "the change" : counted(effects.length, "change")}${dots}`;
}

/** How much is signed, as a sentence. */
export function signsWords({ effects }: DecisionView): string {
  if (effects.length === 0) return "You release the answer.";
  return `You sign ${counted(effects.length, "approval")}${effects.length === 1 ? "" : ", one per effect"}.`;
}

function whyWords(view: DecisionView, closed: Closed): string {
  const why = closed.approve ?? closed.reject;
  if (why !== null) return why;
  const isHigh = view.effects.some(({ risk }) => risk === "high");
  return `${isHigh ? "Risk high: nobody signs their own edit. " : ""}${signsWords(view)} The next item opens by itself.`;
}
