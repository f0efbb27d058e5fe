import type { ReactNode } from "react";
import type { SpendGroup, SpendLine } from "../../../../src/contract/spend.ts";
import { type Column, DataTable, Filters } from "../../parts/data-table.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { plainMoney, plainPercent } from "../../words/plain.ts";
import { dayWords } from "./range.ts";
import css from "./spend.module.css";
import { useSpend } from "./use-spend.ts";

const groups = ["capability", "model", "purpose", "outcome", "day"] as const satisfies readonly SpendGroup[];
type Group = (typeof groups)[number];

const groupWords: Readonly<Record<Group, string>> = {
  capability: "Capability",
  model: "Model",
  purpose: "Purpose",
  outcome: "Outcome",
  day: "Day",
};

/** What was spent and asked in a range of days, by one thing; which one stands in the address. */
export function SpendTable({ days }: { readonly days: { readonly from: string; readonly before: string } }): ReactNode {
  const { search, set } = useAddress();
  const by = groups.find((group) => group === search["by"]) ?? "capability";
  const { data, error, refetch } = useSpend({ by, ...days });
  return (
    <section className={css["table"]} aria-labelledby="by-title">
      <div className={css["table-head"]}>
        <h2 id="by-title">By {groupWords[by].toLowerCase()}</h2>
        <Filters
          label="Added up by"
          options={groups.map((value) => ({ value, words: groupWords[value] }))}
          chosen={by}
          onChoose={(value) => set({ by: value === "capability" ? undefined : value }, true)}
        />
      </div>
      {data === undefined ? (
        error === null ? (
          <LoadingRows what="what was spent" rows={4} height={34} />
        ) : (
          <ErrorState error={error} what="What was spent" again={() => void refetch()} />
        )
      ) : data.lines.length === 0 ? (
        <EmptyState
          title="Nothing was spent in these days."
          detail="Each request to a model shows here once its decision has ended."
          link={{ to: "/", words: "Back to Ask" }}
        />
      ) : (
        <DataTable
          caption={`What was spent, by ${by}`}
          columns={columnsOf(by, data.totalMicros)}
          rows={by === "day" ? data.lines.toSorted((a, b) => b.group.localeCompare(a.group)) : data.lines}
          keyOf={({ group }) => group}
        />
      )}
      <p className="meta">
        {by === "outcome" ? "The outcome is the route of the decision, or how it ended without one. " : ""}
        {by === "model" || by === "purpose" ? "One decision may count in several lines. " : ""}Hold it against a bill:{" "}
        <code>countersign spend reconcile bill.csv</code>
      </p>
    </section>
  );
}

const numbers = new Intl.NumberFormat("en-GB");

function columnsOf(by: Group, totalMicros: number): readonly Column<SpendLine>[] {
  const count = (name: string, of: (line: SpendLine) => number): Column<SpendLine> => ({
    name,
    isNumber: true,
    cell: (line) => numbers.format(of(line)),
  });
  return [
    {
      name: groupWords[by],
      cell: ({ group }) => (by === "model" ? <code>{group}</code> : by === "day" ? dayWords(group) : group),
    },
    count("Decisions", ({ decisions }) => decisions),
    count("Requests", ({ attempts }) => attempts),
    count("Refused", ({ refused }) => refused),
    count("Input tokens", ({ inputTokens }) => inputTokens),
    count("Cached", ({ cachedTokens, cacheWriteTokens }) => cachedTokens + cacheWriteTokens),
    count("Output", ({ outputTokens }) => outputTokens),
    count("Reasoning", ({ reasoningTokens }) => reasoningTokens),
    { name: "Assumed", isNumber: true, cell: ({ assumedMicros }) => plainMoney(assumedMicros) },
    { name: "Cost", isNumber: true, cell: ({ costMicros }) => <strong>{plainMoney(costMicros)}</strong> },
    {
      name: "Of all",
      isNumber: true,
      cell: ({ costMicros }) => (totalMicros === 0 ? "–" : plainPercent(costMicros / totalMicros)),
    },
  ];
}
