import type { ReactNode } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import type { Paged } from "../../api/pages.ts";
import { MoreRows } from "../../parts/data-table.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { isIntake } from "../../words/states.ts";
import { RequestCard } from "./request-card.tsx";

/** The open source of a request in the list. */
export interface OpenSource {
  readonly decisionId: string;
  readonly number: number;
}

/** What a person asked for, newest first, each with its state as it is now. */
export function RequestList({
  requests,
  opened,
  onSource,
  onAgain,
}: {
  readonly requests: Paged<DecisionView>;
  readonly opened: OpenSource | null;
  readonly onSource: (source: OpenSource) => void;
  readonly onAgain: (text: string) => void;
}): ReactNode {
  const { rows, isPending, error, again, hasMore, isLoadingMore, more } = requests;
  if (error !== null) return <ErrorState error={error} what="What you asked for" again={again} />;
  if (isPending) return <LoadingRows what="what you asked for" rows={4} height={120} />;
  const shown = withoutPicks(rows);
  return (
    <>
      {shown.length === 0 && !hasMore ? <NothingYet /> : null}
      {shown.map((view) => (
        <RequestCard
          key={view.id}
          view={view}
          openSource={opened?.decisionId === view.id ? opened.number : null}
          onSource={(number) => onSource({ decisionId: view.id, number })}
          onAgain={onAgain}
        />
      ))}
      <MoreRows hasMore={hasMore} isLoading={isLoadingMore} onMore={more} what="of what you asked for" />
    </>
  );
}

function NothingYet(): ReactNode {
  return (
    <EmptyState
      title="You have not asked for anything yet."
      detail="What you ask shows up here, with its sources or with what waits for a person, newest first."
      link={{ to: "/cases", words: "Cases that run over days" }}
    />
  );
}

/** Intake's pick is a decision of its own; it is shown only where nothing followed it. */
export function withoutPicks(requests: readonly DecisionView[]): readonly DecisionView[] {
  const followed = new Set(requests.map((view) => view.follows));
  return requests.filter((view) => !isIntake(view) || (!followed.has(view.id) && !isPick(view)));
}

/** Intake picked a capability whose decision is not on this page. */
function isPick({ stop, label }: DecisionView): boolean {
  return stop === null && label !== "none" && label !== "several";
}
