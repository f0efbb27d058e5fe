import type { ReactNode } from "react";
import type { EvalRunView } from "../../../../src/contract/eval-view.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Time } from "../../parts/time.tsx";
import { plainPercent } from "../../words/plain.ts";
import css from "./evals.module.css";
import { GateMark } from "./gate-mark.tsx";

/** The kept runs, newest first: how many cases passed, what the gate said, and over which cases. */
export function RunTable({
  runs,
  chosen,
  onChoose,
}: {
  readonly runs: readonly EvalRunView[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  return (
    <div className={css["runs"]}>
      <DataTable
        caption="Runs of eval sets"
        columns={columns}
        rows={runs}
        keyOf={({ id }) => id}
        chosen={chosen}
        onChoose={({ id }) => onChoose(id)}
      />
    </div>
  );
}

const columns: readonly Column<EvalRunView>[] = [
  { name: "Began", cell: ({ startedAt }) => <Time at={startedAt} isExact={false} /> },
  { name: "Project", cell: ({ project }) => project },
  { name: "Passed", isNumber: true, cell: ({ passedCases, cases }) => `${passedCases} of ${cases}` },
  {
    name: "Share",
    isNumber: true,
    cell: ({ passedCases, cases }) => (cases === 0 ? "–" : plainPercent(passedCases / cases)),
  },
  { name: "Gate", cell: ({ gatePassed }) => <GateMark passed={gatePassed} /> },
  {
    name: "Cases",
    cell: ({ setDigest, isSelection }) => (
      <>
        <code>{setDigest.slice(0, 8)}</code>
        {isSelection ? " a choice" : ""}
      </>
    ),
  },
];
