import type { ReactNode } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { StateLine } from "../../parts/state-line.tsx";
import { Time } from "../../parts/time.tsx";
import { routeTones } from "../../words/states.ts";
import { stepLines } from "../../words/steps.ts";
import css from "./ask.module.css";

/** The steps of a proposal in a row: decided, signed, applied, seen; a list on a phone. */
export function StepRow({ view }: { readonly view: DecisionView }): ReactNode {
  const { nameOf } = useApi();
  const { route } = view;
  return (
    <ol className={css["steps"]}>
      {route === null ? null : (
        <li>
          <div className="line line-step">
            <MarkOf name={route} tone={routeTones[route]} />
            <div>
              <strong>Decided</strong>{" "}
              <span className="detail">
                <Time at={view.at} />
              </span>
            </div>
          </div>
        </li>
      )}
      {stepLines(view, nameOf).map((line, place) => (
        <li key={places[place]}>
          <StateLine line={line} />
        </li>
      ))}
    </ol>
  );
}

const places = ["signed", "applied", "seen"];
