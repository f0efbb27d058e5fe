import { Link } from "@tanstack/react-router";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect } from "react";
import { Button } from "../../parts/button.tsx";
import { Filters } from "../../parts/data-table.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { counted, plainCount } from "../../words/plain.ts";
import css from "./queue.module.css";
import { QueueRow, rowId } from "./queue-row.tsx";
import type { Queue, QueueFilter } from "./use-queue.ts";

const rowHeight = 66;

/** The review queue: its filters, what came since it was read, and its rows in the order that is held. */
export function QueueList({
  queue,
  isAlone,
  openId,
  listRef,
  onOpen,
  onFilter,
}: {
  readonly queue: Queue;
  /** No item stands beside it, so that this is the page. */
  readonly isAlone: boolean;
  readonly openId: string | undefined;
  readonly listRef: RefObject<HTMLDivElement | null>;
  readonly onOpen: (id: string) => void;
  readonly onFilter: (filter: QueueFilter) => void;
}): ReactNode {
  const { filter, fresh, load, ofFilter, count, isPending, error } = queue;
  const isRead = !isPending && error === null;
  const Title = isAlone ? "h1" : "h2";
  const options = filterNames.map(({ value, words }) => ({
    value,
    words,
    count: (isRead ? ofFilter(value) : null) ?? undefined,
  }));
  return (
    <section className={css["queue"]} aria-labelledby="queue-title">
      <header className={css["head"]}>
        <div className={css["heading"]}>
          <Title id="queue-title">Review queue</Title>
          {isRead ? <span className="meta">{count.isOver ? "over 10,000" : plainCount(count.count)} waiting</span> : null}
          <span className={`meta ${css["order"]}`}>expiring first</span>
        </div>
        <div className={css["filters"]}>
          <Filters label="Which part of the queue" options={options} chosen={filter} onChoose={onFilter} />
        </div>
      </header>
      <div className={css["fresh"]} role="status">
        {fresh === 0 ? (
          <span>{isRead ? "Nothing new since it was read." : ""}</span>
        ) : (
          <>
            <span>{plainCount(fresh)} new. Order held while you work.</span>
            <Button isSmall keyName="." onClick={load}>
              Load
            </Button>
          </>
        )}
      </div>
      <div className={css["rest"]}>
        <Rows queue={queue} openId={openId} listRef={listRef} onOpen={onOpen} />
      </div>
      <p className={css["foot"]}>
        <Link to="/review-health">How reviewing goes</Link>
      </p>
    </section>
  );
}

const filterNames: readonly { readonly value: QueueFilter; readonly words: string }[] = [
  { value: "open", words: "Open" },
  { value: "mine", words: "Mine" },
  { value: "second", words: "Second signature" },
];

function Rows({
  queue: { rows, live, isPending, error, hasMore, more, load, filter },
  openId,
  listRef,
  onOpen,
}: {
  readonly queue: Queue;
  readonly openId: string | undefined;
  readonly listRef: RefObject<HTMLDivElement | null>;
  readonly onOpen: (id: string) => void;
}): ReactNode {
  const place = rows.findIndex(({ id }) => id === openId);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => listRef.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    getItemKey: (at) => rows[at]?.id ?? at,
    // The open row is drawn wherever the list is scrolled to: the list names it as its active one.
    rangeExtractor: (range) => [...new Set([...(place < 0 ? [] : [place]), ...defaultRangeExtractor(range)])],
  });
  const shown = virtual.getVirtualItems();
  const last = Math.max(0, ...shown.map(({ index }) => index));
  useEffect(() => {
    if (hasMore && last >= rows.length - 10) more();
  }, [hasMore, last, rows.length, more]);
  useEffect(() => {
    if (place >= 0) virtual.scrollToIndex(place, { align: "auto" });
  }, [place, virtual]);
  if (error !== null) return <ErrorState error={error} what="The queue" again={load} />;
  if (isPending) return <LoadingRows what="the queue" rows={8} height={rowHeight} />;
  // A list of choices without one is none.
  if (rows.length === 0) return <NothingWaits filter={filter} isReading={hasMore} />;
  return (
    <div
      ref={listRef}
      id="queue"
      className={css["list"]}
      role="listbox"
      tabIndex={0}
      aria-label="What waits for a person"
      aria-activedescendant={place < 0 ? undefined : rowId(rows[place]?.id ?? "")}
      aria-keyshortcuts="j k"
    >
      <div role="presentation" className={css["rows"]} style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const at = { place: index + 1, of: rows.length, offset: start };
          return <QueueRow key={row.id} row={row} live={live} openId={openId} {...at} onOpen={() => onOpen(row.id)} />;
        })}
      </div>
    </div>
  );
}

function NothingWaits({ filter, isReading }: { readonly filter: QueueFilter; readonly isReading: boolean }): ReactNode {
  if (isReading) return <LoadingRows what="the rest of the queue" rows={3} height={rowHeight} />;
  const title = {
    open: "Nothing waits for you.",
    mine: "You have taken nothing up.",
    second: "Nothing waits for a second signature.",
  };
  const detail = filter === "open" ? "The next item shows up here by itself." : `${counted(0, "item")} of the queue.`;
  return <EmptyState title={title[filter]} detail={detail} link={{ to: "/review-health", words: "What I decided" }} />;
}
