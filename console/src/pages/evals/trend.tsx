import type { ReactNode } from "react";
import type { EvalRunView } from "../../../../src/contract/eval-view.ts";
import { Figure } from "../../parts/charts.tsx";
import { useNow } from "../../parts/now.tsx";
import { counted } from "../../words/plain.ts";
import { timeWords } from "../../words/times.ts";
import css from "./evals.module.css";
import { figureWords, metricsOf, type Point, passRate, pointsOf } from "./points.ts";

/** How one figure went over the runs that are listed, the oldest at the left; where the cases changed, a line says so. */
export function Trend({
  runs,
  metric,
  capability,
  onMetric,
}: {
  readonly runs: readonly EvalRunView[];
  readonly metric: string | null;
  readonly capability: string | null;
  readonly onMetric: (metric: string | undefined) => void;
}): ReactNode {
  const shown = metric ?? passRate;
  const names = metricsOf(runs, capability);
  const points = pointsOf(runs, { metric: shown, capability });
  return (
    <div className={css["trend"]}>
      <label>
        Figure{" "}
        <select
          className="field"
          value={shown}
          onChange={(event) => onMetric(event.target.value === passRate ? undefined : event.target.value)}
        >
          <option value={passRate}>Share of cases that passed</option>
          {(names.includes(shown) || shown === passRate ? names : [shown, ...names]).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {points.length === 0 ? (
        <p className="card padded detail">None of the listed runs has this figure.</p>
      ) : (
        <Figure
          title={`${shown === passRate ? "Share of cases that passed" : shown}, ${counted(points.length, "run")}`}
          parts={[]}
          colour={() => ""}
          table={<PointTable points={points} metric={shown} />}
        >
          <Line points={points} metric={shown} />
        </Figure>
      )}
    </div>
  );
}

const plot = { top: 20, bottom: 150, left: 9, right: 98 } as const;

function Line({ points, metric }: { readonly points: readonly Point[]; readonly metric: string }): ReactNode {
  const now = useNow("minute");
  const most = Math.max(1, ...points.map(({ value }) => value));
  const x = (place: number) => (points.length === 1 ? 50 : plot.left + (place / (points.length - 1)) * (plot.right - plot.left));
  const y = (value: number) => plot.bottom - (value / most) * (plot.bottom - plot.top);
  const isOneSet = new Set(points.map(({ setDigest }) => setDigest)).size < 2;
  const [first, last] = [points[0], points.at(-1)];
  return (
    <>
      <svg className={css["line"]} role="img" aria-label="The figures are in the table">
        {[0, most / 2, most].map((value) => (
          <g key={value}>
            <line x1="0%" x2="100%" y1={y(value)} y2={y(value)} className={css["grid"]} />
            <text x="0%" y={y(value) - 4}>
              {figureWords(metric, value)}
            </text>
          </g>
        ))}
        {points.map((point, place) => {
          const before = points[place - 1];
          const isOther = before !== undefined && before.setDigest !== point.setDigest;
          return (
            <g key={point.id}>
              <title>{`${timeWords(point.at, now)}: ${figureWords(metric, point.value)}`}</title>
              {before === undefined ? null : (
                <line
                  x1={`${x(place - 1)}%`}
                  y1={y(before.value)}
                  x2={`${x(place)}%`}
                  y2={y(point.value)}
                  className={isOther ? css["other-cases"] : css["same-cases"]}
                />
              )}
              <circle cx={`${x(place)}%`} cy={y(point.value)} r="4" className={css["dot"]} />
            </g>
          );
        })}
      </svg>
      <p className="chart-ends">
        <span>{first === undefined ? "" : `${timeWords(first.at, now, false)} UTC`}</span>
        <span>{isOneSet ? "" : "dashed: over other cases, not to be compared"}</span>
        <span>{last === undefined || last === first ? "" : `${timeWords(last.at, now, false)} UTC`}</span>
      </p>
    </>
  );
}

function PointTable({ points, metric }: { readonly points: readonly Point[]; readonly metric: string }): ReactNode {
  const now = useNow("minute");
  return (
    <table className="rows">
      <caption className="hidden">{metric} by run</caption>
      <thead>
        <tr>
          <th scope="col">Began</th>
          <th scope="col" className="number-cell">
            Figure
          </th>
          <th scope="col">Cases</th>
        </tr>
      </thead>
      <tbody>
        {points.map(({ id, at, value, setDigest }) => (
          <tr key={id}>
            <th scope="row">{timeWords(at, now)} UTC</th>
            <td className="number-cell">{figureWords(metric, value)}</td>
            <td>
              <code>{setDigest.slice(0, 8)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
