import type { ReactNode } from "react";
import type { ReviewHealth } from "../../../../src/contract/review-health.ts";
import { MarkOf } from "../../parts/mark.tsx";
import { plainCount } from "../../words/plain.ts";
import { durationWords } from "../../words/times.ts";
import css from "./health.module.css";

/** That a queue may be too alike to need this person, with the facts. It speaks about the queue, and slows nothing. */
export function TooAlike({ own: { capability, mayBeTooAlike } }: { readonly own: ReviewHealth["own"][number] }): ReactNode {
  if (mayBeTooAlike === null) return null;
  const { of, approved, medianViewedMs, others } = mayBeTooAlike;
  return (
    <div className={css["alike"]}>
      <MarkOf name="warning" tone="wait" />
      <div>
        <p>
          <strong>{capability}: these may be too alike to need you.</strong>
        </p>
        <p>
          You signed {plainCount(approved)} of {plainCount(of)} as proposed, in {durationWords(medianViewedMs)} by the median.{" "}
          {others === null
            ? "Too few others answer it to compare."
            : `Of the ${plainCount(others.reviewers)} others together it is ${plainCount(others.approved)} of ${plainCount(others.answered)}.`}{" "}
          That speaks about the queue: its owner can propose another threshold, or mix it with other capabilities. Nothing is
          slowed or closed for you.
        </p>
      </div>
    </div>
  );
}
