import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Client } from "../../../../src/client/index.ts";
import type { Page } from "../../../../src/contract/page.ts";
import type { ReviewCount } from "../../../../src/contract/review-count.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { isHalfSigned } from "../../words/states.ts";
import { ownUntil, type Reader } from "./standing.ts";

/** Which part of the queue is shown: all that waits, what this reader has taken up, what waits for a second signature. */
export type QueueFilter = "open" | "mine" | "second";

/** The queue in the order in which it was read. Nothing is sorted, put in or taken out of it until it is loaded anew. */
export interface Queue {
  readonly rows: readonly DecisionView[];
  readonly filter: QueueFilter;
  /** How many waited when it was read. */
  readonly count: ReviewCount;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  /** Reads on; does nothing while that is being done. */
  readonly more: () => void;
  /** How many came since it was read, as far as is known. */
  readonly fresh: number;
  readonly load: () => void;
  /** How many rows of a filter are among what was read; `null` while not all was. */
  readonly ofFilter: (filter: QueueFilter) => number | null;
  readonly live: Live;
}

/** The beginning of the queue as it is now, and since when that is known. */
export interface Live {
  readonly views: ReadonlyMap<string, DecisionView>;
  readonly at: number;
  /** It is all that waits, so that what is not in it waits no more. */
  readonly isAll: boolean;
}

interface HeldPage extends Page<DecisionView> {
  readonly count: ReviewCount | null;
}
type Held = InfiniteData<HeldPage, string | undefined>;

const heldKey = ["held", "reviews"];
const none: ReviewCount = { count: 0, isOver: false };

/** Reads the queue page by page and holds its order; watches beside it what has changed. */
export function useQueue(filter: QueueFilter): Queue {
  const { client, session } = useApi();
  const queries = useQueryClient();
  const held = useInfiniteQuery({
    queryKey: heldKey,
    queryFn: ({ pageParam }) => readHeld(client, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const live = useLiveHead(held.isSuccess);
  const { data: counted } = useQuery({ queryKey: ["reviews", "count"], queryFn: () => client.countReviews() });
  const all = held.data?.pages.flatMap(({ items }) => items) ?? [];
  const count = held.data?.pages[0]?.count ?? none;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = held;
  const matched = useMatched(all, filter, session, live);
  const more = () => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  };
  useReadOn({ isNeeded: filter !== "open" && hasNextPage && !isFetchingNextPage, more });
  return {
    rows: filter === "open" ? all : all.filter(({ id }) => matched.has(id)),
    filter,
    count,
    isPending: held.isPending,
    error: held.data === undefined ? held.error : null,
    hasMore: hasNextPage,
    more,
    fresh: held.data === undefined ? 0 : freshOf({ all, count, live, counted, hasMore: hasNextPage }),
    load: () =>
      void loadAnew(
        client,
        (data) => queries.setQueryData<Held>(heldKey, data),
        () => void held.refetch(),
      ),
    ofFilter: (of) => (hasNextPage ? null : all.filter((view) => isOf(of, live.views.get(view.id) ?? view, session)).length),
    live,
  };
}

async function readHeld(client: Client, cursor: string | undefined): Promise<HeldPage> {
  if (cursor !== undefined) return { ...(await client.reviews({ cursor })), count: null };
  const [page, count] = await Promise.all([client.reviews(), client.countReviews()]);
  return { ...page, count };
}

/** What was held stays until the new order is there; where that cannot be read, the list says so. */
async function loadAnew(client: Client, put: (held: Held) => void, fail: () => void): Promise<void> {
  try {
    put({ pages: [await readHeld(client, undefined)], pageParams: [undefined] });
  } catch {
    fail();
  }
}

function useLiveHead(isOn: boolean): Live {
  const { client } = useApi();
  const queries = useQueryClient();
  const { data, dataUpdatedAt } = useQuery({ queryKey: ["reviews", "live"], queryFn: () => client.reviews(), enabled: isOn });
  // That somebody took an item up is told with the queue, so the open item is looked at again.
  useEffect(() => {
    if (dataUpdatedAt > 0) void queries.invalidateQueries({ queryKey: ["decisions", "item"] });
  }, [queries, dataUpdatedAt]);
  const items = data?.items ?? [];
  return { views: new Map(items.map((view) => [view.id, view])), at: dataUpdatedAt, isAll: data?.next === null };
}

/** The rows of a filter. One that was in it stays there while somebody works, whatever became of it. */
function useMatched(all: readonly DecisionView[], filter: QueueFilter, me: Reader, { views }: Live): ReadonlySet<string> {
  const seen = useRef({ filter, first: all[0]?.id, ids: new Set<string>() });
  if (seen.current.filter !== filter || seen.current.first !== all[0]?.id)
    seen.current = { filter, first: all[0]?.id, ids: new Set() };
  for (const view of all) {
    if (isOf(filter, view, me) || isOf(filter, views.get(view.id) ?? view, me)) seen.current.ids.add(view.id);
  }
  return seen.current.ids;
}

function isOf(filter: QueueFilter, view: DecisionView, me: Reader): boolean {
  if (filter === "mine") return ownUntil(view, me, Date.now()) !== null;
  return filter === "open" || isHalfSigned(view);
}

/** A filter is over what was read, so all of it is read. */
function useReadOn({ isNeeded, more }: { isNeeded: boolean; more: () => void }): void {
  const held = useRef(more);
  held.current = more;
  useEffect(() => {
    if (isNeeded) held.current();
  }, [isNeeded]);
}

function freshOf({
  all,
  count,
  live,
  counted,
  hasMore,
}: {
  all: readonly DecisionView[];
  count: ReviewCount;
  live: Live;
  counted: ReviewCount | undefined;
  hasMore: boolean;
}): number {
  if (live.isAll) {
    const ids = new Set(all.map(({ id }) => id));
    const unread = hasMore ? Math.max(0, count.count - all.length) : 0;
    return Math.max(0, [...live.views.keys()].filter((id) => !ids.has(id)).length - unread);
  }
  // Of a long queue only the lengths are compared: at least so many came as it grew.
  return counted === undefined || count.isOver ? 0 : Math.max(0, counted.count - count.count);
}
