import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useRef } from "react";
import { isCountersignError } from "../../../../src/contract/errors.ts";
import { useApi } from "../../api/api.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { useNow } from "../../parts/now.tsx";
import { useTitle } from "../../parts/page-heading.tsx";
import { useLostAt } from "../../shell/connection.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { alikeTo } from "./alike.ts";
import { Bulk } from "./bulk.tsx";
import { JustSigned } from "./just-signed.tsx";
import { OpenItem } from "./open-item.tsx";
import { evidenceOf, viewOf } from "./questions.ts";
import { QueueList } from "./queue.tsx";
import css from "./review.module.css";
import { useCourse } from "./use-course.ts";
import { type QueueFilter, useQueue } from "./use-queue.ts";
import { useReady } from "./use-ready.ts";
import { useWidth } from "./use-width.ts";

/** The review queue, the item that is open, and its evidence: where people sign. */
export function ReviewPage(): ReactNode {
  const { session } = useApi();
  const { search, id, set } = useAddress();
  const width = useWidth();
  const queue = useQueue(filterOf(search["filter"]));
  const listRef = useRef<HTMLDivElement>(null);
  const titleRef = useRef<HTMLHeadingElement>(null);
  const course = useCourse({ queue, id, width, listRef, titleRef });
  useKeys({ j: () => course.step(1), k: () => course.step(-1), ".": queue.fresh > 0 ? queue.load : undefined });
  if (!session.may.review) return <NotOpen />;
  const isQueueShown = width !== "phone" || id === undefined;
  return (
    <div className={css["review"]}>
      {isQueueShown ? (
        <QueueList
          queue={queue}
          isAlone={width === "phone"}
          openId={id}
          listRef={listRef}
          onOpen={course.open}
          onFilter={(filter) => set({ filter: filter === "open" ? undefined : filter })}
        />
      ) : null}
      {id === undefined ? (
        width === "phone" ? null : (
          <NothingOpen isRead={!queue.isPending && queue.error === null} />
        )
      ) : (
        <Main key={id} id={id} queue={queue} course={course} width={width} titleRef={titleRef} />
      )}
    </div>
  );
}

function Main({
  id,
  queue,
  course,
  width,
  titleRef,
}: {
  readonly id: string;
  readonly queue: ReturnType<typeof useQueue>;
  readonly course: ReturnType<typeof useCourse>;
  readonly width: ReturnType<typeof useWidth>;
  readonly titleRef: RefObject<HTMLHeadingElement | null>;
}): ReactNode {
  const { client, session } = useApi();
  const { search, set } = useAddress();
  const now = useNow("minute");
  const isLost = useLostAt() !== null;
  const isReady = useReady(id);
  const held = queue.rows.find((row) => row.id === id);
  const { data, error, refetch } = useQuery(viewOf(client, id));
  const evidence = useQuery(evidenceOf(client, id));
  const view = data ?? held;
  if (view === undefined) return <Unread error={error} again={() => void refetch()} />;
  const alike = alikeTo(view, queue.rows, session, now);
  if (search["bulk"] === "1" && alike.length > 1)
    return (
      <div className={css["main"]}>
        <Bulk
          views={alike}
          whyClosed={isLost ? "Signing opens again by itself once the desk answers." : null}
          isReady={isReady}
          onBack={() => set({ bulk: undefined })}
          onDone={course.next}
        />
      </div>
    );
  const { lastSigned } = course;
  return (
    <div className={css["main"]}>
      <OpenItem
        view={view}
        place={course.place}
        queue={queue}
        read={{ data: evidence.data, error: evidence.error, again: () => void evidence.refetch() }}
        opened={search["e"] === undefined ? null : Number(search["e"])}
        width={width}
        alike={alike.length}
        titleRef={titleRef}
        onEvidence={course.evidence}
        onBulk={() => set({ bulk: "1" })}
        onQueue={course.toQueue}
        onNext={() => course.step(1)}
        onDone={course.done}
        onWithdrawLast={lastSigned.withdraw}
        above={
          lastSigned.id === null || lastSigned.id === id ? null : (
            <JustSigned id={lastSigned.id} onWithdraw={lastSigned.withdraw} />
          )
        }
      />
    </div>
  );
}

function Unread({ error, again }: { readonly error: Error | null; readonly again: () => void }): ReactNode {
  if (error === null) return <LoadingRows what="the item" rows={4} height={96} />;
  if (isCountersignError(error, "not_found"))
    return (
      <EmptyState
        title="Not open to you."
        detail="Nothing of that address is open to you."
        link={{ to: "/review", words: "The queue" }}
      />
    );
  return <ErrorState error={error} what="The item" again={again} />;
}

function NotOpen(): ReactNode {
  useTitle("Review");
  return (
    <EmptyState title="Not open to you." detail="Reviewing is for those who sign." link={{ to: "/", words: "Back to Ask" }} />
  );
}

function NothingOpen({ isRead }: { readonly isRead: boolean }): ReactNode {
  useTitle("Review");
  return (
    <div className={css["alone"]}>
      <h1 className="hidden">Review</h1>
      {isRead ? (
        <EmptyState
          title="Nothing is open."
          detail="What waits for a person shows up in the queue; open it to see what it changes."
        />
      ) : null}
    </div>
  );
}

function filterOf(text: string | undefined): QueueFilter {
  return text === "mine" || text === "second" ? text : "open";
}
