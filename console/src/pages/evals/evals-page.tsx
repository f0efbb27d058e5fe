import type { ReactNode } from "react";
import { useApi } from "../../api/api.tsx";
import { usePaged } from "../../api/pages.ts";
import { MoreRows } from "../../parts/data-table.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { Opened } from "../../parts/opened.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { focusRow, useRowKeys } from "../../parts/use-row-keys.ts";
import { useAddress } from "../../shell/use-address.ts";
import { EvalCommands } from "./eval-commands.tsx";
import css from "./evals.module.css";
import { RunDetail } from "./run-detail.tsx";
import { RunTable } from "./run-table.tsx";
import { Trend } from "./trend.tsx";

/** How the project's eval sets went over time, and one run beside the list: its figures, failing cases and what the gate found. */
export function EvalsPage(): ReactNode {
  return (
    <Opened to="evals" title="Evals">
      <Board />
    </Opened>
  );
}

function Board(): ReactNode {
  const { client } = useApi();
  const { search, set } = useAddress();
  const capability = search["capability"];
  const runs = usePaged(["evals", capability ?? null], (cursor) =>
    client.evalRuns({
      ...(capability === undefined ? {} : { capability }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  const chosen = search["item"] ?? null;
  const choose = (item: string | null) => set({ item: item ?? undefined }, chosen !== null && item !== null);
  const close = () => {
    choose(null);
    if (chosen !== null) focusRow(chosen);
  };
  useRowKeys({ ids: runs.rows.map(({ id }) => id), chosen, onChoose: choose });
  return (
    <div className={`split ${chosen === null ? "" : "split-open"}`}>
      <div className="page">
        <PageHeading title="Evals" aside="runs of the project's eval sets, newest first" />
        {runs.error !== null ? (
          <ErrorState error={runs.error} what="The runs" again={runs.again} />
        ) : runs.isPending ? (
          <LoadingRows what="the runs" rows={6} height={34} />
        ) : (
          <>
            <CapabilityChoice
              known={runs.rows.flatMap((run) => Object.keys(run.capabilities))}
              chosen={capability ?? ""}
              onChoose={(next) => set({ capability: next, item: undefined })}
            />
            {runs.rows.length === 0 ? (
              <NoRuns capability={capability} />
            ) : (
              <div className={css["list"]}>
                <Trend
                  runs={runs.rows}
                  metric={search["metric"] ?? null}
                  capability={capability ?? null}
                  onMetric={(metric) => set({ metric }, true)}
                />
                <RunTable runs={runs.rows} chosen={chosen} onChoose={choose} />
                <MoreRows hasMore={runs.hasMore} isLoading={runs.isLoadingMore} onMore={runs.more} what="runs" />
              </div>
            )}
          </>
        )}
        <EvalCommands />
      </div>
      {chosen === null ? null : (
        <aside aria-label="The chosen run">
          <h1 className="covered-title">Evals</h1>
          <RunDetail key={chosen} id={chosen} onClose={close} />
        </aside>
      )}
    </div>
  );
}

function NoRuns({ capability }: { readonly capability: string | undefined }): ReactNode {
  return capability === undefined ? (
    <EmptyState
      title="No run was kept yet."
      detail="A run that was played beside this installation shows here once it has ended; the commands below play one."
    />
  ) : (
    <EmptyState
      title={`No kept run has cases of ${capability}.`}
      detail="Runs of other capabilities are not shown."
      link={{ to: "/evals", words: "All runs" }}
    />
  );
}

function CapabilityChoice({
  known,
  chosen,
  onChoose,
}: {
  readonly known: readonly string[];
  readonly chosen: string;
  readonly onChoose: (capability: string | undefined) => void;
}): ReactNode {
  const names = [...new Set([...known, ...(chosen === "" ? [] : [chosen])])].toSorted();
  if (names.length === 0) return null;
  return (
    <div className="toolbar">
      <label className={css["choice"]}>
        <span className="hidden">Capability</span>
        <select className="field" value={chosen} onChange={(event) => onChoose(event.target.value || undefined)}>
          <option value="">All capabilities</option>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  );
}
