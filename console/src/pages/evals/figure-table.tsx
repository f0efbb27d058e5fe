import type { ReactNode } from "react";
import type { EvalRunDetail } from "../../../../src/contract/eval-view.ts";
import { TableFrame } from "../../parts/table-frame.tsx";
import { plainCount } from "../../words/plain.ts";
import css from "./evals.module.css";
import { figureWords } from "./points.ts";

type Figure = EvalRunDetail["figures"][number];

/** Every figure of a run: of all cases, then of each capability and slice. */
export function FigureTable({ run: { figures } }: { readonly run: EvalRunDetail }): ReactNode {
  const groups = Map.groupBy(figures, ofWords);
  const opened = groups.has(allCases) ? allCases : groups.keys().next().value;
  if (figures.length === 0) return null;
  return (
    <section className={css["section"]} aria-labelledby="figures-title">
      <h3 id="figures-title">Figures</h3>
      {[...groups].map(([name, own]) => (
        <details key={name} className={css["figures"]} open={name === opened}>
          <summary>
            {name} <span className="meta">{own.length}</span>
          </summary>
          <TableFrame>
            <table className="rows">
              <caption className="hidden">Figures of {name}</caption>
              <thead>
                <tr>
                  <th scope="col">Figure</th>
                  <th scope="col" className="number-cell">
                    Value
                  </th>
                  <th scope="col" className="number-cell">
                    Cases
                  </th>
                </tr>
              </thead>
              <tbody>
                {own.map(({ metric, value, cases }) => (
                  <tr key={metric}>
                    <th scope="row">{metric}</th>
                    <td className="number-cell">{value === null ? "none" : figureWords(metric, value)}</td>
                    <td className="number-cell">{plainCount(cases)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableFrame>
        </details>
      ))}
    </section>
  );
}

const allCases = "All cases";

function ofWords({ capability, slice }: Figure): string {
  if (capability === null) return slice ?? allCases;
  return slice === null ? capability : `${capability}, ${slice}`;
}
