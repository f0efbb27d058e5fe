import { type ReactNode, useId, useState } from "react";

/** One bar: a name, and how much of each of its parts. */
export interface Bar {
  readonly name: string;
  readonly parts: readonly number[];
}

const ramp = ["var(--chart1)", "var(--chart2)", "var(--chart3)", "var(--chart4)"] as const;

/** Bars over a row of names, such as days, each of up to four parts; with a table of the same figures behind a button. */
export function BarChart({
  title,
  bars,
  parts,
  format,
  accent,
}: {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** What the parts are called, the lowest first. */
  readonly parts: readonly string[];
  readonly format: (value: number) => string;
  /** The part that the page is about. */
  readonly accent?: number;
}): ReactNode {
  const most = Math.max(1e-9, ...bars.map((bar) => sumOf(bar)));
  const width = 100 / Math.max(1, bars.length);
  const colour = (part: number) => (part === accent ? "var(--accent)" : ramp[part % ramp.length]);
  return (
    <Figure title={title} parts={parts} colour={colour} table={<BarTable bars={bars} parts={parts} format={format} />}>
      <svg
        viewBox="0 0 100 40"
        preserveAspectRatio="none"
        className="chart"
        role="img"
        aria-label={`${title}; the figures are in the table`}
      >
        {bars.map((bar, place) => {
          let base = 40;
          return bar.parts.map((value, part) => {
            const height = (value / most) * 38;
            base -= height;
            return (
              <rect
                key={`${bar.name} ${parts[part]}`}
                x={place * width + width * 0.06}
                y={base}
                width={width * 0.88}
                height={Math.max(0, height - 0.3)}
                fill={colour(part)}
              >
                <title>{`${bar.name}, ${parts[part]}: ${format(value)}`}</title>
              </rect>
            );
          });
        })}
      </svg>
      <p className="chart-ends">
        <span>{bars[0]?.name}</span>
        <span>most {format(most)}</span>
        <span>{bars.at(-1)?.name}</span>
      </p>
    </Figure>
  );
}

/** Points from 0 to 1 on both sides against the diagonal, such as confidence against the share that proved right. */
export function ReliabilityChart({
  title,
  points,
}: {
  readonly title: string;
  readonly points: readonly { readonly x: number; readonly y: number; readonly count: number }[];
}): ReactNode {
  const most = Math.max(1, ...points.map(({ count }) => count));
  return (
    <Figure
      title={title}
      parts={[]}
      colour={() => ""}
      table={
        <table className="rows">
          <caption className="hidden">{title}</caption>
          <thead>
            <tr>
              {["Said", "Was right", "Decisions"].map((name) => (
                <th key={name} scope="col" className="number-cell">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map(({ x, y, count }) => (
              <tr key={x}>
                <td className="number-cell">{x.toFixed(2)}</td>
                <td className="number-cell">{y.toFixed(2)}</td>
                <td className="number-cell">{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    >
      <svg
        viewBox="-5 -5 110 110"
        className="chart chart-square"
        role="img"
        aria-label={`${title}; the figures are in the table`}
      >
        <path d="M0 0V100H100M0 100L100 0" fill="none" stroke="var(--edge)" strokeWidth="0.5" />
        {points.map(({ x, y, count }) => (
          <circle
            key={x}
            cx={x * 100}
            cy={100 - y * 100}
            r={1.5 + 3 * Math.sqrt(count / most)}
            fill="var(--chart2)"
            stroke="var(--chart1)"
            strokeWidth="0.5"
          >
            <title>{`said ${x.toFixed(2)}, right ${y.toFixed(2)}, of ${count}`}</title>
          </circle>
        ))}
      </svg>
    </Figure>
  );
}

function BarTable({
  bars,
  parts,
  format,
}: {
  readonly bars: readonly Bar[];
  readonly parts: readonly string[];
  readonly format: (value: number) => string;
}): ReactNode {
  return (
    <table className="rows">
      <thead>
        <tr>
          <th scope="col">Of</th>
          {parts.map((name) => (
            <th key={name} scope="col" className="number-cell">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.name}>
            <th scope="row">{bar.name}</th>
            {bar.parts.map((value, part) => (
              <td key={parts[part]} className="number-cell">
                {format(value)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A picture with its title, its parts, and a table of the same figures behind a button. */
export function Figure({
  title,
  parts,
  colour,
  table,
  children,
}: {
  readonly title: string;
  readonly parts: readonly string[];
  readonly colour: (part: number) => string | undefined;
  readonly table: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  return (
    <figure className="figure card padded" aria-labelledby={id}>
      <figcaption id={id}>
        <strong>{title}</strong>
        <button type="button" className="link" aria-expanded={isTable} onClick={() => setIsTable(!isTable)}>
          {isTable ? "Show as picture" : "Show as table"}
        </button>
      </figcaption>
      {isTable ? table : children}
      {parts.length < 2 || isTable ? null : (
        <ul className="legend">
          {parts.map((name, part) => (
            <li key={name}>
              <svg width="14" height="6" aria-hidden="true">
                <path d="M0 3h14" stroke={colour(part)} strokeWidth="6" />
              </svg>{" "}
              {name}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

function sumOf({ parts }: Bar): number {
  return parts.reduce((sum, value) => sum + value, 0);
}
