import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import type { CaseLine } from "../../../../src/contract/case-view.ts";
import { useApi } from "../../api/api.tsx";
import { type Paged, usePaged } from "../../api/pages.ts";
import { Button } from "../../parts/button.tsx";
import { Filters, MoreRows } from "../../parts/data-table.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { useRowKeys } from "../../parts/use-row-keys.ts";
import { useAddress } from "../../shell/use-address.ts";
import { CaseDetail } from "./case-detail.tsx";
import { CaseRows } from "./case-rows.tsx";
import css from "./cases.module.css";
import { StartForm } from "./start-form.tsx";

const states = ["running", "escalated", "ended"] as const;

/** Courses of work over days: the list, and one of them beside it. */
export function CasesPage(): ReactNode {
  const { session } = useApi();
  const { search, id, set } = useAddress();
  const state = states.find((one) => one === search["state"]);
  const name = search["case"];
  const cases = useCases(state, name);
  const chosen = id ?? null;
  const isStarting = search["start"] === "1" && session.may.ask;
  const go = useGo(chosen);
  const stopStarting = () => set({ start: undefined });
  useRowKeys({ ids: cases.rows.map((line) => line.id), chosen, onChoose: go }, isStarting ? { esc: stopStarting } : {});
  useNoFocusLost(chosen);
  return (
    <div className={`split ${chosen === null && !isStarting ? "" : "split-open"}`}>
      <div className="page">
        <PageHeading title="Cases" aside="courses of work over days" />
        <div className="toolbar">
          <Filters
            label="State"
            options={[{ value: "any", words: "All" }, ...states.map((value) => ({ value, words: words[value] }))]}
            chosen={state ?? "any"}
            onChoose={(next) => set({ state: next === "any" ? undefined : next })}
          />
          {session.may.ask ? <Button onClick={() => set({ start: "1" })}>Start a case…</Button> : null}
        </div>
        <List cases={cases} chosen={chosen} isNarrow={state !== undefined || name !== undefined} onChoose={go} />
      </div>
      {isStarting ? (
        <aside aria-label="Start a case">
          <h1 className={css["narrow-title"]}>Cases</h1>
          <StartForm
            known={[...new Set(cases.rows.map((line) => line.case))]}
            onStarted={(view) => go(view.id)}
            onClose={stopStarting}
          />
        </aside>
      ) : (
        <Chosen id={chosen} onClose={() => go(null)} />
      )}
    </div>
  );
}

function Chosen({ id, onClose }: { readonly id: string | null; readonly onClose: () => void }): ReactNode {
  if (id === null) return null;
  return (
    <aside aria-label="The chosen case">
      <h1 className={css["narrow-title"]}>Cases</h1>
      <CaseDetail key={id} id={id} onClose={onClose} />
    </aside>
  );
}

function useCases(state: CaseLine["state"] | undefined, name: string | undefined): Paged<CaseLine> {
  const { client } = useApi();
  return usePaged(["cases", "list", state, name], (cursor) =>
    client.cases({
      ...(state === undefined ? {} : { state }),
      ...(name === undefined ? {} : { case: name }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
}

/** Opens a case beside the list, or none; the filters stay. */
function useGo(chosen: string | null): (next: string | null) => void {
  const { search } = useAddress();
  const navigate = useNavigate();
  return (next) => {
    // Every page of the table takes text by name.
    const kept = { ...search, start: undefined } as never;
    if (next === null) void navigate({ to: "/cases", search: kept });
    else void navigate({ to: "/cases/$id", params: { id: next }, search: kept, replace: chosen !== null });
  };
}

const words = { running: "Running", escalated: "Left to their owner", ended: "Ended" } as const;

/** Focus that stood in what is gone returns to the row that it came from. */
function useNoFocusLost(chosen: string | null): void {
  useEffect(() => {
    if (chosen === null) return;
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        document.querySelector<HTMLElement>(`[data-row="${CSS.escape(chosen)}"]`)?.focus();
      });
    };
  }, [chosen]);
}

function List({
  cases: { rows, isPending, error, again, hasMore, isLoadingMore, more },
  chosen,
  isNarrow,
  onChoose,
}: {
  readonly cases: Paged<CaseLine>;
  readonly chosen: string | null;
  readonly isNarrow: boolean;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  if (error !== null) return <ErrorState error={error} what="The cases" again={again} />;
  if (isPending) return <LoadingRows what="the cases" rows={8} height={34} />;
  if (rows.length === 0 && !hasMore)
    return isNarrow ? (
      <EmptyState
        title="No case fits these filters."
        detail="Others may be there."
        link={{ to: "/cases", words: "Take the filters off" }}
      />
    ) : (
      <EmptyState
        title="No case runs that you may see."
        detail="A case is work of several steps over days; one that you start, or that is for you, shows up here."
        link={{ to: "/", words: "Ask for something" }}
      />
    );
  return (
    <>
      <CaseRows rows={rows} chosen={chosen} onChoose={onChoose} />
      <MoreRows hasMore={hasMore} isLoading={isLoadingMore} onMore={more} what="cases" />
    </>
  );
}
