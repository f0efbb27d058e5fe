import type { ReactNode } from "react";
import type { ReviewEvidence } from "../../../../src/contract/review-evidence.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { Numbers } from "./doubt-list.tsx";
import css from "./item.module.css";

/** The claims of a proposal, each with the numbers of the evidence behind it. */
export function ClaimRows({
  view,
  evidence,
  onEvidence,
}: {
  readonly view: DecisionView;
  readonly evidence: ReviewEvidence | undefined;
  readonly onEvidence: (number: number) => void;
}): ReactNode {
  const numberOf = (id: string) => evidence?.items.find((item) => item.id === id)?.number;
  return (
    <ul className={`card ${css["claims"]}`}>
      {view.claims.map(({ text, source, citation, also = [], workings = [] }) => {
        const numbers = [source, ...also.map((one) => one.source)].flatMap((id) => numberOf(id) ?? []);
        return (
          <li key={`${source} ${text}`}>
            <p>
              {text} <Numbers numbers={numbers} onEvidence={onEvidence} />
            </p>
            <p className="meta">{[citation, ...also.map((one) => one.citation)].join("; ")}</p>
            {workings.map(({ expression, value, by }) => (
              <p key={expression} className="meta">
                calculated: {expression} = {value} ({by.join(", ")})
              </p>
            ))}
          </li>
        );
      })}
    </ul>
  );
}
