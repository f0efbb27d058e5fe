import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { LedgerLine } from "../../../../src/contract/ledger-view.ts";
import { MarkOf } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { kindLine, shortHash, whatOf } from "./entry-words.ts";
import css from "./ledger.module.css";
import { place } from "./place.ts";

const rowHeight = 35;

/** The entries, newest first. Only the rows that can be seen stand in the page, however many were read. */
export function LedgerTable({
  lines,
  scroller,
  chosen,
  broken,
  onChoose,
}: {
  readonly lines: readonly LedgerLine[];
  readonly scroller: RefObject<HTMLElement | null>;
  readonly chosen: string | null;
  /** The entry that is not what was sealed. */
  readonly broken: string | null;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  const body = useRef<HTMLTableSectionElement>(null);
  const scrollMargin = useOffset(body, scroller);
  const rows = useVirtualizer({
    scrollMargin,
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 20,
    getItemKey: (index) => lines[index]?.id ?? index,
  });
  const at = chosen === null ? -1 : lines.findIndex(({ id }) => id === chosen);
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: "auto" });
  }, [at, rows]);
  const shown = rows.getVirtualItems();
  const above = (shown[0]?.start ?? scrollMargin) - scrollMargin;
  const below = rows.getTotalSize() + scrollMargin - (shown.at(-1)?.end ?? scrollMargin);
  return (
    <div className="table-frame">
      <table className={`rows ${css["entries"]}`} aria-rowcount={lines.length + 1}>
        <caption className="hidden">Entries of the ledger, newest first</caption>
        <thead>
          <tr>
            {["Entry", "Time", "Kind", "What", "Writer", "Hash"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Gap height={above} />
          {shown.map(({ index, key }) => {
            const line = lines[index];
            return line === undefined ? null : (
              <EntryRow
                key={key}
                line={line}
                row={index + 2}
                isChosen={line.id === chosen}
                isBroken={line.id === broken}
                onChoose={onChoose}
              />
            );
          })}
          <Gap height={below} />
        </tbody>
      </table>
    </div>
  );
}

/** How far down the list begins in what scrolls; it moves as what stands above it opens and closes. */
function useOffset(list: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  // Measured after each drawing: what stands above is not this list's to know.
  useLayoutEffect(() => {
    const [inner, outer] = [list.current, scroller.current];
    if (inner === null || outer === null) return;
    setOffset(Math.round(inner.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop));
  });
  return offset;
}

/** Stands for the rows above or below that are not in the page. */
function Gap({ height }: { readonly height: number }): ReactNode {
  if (height <= 0) return null;
  return (
    <tr className={css["gap"]}>
      <td>
        <svg width="1" height={height} aria-hidden="true" />
      </td>
    </tr>
  );
}

function EntryRow({
  line,
  row,
  isChosen,
  isBroken,
  onChoose,
}: {
  readonly line: LedgerLine;
  readonly row: number;
  readonly isChosen: boolean;
  readonly isBroken: boolean;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  const { id, seq, ts, sealedAt, writer, hash } = line;
  const { mark, tone, words } = kindLine(line);
  const what = whatOf(line);
  return (
    <tr
      aria-rowindex={row}
      className={`choosable ${isChosen ? "chosen" : ""} ${isBroken ? css["broken"] : ""}`}
      onClick={() => onChoose(id)}
    >
      <td className={css["seq"]}>
        <button
          type="button"
          className="row-opener"
          data-row={id}
          aria-current={isChosen ? "true" : undefined}
          onClick={() => onChoose(id)}
        >
          {seq === null ? "not sealed" : place(seq)}
        </button>
        <Link isBroken={isBroken} />
      </td>
      <td className={css["time"]}>
        <Time at={sealedAt ?? ts} />
      </td>
      <td className={css["kind"]}>
        <MarkOf name={mark} tone={tone} /> <span>{words}</span>
      </td>
      <td title={what}>{what}</td>
      <td className={css["writer"]}>{writer}</td>
      <td className={css["hash"]}>
        <code title={hash}>{shortHash(hash)}</code>
      </td>
    </tr>
  );
}

/** The link of the chain beside a row; full and in `stop` where it is broken. */
function Link({ isBroken }: { readonly isBroken: boolean }): ReactNode {
  return (
    <svg className={css["link"]} width="8" height="34" aria-hidden="true">
      <path d="M4 0V34" />
      <rect x="0.5" y="13.5" width="7" height="7" rx="1.5" className={isBroken ? css["link-broken"] : undefined} />
    </svg>
  );
}
