import type { ReactNode } from "react";
import type { SliceView } from "../../../../src/contract/autonomy.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { plainCount, plainPercent } from "../../words/plain.ts";
import css from "./autonomy.module.css";
import { percentOf, sliceKey, sliceState, thresholdWords } from "./slice-words.ts";

/** Every slice with its threshold, what was judged of it and what that proves. */
export function SliceTable({
  slices,
  chosen,
  onChoose,
}: {
  readonly slices: readonly SliceView[];
  readonly chosen: string | null;
  readonly onChoose: (item: string) => void;
}): ReactNode {
  return (
    <>
      <div className={css["slices"]}>
        <DataTable
          caption="Slices, with what they have earned"
          columns={columns}
          rows={slices}
          keyOf={sliceKey}
          chosen={chosen}
          onChoose={(slice) => onChoose(sliceKey(slice))}
        />
      </div>
      <p className={`meta ${css["foot"]}`}>
        “At least” is the lower end of the 95% interval of agreement, of the decisions that reach a threshold. Only that end
        counts.
      </p>
    </>
  );
}

const columns: readonly Column<SliceView>[] = [
  { name: "Slice", cell: ({ capability, slice }) => `${capability}, ${slice}` },
  { name: "T", isNumber: true, cell: ({ thresholdPpm }) => thresholdWords(thresholdPpm) },
  { name: "Judged", isNumber: true, cell: ({ decisions }) => plainCount(decisions) },
  {
    name: "Agreed",
    isNumber: true,
    cell: ({ agreed, decisions }) => (decisions === 0 ? "–" : plainPercent(agreed / decisions)),
  },
  { name: "At least", isNumber: true, cell: (slice) => <strong>{leastOf(slice)}</strong> },
  { name: "State", cell: (slice) => <State slice={slice} /> },
];

function State({ slice }: { readonly slice: SliceView }): ReactNode {
  const { mark, tone, words } = sliceState(slice);
  return (
    <span className={css["state"]}>
      <MarkOf name={mark} tone={tone} /> {words}
    </span>
  );
}

function leastOf({ proposal, finding }: SliceView): string {
  if (proposal !== null) return percentOf(proposal.leastPpm);
  return finding.kind === "below_bar" ? percentOf(finding.leastPpm) : "–";
}
