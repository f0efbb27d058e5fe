import type { ReactNode } from "react";
import type { ReviewEvidence } from "../../../../src/contract/review-evidence.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { MarkOf } from "../../parts/mark.tsx";
import { doubtsOf, restOf } from "./doubts.ts";

/** What is unsure, doubts first; the last line sums up what was fine, with the one confidence number. */
export function DoubtList({
  view,
  evidence,
  onEvidence,
}: {
  readonly view: DecisionView;
  readonly evidence: ReviewEvidence | undefined;
  readonly onEvidence: (number: number) => void;
}): ReactNode {
  const doubts = doubtsOf(view, evidence);
  return (
    <ul className="signals card">
      {doubts.map(({ title, detail, evidence: numbers }) => (
        <li key={`${title} ${detail}`}>
          <MarkOf name="warning" tone="wait" />
          <p>
            <strong>{title}</strong> {detail} <Numbers numbers={numbers} onEvidence={onEvidence} />
          </p>
        </li>
      ))}
      <li>
        <MarkOf name="dash" tone="quiet" />
        <p>{restOf(view, evidence, doubts.length)}</p>
      </li>
    </ul>
  );
}

/** Evidence by its numbers; each opens its piece. */
export function Numbers({
  numbers,
  onEvidence,
}: {
  readonly numbers: readonly number[];
  readonly onEvidence: (number: number) => void;
}): ReactNode {
  return numbers.map((number) => (
    <button key={number} type="button" className="link number-link" onClick={() => onEvidence(number)}>
      <span className="hidden">evidence </span>
      {number}
    </button>
  ));
}
