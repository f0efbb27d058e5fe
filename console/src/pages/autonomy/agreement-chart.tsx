import type { ReactNode } from "react";
import type { AgreementBin } from "../../../../src/contract/autonomy.ts";
import { neverAutoPpm, onePpm } from "../../../../src/contract/words.ts";
import { Figure } from "../../parts/charts.tsx";
import { plainCount, plainShare } from "../../words/plain.ts";
import css from "./autonomy.module.css";
import { binWidthPpm, isAboveAt, mostPercentOf, percentOf } from "./slice-words.ts";

const plot = { top: 20, bottom: 220, counts: 290 } as const;
const steps = [0, 200_000, 400_000, 600_000, 800_000, onePpm] as const;

/** From where on the picture goes: the upper half where nothing lies below it. */
function startOf(bins: readonly AgreementBin[]): number {
  return bins.some(({ fromPpm }) => fromPpm < onePpm / 2) ? 0 : onePpm / 2;
}

/** How sure it was against how often people agreed, with the interval of each bin and how many it holds; a table of the same behind. */
export function AgreementChart({
  bins,
  thresholdPpm,
  label,
}: {
  readonly bins: readonly AgreementBin[];
  readonly thresholdPpm: number;
  /** What the threshold is, such as "proposed T". */
  readonly label: string;
}): ReactNode {
  const start = startOf(bins);
  const x = (ppm: number) => xOf(ppm, start);
  const title = "How sure it was (across), how often people agreed (up)";
  return (
    <Figure title={title} parts={[]} colour={() => ""} table={<BinTable bins={bins} title={title} />}>
      <svg className={css["agreement"]} role="img" aria-label={`${title}; the figures are in the table`}>
        {steps.map((ppm) => (
          <g key={ppm}>
            <line x1="0%" x2="100%" y1={yOf(ppm)} y2={yOf(ppm)} className={css["grid"]} />
            <text x="0%" y={yOf(ppm) - 4}>
              {percentOf(ppm)}
            </text>
            <text x={x(acrossOf(ppm, start))} y={plot.bottom + 16} textAnchor={ppm === onePpm ? "end" : "middle"}>
              {plainShare(acrossOf(ppm, start))}
            </text>
          </g>
        ))}
        <line x1={x(start)} y1={yOf(start)} x2={x(onePpm)} y2={yOf(onePpm)} className={css["diagonal"]} />
        {bins.map((bin) => (
          <Bin key={bin.fromPpm} bin={bin} bins={bins} thresholdPpm={thresholdPpm} />
        ))}
        {thresholdPpm < neverAutoPpm ? (
          <Threshold
            x={x(Math.max(start, thresholdPpm))}
            ppm={thresholdPpm}
            isRight={thresholdPpm > (start + onePpm) / 2}
            label={label}
          />
        ) : null}
      </svg>
      <p className="meta">
        Dashed: as sure as it is right. Lines: 95% interval. Below: how many
        {thresholdPpm < neverAutoPpm ? "; blue: the bins at and above T" : ""}.
      </p>
    </Figure>
  );
}

function Bin({
  bin: { fromPpm, decisions, agreed, leastPpm, mostPpm },
  bins,
  thresholdPpm,
}: {
  readonly bin: AgreementBin;
  readonly bins: readonly AgreementBin[];
  readonly thresholdPpm: number;
}): ReactNode {
  const start = startOf(bins);
  const x = xOf(fromPpm + binWidthPpm / 2, start);
  const most = Math.max(1, ...bins.map((one) => one.decisions));
  const height = Math.max(1, (decisions / most) * 40);
  return (
    <g>
      <title>{`${plainShare(fromPpm)} to ${plainShare(fromPpm + binWidthPpm)}: agreed ${agreed} of ${decisions}`}</title>
      <line x1={x} x2={x} y1={yOf(mostPpm)} y2={yOf(leastPpm)} className={css["interval"]} />
      <circle cx={x} cy={yOf((agreed / Math.max(1, decisions)) * onePpm)} r="4" className={css["point"]} />
      <rect
        x={xOf(fromPpm + binWidthPpm * 0.2, start)}
        width={`${binWidthPpm * 0.6 * perPpm(start)}%`}
        y={plot.counts - height}
        height={height}
        className={isAboveAt({ fromPpm }, thresholdPpm) ? css["count-auto"] : css["count"]}
      />
      <text x={x} y={plot.counts + 14} textAnchor="middle">
        {plainCount(decisions)}
      </text>
    </g>
  );
}

function Threshold({
  x,
  ppm,
  isRight,
  label,
}: {
  readonly x: string;
  readonly ppm: number;
  readonly isRight: boolean;
  readonly label: string;
}): ReactNode {
  return (
    <g>
      <line x1={x} x2={x} y1={plot.top} y2={plot.bottom} className={css["threshold"]} />
      <text x={x} dx={isRight ? -6 : 6} y={plot.bottom - 10} textAnchor={isRight ? "end" : "start"} className={css["at"]}>
        {label} {plainShare(ppm)}
      </text>
    </g>
  );
}

function BinTable({ bins, title }: { readonly bins: readonly AgreementBin[]; readonly title: string }): ReactNode {
  return (
    <table className="rows">
      <caption className="hidden">{title}</caption>
      <thead>
        <tr>
          {["Confidence from", "Decisions", "Agreed", "At least", "At most"].map((name) => (
            <th key={name} scope="col" className="number-cell">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bins.map(({ fromPpm, decisions, agreed, leastPpm, mostPpm }) => (
          <tr key={fromPpm}>
            <th scope="row" className="number-cell">
              {plainShare(fromPpm)}
            </th>
            <td className="number-cell">{plainCount(decisions)}</td>
            <td className="number-cell">{plainCount(agreed)}</td>
            <td className="number-cell">{percentOf(leastPpm)}</td>
            <td className="number-cell">{mostPercentOf(mostPpm)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Room at the left for the names of the lines. */
const left = 9;

function perPpm(start: number): number {
  return (98 - left) / (onePpm - start);
}

function xOf(ppm: number, start: number): string {
  return `${left + (ppm - start) * perPpm(start)}%`;
}

/** A step up as the same step across. */
function acrossOf(ppm: number, start: number): number {
  return start + (ppm * (onePpm - start)) / onePpm;
}

function yOf(ppm: number): number {
  return plot.bottom - (ppm / onePpm) * (plot.bottom - plot.top);
}
