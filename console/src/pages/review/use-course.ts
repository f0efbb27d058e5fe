import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useCallback, useEffect } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { tell } from "../../shell/told.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { timeWords } from "../../words/times.ts";
import { isCompared } from "./drafts.ts";
import { evidenceOf, viewOf } from "./questions.ts";
import { isCoveredFor, rowTitle } from "./row-words.ts";
import { isAnswerable, type Reader } from "./standing.ts";
import type { Answer } from "./use-answers.ts";
import { useLastSigned } from "./use-last-signed.ts";
import { latestOf } from "./use-latest.ts";
import type { Queue } from "./use-queue.ts";
import type { Width } from "./use-width.ts";

/** The way of a person through the queue. */
export interface Course {
  /** The place of the open item, counted from 1; 0 where it is in no row. */
  readonly place: number;
  readonly open: (id: string) => void;
  /** To the row so many further on, or back. */
  readonly step: (by: number) => void;
  /** To the next item that this person could answer. */
  readonly next: () => void;
  readonly evidence: (number: number | null) => void;
  readonly toQueue: () => void;
  /** Goes on after an answer. */
  readonly done: (view: DecisionView, answer: Answer) => void;
  readonly lastSigned: ReturnType<typeof useLastSigned>;
}

/** Walks the queue in the order that is held, and has the next two items ready before they are asked for. */
export function useCourse({
  queue: { rows, live },
  id,
  width,
  listRef,
  titleRef,
}: {
  readonly queue: Queue;
  readonly id: string | undefined;
  readonly width: Width;
  readonly listRef: RefObject<HTMLDivElement | null>;
  readonly titleRef: RefObject<HTMLHeadingElement | null>;
}): Course {
  const { session } = useApi();
  const queries = useQueryClient();
  const { set } = useAddress();
  const navigate = useNavigate();
  const lastSigned = useLastSigned();
  const at = rows.findIndex((row) => row.id === id || (id !== undefined && latestOf(queries, live, row).supersededBy === id));
  const go = useCallback(
    (to: string, isSmall: boolean) => {
      const search = (({ filter }: Record<string, string | undefined>) => ({ filter })) as never;
      void navigate({ to: "/review/$id" as string, params: { id: to } as never, search, replace: isSmall });
    },
    [navigate],
  );
  const upcoming = (many: number) => {
    const after = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))];
    return firstOf(after, many, (row) => isAnswerable(latestOf(queries, live, row), session, Date.now()));
  };
  useFirst({ id, first: rows[0]?.id, width, go });
  usePrefetched(upcoming(2));
  const goOn = (said: string) => {
    const [next] = upcoming(1);
    tell(nextWords(said, next, session));
    if (next === undefined) return;
    go(next.id, true);
    // Neither answer has focus when an item opens.
    if (width === "phone") requestAnimationFrame(() => titleRef.current?.focus());
    else listRef.current?.focus({ preventScroll: true });
  };
  return {
    place: at + 1,
    lastSigned,
    open: (to) => {
      if (to !== id) go(to, false);
    },
    step: (by) => {
      const to = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
      if (to !== undefined && to.id !== id) go(to.id, id !== undefined);
    },
    next: () => goOn("All signed."),
    evidence: (number) => {
      const before = new URLSearchParams(window.location.search).get("e");
      set({ e: number === null ? undefined : String(number) }, before !== null && number !== null);
      if (number === null && before !== null) focusEvidence(before);
    },
    toQueue: () => void navigate({ to: "/review" as string }),
    done: (view, answer) => {
      if (answer.kind === "edit") {
        tell("Your edit passed its checks. It stands in the place of the proposal.");
        go(view.id, false);
      } else if (answer.kind === "approve") {
        lastSigned.put(view);
        goOn("Signed.");
      } else if (answer.kind === "reject") goOn("Rejected.");
      else tell(heldWords(view, answer));
    },
  };
}

function firstOf<T>(all: readonly T[], many: number, fits: (one: T) => boolean): readonly T[] {
  const found: T[] = [];
  for (const one of all) {
    if (fits(one)) found.push(one);
    if (found.length === many) break;
  }
  return found;
}

function nextWords(said: string, next: DecisionView | undefined, me: Reader): string {
  if (next === undefined) return `${said} Nothing else waits for you.`;
  return `${said} Next: ${rowTitle(next, isCoveredFor(next, me, isCompared(me.id, next.id))).replace(/[.?]$/, "")}.`;
}

function heldWords({ taken }: DecisionView, { kind }: Answer): string {
  if (kind === "take" && taken !== null) return `Yours until ${timeWords(taken.until, Date.now(), false)} UTC.`;
  return kind === "release" ? "Released." : "Your signature is taken back.";
}

/** Where there is room beside the queue the first item is open from the start. */
function useFirst({
  id,
  first,
  width,
  go,
}: {
  readonly id: string | undefined;
  readonly first: string | undefined;
  readonly width: Width;
  readonly go: (to: string, isSmall: boolean) => void;
}): void {
  useEffect(() => {
    if (id === undefined && first !== undefined && width !== "phone") go(first, true);
  }, [id, first, width, go]);
}

function usePrefetched(rows: readonly DecisionView[]): void {
  const { client } = useApi();
  const queries = useQueryClient();
  const ids = rows.map(({ id }) => id).join(" ");
  useEffect(() => {
    for (const id of ids === "" ? [] : ids.split(" ")) {
      void queries.prefetchQuery(viewOf(client, id));
      void queries.prefetchQuery(evidenceOf(client, id));
    }
  }, [client, queries, ids]);
}

function focusEvidence(number: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-evidence="${CSS.escape(number)}"]`)?.focus());
}
