import type { ReactNode } from "react";
import type { MigrationBounds } from "../../../../src/contract/migration.ts";
import type { MigrationView } from "../../../../src/contract/model-view.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { plainCount, plainMoney, plainPercent, plainShare } from "../../words/plain.ts";
import { stageName } from "./model-words.ts";

type Figures = MigrationView["trials"][number];

/** What the trials of each stage came to, old and new side by side; counts with their share of the trials. */
export function TrialTable({
  trials,
  bounds,
}: {
  readonly trials: readonly Figures[];
  readonly bounds: MigrationBounds;
}): ReactNode {
  return (
    <>
      <DataTable caption="Trials by stage, old and new model" columns={columns} rows={trials} keyOf={({ stage }) => stage} />
      {trials.some((one) => one.trials < bounds.leastTrials) ? (
        <p className="meta">Fewer than {bounds.leastTrials} trials of a stage say nothing of a share.</p>
      ) : null}
    </>
  );
}

const seconds = new Intl.NumberFormat("en-GB", { style: "unit", unit: "second", maximumFractionDigits: 2 });

const columns: readonly Column<Figures>[] = [
  { name: "Stage", cell: ({ stage }) => stageName(stage) },
  { name: "Trials", isNumber: true, cell: ({ trials }) => plainCount(trials) },
  { name: "Contract broken", isNumber: true, cell: ({ broken, trials }) => partOf(broken, trials) },
  { name: "Disagreed", isNumber: true, cell: ({ disagreed, trials }) => partOf(disagreed, trials) },
  {
    name: "Failed, old and new",
    isNumber: true,
    cell: ({ oldFailed, newFailed, trials }) => `${partOf(oldFailed, trials)}, ${partOf(newFailed, trials)}`,
  },
  { name: "Prose alike", isNumber: true, cell: ({ meanProsePpm }) => plainShare(meanProsePpm) },
  {
    name: "Time, old and new",
    isNumber: true,
    cell: (figures) => `${seconds.format(figures.old.ms / 1000)}, ${seconds.format(figures.new.ms / 1000)}`,
  },
  {
    name: "Cost, old and new",
    isNumber: true,
    cell: (figures) => `${plainMoney(figures.old.costMicros)}, ${plainMoney(figures.new.costMicros)}`,
  },
];

function partOf(count: number, all: number): string {
  return all === 0 || count === 0 ? String(count) : `${count} (${plainPercent(count / all)})`;
}
