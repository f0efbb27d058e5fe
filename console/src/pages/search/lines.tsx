import type { ReactNode } from "react";
import type { LegActivity } from "../../../../src/contract/found-passages.ts";
import css from "./search.module.css";

const rowHeight = 54;
const headHeight = 36;
const width = 44;

/** Lines from a leg's rows to those of the joined list; what ends outside of the other list is a dotted stub. The ranks say the same in words. */
export function Lines({
  leg: { ranks },
  shown,
  most,
  chosen,
  place,
}: {
  readonly leg: LegActivity;
  readonly shown: readonly string[];
  readonly most: number;
  readonly chosen: string | null;
  readonly place: "left" | "right";
}): ReactNode {
  const height = headHeight + rowHeight * Math.max(shown.length, Math.min(most, ranks.length));
  const legX = place === "left" ? 0 : width;
  const joinedX = width - legX;
  const towards = place === "left" ? 1 : -1;
  return (
    <svg className={css["lines"]} data-side={place} width={width} height={height} aria-hidden="true" fill="none">
      {shown.map((id, at) => {
        const rank = ranks.indexOf(id);
        if (rank < 0) return null;
        const isMarked = id === chosen ? css["marked-line"] : "";
        return rank >= most ? (
          <path key={id} className={isMarked} strokeDasharray="2 3" d={`M${joinedX} ${middle(at)}h${-14 * towards}`} />
        ) : (
          <path
            key={id}
            className={isMarked}
            d={`M${legX} ${middle(rank)}C${width / 2} ${middle(rank)} ${width / 2} ${middle(at)} ${joinedX} ${middle(at)}`}
          />
        );
      })}
      {ranks
        .slice(0, most)
        .map((id, at) =>
          shown.includes(id) ? null : <path key={id} strokeDasharray="2 3" d={`M${legX} ${middle(at)}h${14 * towards}`} />,
        )}
    </svg>
  );
}

function middle(row: number): number {
  return headHeight + rowHeight * (row + 0.5);
}
