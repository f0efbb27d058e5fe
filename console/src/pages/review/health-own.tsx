import type { ReactNode } from "react";
import type { ReviewHealth } from "../../../../src/contract/review-health.ts";
import { TableFrame } from "../../parts/table-frame.tsx";
import { plainCount, plainPercent } from "../../words/plain.ts";
import { durationWords } from "../../words/times.ts";
import css from "./health.module.css";

type Own = ReviewHealth["own"][number];
type Times = NonNullable<Own["viewed"]>;

/** One person's own answers by capability, with the spread of their times; shown to that person alone. */
export function OwnTable({ own }: { readonly own: readonly Own[] }): ReactNode {
  const times = own.flatMap(({ viewed }) => viewed ?? []);
  const scale = { least: Math.min(...times.map(({ least }) => least)), most: Math.max(...times.map(({ most }) => most)) };
  const isViewed = own.some(({ viewed }) => viewed !== null);
  return (
    <>
      <TableFrame>
        <table className="rows">
          <caption className="hidden">Your answers by capability</caption>
          <thead>
            <tr>
              <th scope="col">Capability</th>
              <th scope="col" className="number-cell">
                Answered
              </th>
              <th scope="col">Time, with the median</th>
              <th scope="col" className="number-cell">
                As proposed
              </th>
              <th scope="col" className="number-cell">
                Second look
              </th>
            </tr>
          </thead>
          <tbody>
            {own.map(({ capability, answered, approved, viewed, secondLooks }) => (
              <tr key={capability}>
                <th scope="row">{capability}</th>
                <td className="number-cell">{plainCount(answered)}</td>
                <td className={css["time"]}>
                  {viewed === null ? <span className="meta">not measured</span> : <Spread times={viewed} scale={scale} />}
                </td>
                <td className="number-cell">{plainPercent(approved / Math.max(1, answered))}</td>
                <td className="number-cell">{secondLooks.of === 0 ? "none" : `${secondLooks.agreed} of ${secondLooks.of}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      <p className="meta">
        {isViewed ? "Time is measured while the item is visible and its window has focus. " : ""}Second look: another person
        answered later what you had signed.
      </p>
    </>
  );
}

/** Least, quarters and most as strokes on one scale, on which each step is as many times longer, the median as a triangle and in words. */
function Spread({ times, scale }: { readonly times: Times; readonly scale: Pick<Times, "least" | "most"> }): ReactNode {
  const { least, quarter, median, threeQuarters, most, of } = times;
  const low = Math.log1p(scale.least);
  const span = Math.log1p(scale.most) - low;
  const at = (ms: number) => 6 + (span === 0 ? 0.5 : (Math.log1p(ms) - low) / span) * 108;
  const words = `${durationWords(least)} to ${durationWords(most)}, half within ${durationWords(quarter)} and ${durationWords(threeQuarters)}, of ${of}`;
  return (
    <>
      <svg width="120" height="18" viewBox="0 0 120 18" role="img" aria-label={words}>
        <title>{words}</title>
        <path d="M1 15.5h118" stroke="var(--line)" />
        {[...new Set([least, quarter, threeQuarters, most])].map((ms) => (
          <path key={ms} d={`M${at(ms)} 4v11`} stroke="var(--text3)" strokeWidth="2" />
        ))}
        <path d={`M${at(median) - 5} 1h10l-5 7z`} fill="var(--text)" />
      </svg>{" "}
      {durationWords(median)}
    </>
  );
}
