import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { OperationLine, OperationSummary } from "../../../../src/contract/operation-view.ts";
import type { OperationState } from "../../../../src/contract/words.ts";
import { useApi } from "../../api/api.tsx";
import { type Paged, usePaged } from "../../api/pages.ts";
import { type Column, DataTable, Filters, MoreRows } from "../../parts/data-table.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { useNow } from "../../parts/now.tsx";
import { durationWords, wholeTime } from "../../words/times.ts";
import { movingStates, needsStates, operationLines, operationTitle, type Show, statesOf } from "./operation-words.ts";
import css from "./operations.module.css";

/** The operations that a view shows: those on top first, then the rest, page by page. */
export interface Operations {
  readonly rows: readonly OperationLine[];
  readonly rest: Paged<OperationLine>;
  readonly top: Paged<OperationLine>;
}

/** Reads what a view shows. Where all are shown, unknown, failed and escalated ones stand on top, whenever they were begun. */
export function useOperations({
  show,
  effect,
  find,
}: {
  readonly show: Show;
  readonly effect: string;
  readonly find: string;
}): Operations {
  const { client } = useApi();
  const ofEffect = effect === "" ? {} : { effect };
  const read = (state: readonly OperationState[]) => (cursor: string | undefined) =>
    client.operations({ state, ...ofEffect, limit: 50, ...(cursor === undefined ? {} : { cursor }) });
  const top = usePaged(["operations", "list", "needs", effect], read(needsStates));
  const rest = usePaged(["operations", "list", show, effect], read(statesOf[show]));
  const all = show === "all" ? [...top.rows, ...rest.rows] : rest.rows;
  return { rows: all.filter((row) => isFound(row, find)), rest, top };
}

function isFound({ sentence, effect, key, id }: OperationLine, find: string): boolean {
  const sought = find.trim().toLowerCase();
  return sought === "" || [sentence ?? "", effect, key, id].some((text) => text.toLowerCase().includes(sought));
}

/** The four views with their counts. */
export function OperationFilters({ show, onShow }: { readonly show: Show; readonly onShow: (show: Show) => void }): ReactNode {
  const { client } = useApi();
  const { data } = useQuery({
    queryKey: ["operations", "summary"],
    queryFn: () => client.operationSummary(),
    placeholderData: keepPreviousData,
  });
  return (
    <Filters
      label="Which operations"
      chosen={show}
      onChoose={onShow}
      options={[
        { value: "needs", words: "Needs a person", count: countIn(data?.open, needsStates) },
        { value: "moving", words: "Moving", count: countIn(data?.open, movingStates) },
        { value: "complete", words: "Complete", count: undefined },
        { value: "all", words: "All" },
      ]}
    />
  );
}

function countIn(counts: OperationSummary["open"] | undefined, states: readonly OperationState[]): number | undefined {
  return counts?.filter(({ state }) => states.includes(state)).reduce((sum, { count }) => sum + count, 0);
}

/** The table, or what stands in its place. */
export function OperationRows({
  operations: { rows, rest, top },
  show,
  isFiltered,
  chosen,
  onChoose,
}: {
  readonly operations: Operations;
  readonly show: Show;
  readonly isFiltered: boolean;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  const isTopShown = show === "all";
  const error = rest.error ?? (isTopShown ? top.error : null);
  const again = () => {
    rest.again();
    top.again();
  };
  if (error !== null) return <ErrorState error={error} what="The list of operations" again={again} />;
  if (rest.isPending || (isTopShown && top.isPending)) return <LoadingRows what="operations" rows={12} height={34} />;
  return (
    <>
      {rows.length === 0 ? (
        <Empty show={show} isFiltered={isFiltered} hasMore={rest.hasMore} />
      ) : (
        <div className={css["list"]}>
          <DataTable
            caption="Operations"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            chosen={chosen}
            onChoose={({ id }) => onChoose(id)}
          />
        </div>
      )}
      {isTopShown && top.hasMore ? <p className="meta">More than 50 need a person; “Needs a person” shows all of them.</p> : null}
      <MoreRows hasMore={rest.hasMore} isLoading={rest.isLoadingMore} onMore={rest.more} what="operations" />
    </>
  );
}

function Empty({
  show,
  isFiltered,
  hasMore,
}: {
  readonly show: Show;
  readonly isFiltered: boolean;
  readonly hasMore: boolean;
}): ReactNode {
  if (isFiltered) {
    return (
      <EmptyState
        title="Nothing read so far fits."
        detail={hasMore ? "There is more to read below." : "All that is open to you was looked through."}
        link={{ to: "/operations", words: "Show all operations" }}
      />
    );
  }
  return <EmptyState {...empties[show]} />;
}

const empties: Readonly<Record<Show, { title: string; detail: string; link: { to: string; words: string } }>> = {
  needs: {
    title: "Nothing needs a person.",
    detail: "What could not be settled here shows up by itself.",
    link: { to: "/operations", words: "All operations" },
  },
  moving: {
    title: "Nothing is under way.",
    detail: "What is signed is sent by itself and shows up here meanwhile.",
    link: { to: "/review", words: "What waits for a signature" },
  },
  complete: {
    title: "Nothing was seen as complete yet.",
    detail: "It stands here once a separate read saw all of a change.",
    link: { to: "/operations", words: "All operations" },
  },
  all: {
    title: "Nothing was applied yet.",
    detail: "What is signed is sent by itself and shows up here.",
    link: { to: "/review", words: "What waits for a signature" },
  },
};

const columns: readonly Column<OperationLine>[] = [
  { name: "State", width: "9rem", cell: (row) => <StateCell row={row} /> },
  {
    name: "What",
    cell: (row) => (
      <span className={css["what"]} title={operationTitle(row)}>
        {operationTitle(row)}
      </span>
    ),
  },
  {
    name: "Key",
    width: "30%",
    cell: ({ key }) => (
      <code className={css["key"]} title={key}>
        {key}
      </code>
    ),
  },
  { name: "For", isNumber: true, width: "5.5rem", cell: ({ since }) => <For since={since} /> },
];

function StateCell({ row: { state, stopped } }: { readonly row: OperationLine }): ReactNode {
  const { mark, tone, words } = operationLines[state];
  return (
    <span className={css["state"]}>
      <MarkOf name={mark} tone={tone} /> <span className={`tone-${tone}`}>{words}</span>
      {stopped === null ? null : <span className="meta"> stopped</span>}
    </span>
  );
}

/** How long it has stood so. */
function For({ since }: { readonly since: number }): ReactNode {
  const now = useNow("minute");
  return (
    <time dateTime={new Date(since).toISOString()} title={`since ${wholeTime(since)}`} className={css["for"]}>
      {durationWords(Math.max(0, now - since))}
    </time>
  );
}
