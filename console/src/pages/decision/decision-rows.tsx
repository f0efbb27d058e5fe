import type { ReactNode } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { stateLine } from "../../words/states.ts";
import { sentenceOf } from "./decision-head.tsx";
import css from "./decisions.module.css";

/** Decisions as rows; each opens its own page. */
export function DecisionRows({
  rows,
  at,
  onOpen,
  isOfAll,
}: {
  readonly rows: readonly DecisionView[];
  readonly at: string | null;
  readonly onOpen: (id: string) => void;
  /** Those of others are in it, so it says who asked. */
  readonly isOfAll: boolean;
}): ReactNode {
  const { nameOf } = useApi();
  const columns: readonly Column<DecisionView>[] = [
    { name: "Decision", width: "38%", cell: (view) => <Sentence view={view} /> },
    { name: "State", width: "22%", cell: (view) => <Standing view={view} /> },
    { name: "Capability", cell: ({ capability }) => <code>{capability}</code> },
    ...(isOfAll ? [{ name: "Asked by", cell: ({ requestedBy }: DecisionView) => nameOf(requestedBy) }] : []),
    { name: "When", cell: ({ at: when }) => <Time at={when} /> },
  ];
  return (
    <DataTable
      caption="Decisions"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      chosen={at}
      onChoose={({ id }) => onOpen(id)}
    />
  );
}

function Sentence({ view }: { readonly view: DecisionView }): ReactNode {
  const sentence = sentenceOf(view);
  return (
    <span className={css["sentence"]} title={sentence}>
      {sentence}
    </span>
  );
}

function Standing({ view }: { readonly view: DecisionView }): ReactNode {
  const { mark, tone, words, detail } = stateLine(view);
  return (
    <span className={css["standing"]} title={detail}>
      <MarkOf name={mark} tone={tone} /> {words}
    </span>
  );
}
