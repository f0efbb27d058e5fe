import type { ReactNode } from "react";
import type { CaseLine } from "../../../../src/contract/case-view.ts";
import { useApi } from "../../api/api.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { useNow } from "../../parts/now.tsx";
import { Time } from "../../parts/time.tsx";
import { plainName } from "../../words/plain.ts";
import { caseStanding, waitsWords } from "./case-words.ts";
import css from "./cases.module.css";

/** Cases as rows: which, how far, what it waits for. */
export function CaseRows({
  rows,
  chosen,
  onChoose,
}: {
  readonly rows: readonly CaseLine[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  const { nameOf } = useApi();
  const now = useNow("minute");
  const columns: readonly Column<CaseLine>[] = [
    { name: "Case", width: "26%", cell: (line) => <strong className={css["name"]}>{plainName(line.case)}</strong> },
    { name: "Stands", width: "20%", cell: (line) => <Standing line={line} /> },
    { name: "At", cell: ({ step }) => plainName(step) },
    {
      name: "Waits for",
      width: "24%",
      cell: ({ waitsFor }) => (waitsFor === null ? "" : waitsWords(waitsFor, now).replace(/^Waits for |\.$/g, "")),
    },
    { name: "Started by", cell: ({ startedBy, onBehalfOf }) => nameOf(onBehalfOf ?? startedBy) },
    { name: "Started", cell: ({ startedAt }) => <Time at={startedAt} isExact={false} /> },
  ];
  const shown = chosen === null ? columns : columns.slice(0, 3);
  return (
    <DataTable
      caption="Cases"
      columns={shown}
      rows={rows}
      keyOf={({ id }) => id}
      chosen={chosen}
      onChoose={({ id }) => onChoose(id)}
    />
  );
}

function Standing({ line }: { readonly line: CaseLine }): ReactNode {
  const { mark, tone, words } = caseStanding(line);
  return (
    <span className={css["standing"]}>
      <MarkOf name={mark} tone={tone} /> {words}
    </span>
  );
}
