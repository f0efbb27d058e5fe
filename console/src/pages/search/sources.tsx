import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { SourceView } from "../../../../src/contract/source-view.ts";
import { useApi } from "../../api/api.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { type Mark, MarkOf, type Tone } from "../../parts/mark.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { useNow } from "../../parts/now.tsx";
import { Time } from "../../parts/time.tsx";
import { counted, plainCount } from "../../words/plain.ts";
import { durationWords } from "../../words/times.ts";
import css from "./sources.module.css";

const behindFirst = (a: SourceView, b: SourceView) => Number(b.isBehind) - Number(a.isBehind) || a.name.localeCompare(b.name);

/** How far the index is behind each document source, against what the source promises. */
export function Sources(): ReactNode {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ["sources"],
    queryFn: () => client.sources(),
    refetchInterval: 60_000,
  });
  if (data === undefined && error !== null) return <ErrorState error={error} what="The sources" again={() => void refetch()} />;
  if (data === undefined) return <LoadingRows what="the sources" rows={4} height={34} />;
  if (data.items.length === 0)
    return (
      <EmptyState
        title="No document source is declared."
        detail="Documents are filed by hand until a project declares a folder of them. What was filed can be found all the same."
        link={{ to: "/search", words: "Search" }}
      />
    );
  return (
    <>
      <p className={`detail ${css["lead"]}`}>
        Where an index is older than its source promises, whatever would rest on that source is refused until it is read again.
        The bar shows how old it is, the mark what is promised.
      </p>
      <DataTable
        caption="Document sources"
        columns={columns}
        rows={data.items.toSorted(behindFirst)}
        keyOf={({ name }) => name}
      />
      <p className={`meta ${css["lead"]}`}>
        Which files were not filed, and why, stands in <code>countersign index status</code>.
      </p>
    </>
  );
}

const columns: readonly Column<SourceView>[] = [
  { name: "Source", cell: ({ name }) => <strong>{name}</strong> },
  { name: "Stands", cell: (source) => <Standing source={source} /> },
  { name: "Age of the index", width: "24%", cell: (source) => <Age source={source} /> },
  { name: "Last lag", isNumber: true, cell: ({ lagMs }) => (lagMs === null ? "none yet" : durationWords(lagMs)) },
  { name: "Last change filed", cell: ({ lastChangeAt: at }) => (at === null ? "none yet" : <Time at={at} isExact={false} />) },
  { name: "Documents", isNumber: true, cell: ({ documents }) => plainCount(documents) },
  { name: "Passages", isNumber: true, cell: ({ passages }) => plainCount(passages) },
  { name: "Not filed", isNumber: true, cell: ({ faults }) => plainCount(faults) },
  { name: "Collections", cell: ({ collections }) => collections.join(", ") },
];

function Standing({ source }: { readonly source: SourceView }): ReactNode {
  const { mark, tone, words } = standingOf(source);
  return (
    <span className={css["standing"]}>
      <MarkOf name={mark} tone={tone} /> {words}
    </span>
  );
}

function standingOf({ state, isBehind, progress, faults }: SourceView): { mark: Mark; tone: Tone; words: string } {
  if (isBehind) return { mark: "warning", tone: "stop", words: "Behind what it promises" };
  if (state === "failed") return { mark: "warning", tone: "wait", words: "Last run failed; the one before holds" };
  if (state === "running")
    return {
      mark: "applying",
      tone: "person",
      words: progress === null ? "Being read" : `Being read, ${progress.done} of ${progress.total}`,
    };
  if (state === "new") return { mark: "dash", tone: "quiet", words: "Not read yet" };
  return faults > 0
    ? { mark: "warning", tone: "wait", words: `Read, ${counted(faults, "file")} not filed` }
    : { mark: "tick", tone: "done", words: "Read to the end" };
}

/** A bar of twice the promise's length: how old the index is, with the promise as a mark. */
function Age({ source: { freshAsOf, promiseMs, isBehind } }: { readonly source: SourceView }): ReactNode {
  const now = useNow("minute");
  if (freshAsOf === null) return "Nothing is filed yet";
  const age = Math.max(0, now - freshAsOf);
  const share = Math.min(1, age / (2 * Math.max(1, promiseMs)));
  return (
    <span className={css["age"]}>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect className={css["age-ground"]} width="100" height="10" />
        <rect className={isBehind ? css["age-behind"] : css["age-bar"]} width={Math.max(1, share * 100)} height="10" />
        <path className={css["age-mark"]} d="M50 0v10" vectorEffect="non-scaling-stroke" />
      </svg>
      <span className="meta">
        {durationWords(age)} old, promised {durationWords(promiseMs)}
      </span>
    </span>
  );
}
