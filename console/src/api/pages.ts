import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import type { Page } from "../../../src/contract/page.ts";

/** A list that is read page by page: its rows so far, whether there are more, and how to get them. */
export interface Paged<T> {
  readonly rows: readonly T[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly more: () => void;
  readonly again: () => void;
}

/** Reads a list of the API page by page. The first part of the key is the topic at whose changes it is read anew. */
export function usePaged<T>(key: QueryKey, read: (cursor: string | undefined) => Promise<Page<T>>): Paged<T> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  return {
    rows: query.data?.pages.flatMap(({ items }) => items) ?? [],
    isPending: query.isPending,
    error: query.data === undefined ? query.error : null,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    more: () => void query.fetchNextPage(),
    again: () => void query.refetch(),
  };
}
