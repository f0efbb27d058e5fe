import type { ReactNode } from "react";
import type { ModelView } from "../../../../src/contract/model-view.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { daysWords, pinWords, type Standing, standingOf } from "./model-words.ts";
import css from "./models.module.css";

/** Every model that is named, the one that ends first on top. */
export function ModelTable({
  models,
  chosen,
  onChoose,
}: {
  readonly models: readonly ModelView[];
  readonly chosen: string | null;
  readonly onChoose: (model: string) => void;
}): ReactNode {
  return (
    <DataTable
      caption="Models"
      columns={columns}
      rows={models}
      keyOf={({ model }) => model}
      chosen={chosen}
      onChoose={({ model }) => onChoose(model)}
    />
  );
}

/** Those that are due first, then by their end, then by name. */
export function inOrder(models: readonly ModelView[]): readonly ModelView[] {
  const days = ({ daysLeft }: ModelView) => daysLeft ?? Number.MAX_SAFE_INTEGER;
  return models.toSorted((a, b) => Number(b.isDue) - Number(a.isDue) || days(a) - days(b) || a.model.localeCompare(b.model));
}

const columns: readonly Column<ModelView>[] = [
  { name: "Model", width: "26%", cell: ({ model }) => <code>{model}</code> },
  { name: "Stands", cell: (model) => <Stands {...standingOf(model)} /> },
  { name: "Id", cell: ({ isPinned }) => pinWords(isPinned) },
  { name: "Ends", cell: ({ shutdownOn }) => shutdownOn ?? "nobody says" },
  { name: "Days left", isNumber: true, cell: ({ daysLeft }) => daysWords(daysLeft) },
  { name: "Named in", isNumber: true, cell: ({ uses }) => uses.length },
  { name: "Owners", cell: ({ owners }) => (owners.length === 0 ? "none named" : owners.join(", ")) },
];

/** A mark with its word in a row. */
export function Stands({ mark, tone, words }: Standing): ReactNode {
  return (
    <span className={css["stands"]}>
      <MarkOf name={mark} tone={tone} /> {words}
    </span>
  );
}
