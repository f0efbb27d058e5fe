import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useApi } from "../../api/api.tsx";
import { usePaged } from "../../api/pages.ts";
import { MoreRows } from "../../parts/data-table.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { focusRow, useRowKeys } from "../../parts/use-row-keys.ts";
import { useAddress } from "../../shell/use-address.ts";
import { DecisionFilters } from "./decision-filters.tsx";
import { DecisionRows } from "./decision-rows.tsx";
import { isNarrowed, questionOf } from "./question.ts";

/** Decisions, newest first: one's own, or all that one may see. */
export function DecisionsPage(): ReactNode {
  const { client, session } = useApi();
  const { search, set } = useAddress();
  const navigate = useNavigate();
  const [at, setAt] = useState<string | null>(null);
  const question = questionOf(search, session.may.operations);
  const decisions = usePaged(["decisions", "list", question], (cursor) =>
    client.decisions({ ...question, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const { rows, isPending, error, again, hasMore, isLoadingMore, more } = decisions;
  const open = (id: string) => void navigate({ to: "/decisions/$id", params: { id } });
  const walk = (id: string | null) => {
    setAt(id);
    if (id !== null) focusRow(id);
  };
  useRowKeys(
    { ids: rows.map(({ id }) => id), chosen: at, onChoose: walk },
    { enter: at === null ? undefined : () => open(at), esc: undefined },
  );
  return (
    <div className="page">
      <PageHeading title="Decisions" aside="newest first" />
      <DecisionFilters search={search} set={set} isAllOpen={session.may.operations} people={session.people} />
      {error !== null ? <ErrorState error={error} what="The decisions" again={again} /> : null}
      {isPending ? <LoadingRows what="the decisions" rows={12} height={34} /> : null}
      {!isPending && error === null && rows.length === 0 && !hasMore ? <None isNarrow={isNarrowed(search)} /> : null}
      {rows.length === 0 ? null : <DecisionRows rows={rows} at={at} onOpen={open} isOfAll={question.of === "all"} />}
      <MoreRows hasMore={hasMore} isLoading={isLoadingMore} onMore={more} what="decisions" />
    </div>
  );
}

function None({ isNarrow }: { readonly isNarrow: boolean }): ReactNode {
  if (isNarrow)
    return (
      <EmptyState
        title="No decision fits these filters."
        detail="Others may be there."
        link={{ to: "/decisions", words: "Take the filters off" }}
      />
    );
  return (
    <EmptyState
      title="Nothing was decided yet."
      detail="The next request shows up here once it is decided."
      link={{ to: "/", words: "Ask for something" }}
    />
  );
}
