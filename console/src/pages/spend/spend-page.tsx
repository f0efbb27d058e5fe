import type { ReactNode } from "react";
import type { SpendView } from "../../../../src/contract/spend.ts";
import { BarChart } from "../../parts/charts.tsx";
import { Filters } from "../../parts/data-table.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { useNow } from "../../parts/now.tsx";
import { Opened } from "../../parts/opened.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { plainMoney } from "../../words/plain.ts";
import { Budgets } from "./budgets.tsx";
import { Figures } from "./figures.tsx";
import { daysOf, dayWords, eachDay, ranges, rangeWords, spanWords } from "./range.ts";
import css from "./spend.module.css";
import { SpendTable } from "./spend-table.tsx";
import { useSpend } from "./use-spend.ts";

/** What the tenant spent on models, day by day and by what, its budgets, and where the month is going. */
export function SpendPage(): ReactNode {
  return (
    <Opened to="spend" title="Spend">
      <Board />
    </Opened>
  );
}

function Board(): ReactNode {
  const { search, set } = useAddress();
  const range = ranges.find((one) => one === search["days"]) ?? "month";
  const days = daysOf(range, useNow("minute"));
  const byDay = useSpend({ by: "day", ...days });
  return (
    <div className="page">
      <PageHeading title="Spend" aside={`${spanWords(days)}, days in UTC; every attempt counted, refused ones too`} />
      <div className="toolbar">
        <Filters
          label="Days"
          options={ranges.map((value) => ({ value, words: rangeWords[value] }))}
          chosen={range}
          onChoose={(value) => set({ days: value === "month" ? undefined : value })}
        />
      </div>
      <div className={css["columns"]}>
        <div className={css["main"]}>
          {byDay.data !== undefined ? (
            <ByDay view={byDay.data} />
          ) : byDay.error === null ? (
            <LoadingRows what="what was spent" rows={3} />
          ) : (
            <ErrorState error={byDay.error} what="What was spent" again={() => void byDay.refetch()} />
          )}
        </div>
        <Budgets />
      </div>
      <SpendTable days={days} />
    </div>
  );
}

function ByDay({ view }: { readonly view: SpendView }): ReactNode {
  const costs = new Map(view.lines.map(({ group, costMicros, assumedMicros }) => [group, { costMicros, assumedMicros }]));
  const bars = eachDay(view).map((day) => {
    const { costMicros = 0, assumedMicros = 0 } = costs.get(day) ?? {};
    return { name: dayWords(day), parts: [costMicros - assumedMicros, assumedMicros] };
  });
  return (
    <>
      <Figures view={view} />
      {view.totalMicros === 0 ? (
        <p className="card padded detail">
          {view.lines.length === 0
            ? "No request was sent to a model in these days."
            : "Nothing that was asked in these days cost anything."}
        </p>
      ) : (
        <BarChart title="By day" bars={bars} parts={["told by the provider", "assumed"]} format={plainMoney} />
      )}
    </>
  );
}
