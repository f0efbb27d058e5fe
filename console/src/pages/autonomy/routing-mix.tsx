import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { RoutingView } from "../../../../src/contract/routing-view.ts";
import { onePpm, type Route } from "../../../../src/contract/words.ts";
import { useApi } from "../../api/api.tsx";
import { type Bar, BarChart, ReliabilityChart } from "../../parts/charts.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { Time } from "../../parts/time.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { counted, plainCount } from "../../words/plain.ts";
import css from "./autonomy.module.css";

type Way = Route | "stopped";

/** The parts of a day's bar: what people need not look at stands lowest. */
const parts: readonly { readonly words: string; readonly ways: readonly Way[] }[] = [
  { words: "auto", ways: ["auto"] },
  { words: "hitl_recommended", ways: ["hitl_recommended"] },
  { words: "hitl_required", ways: ["hitl_required"] },
  { words: "reject or stopped", ways: ["reject", "stopped"] },
];

/** How decisions were routed by day, and how far confidence told the truth, of one capability or of all. */
export function RoutingMix(): ReactNode {
  const { client } = useApi();
  const { search, set } = useAddress();
  const capability = search["capability"];
  const all = useQuery({ queryKey: ["routing"], queryFn: () => client.routing() });
  const { data, error, refetch } = useQuery({
    queryKey: ["routing", capability ?? null],
    queryFn: () => client.routing(capability === undefined ? {} : { capability }),
    enabled: capability !== undefined,
  });
  const shown = capability === undefined ? all.data : data;
  const failed = capability === undefined ? all.error : error;
  const known = new Set([...(all.data?.lines ?? []).map((line) => line.capability), ...(capability ? [capability] : [])]);
  return (
    <section className={css["section"]} aria-labelledby="routing-title">
      <div className={css["section-head"]}>
        <h2 id="routing-title">How decisions were routed</h2>
        <label>
          <span className="hidden">Capability</span>
          <select
            className="field"
            value={capability ?? ""}
            onChange={(event) => set({ capability: event.target.value || undefined }, true)}
          >
            <option value="">All capabilities</option>
            {[...known].toSorted().map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      {shown !== undefined ? (
        <Mix view={shown} />
      ) : failed === null ? (
        <LoadingRows what="how decisions were routed" rows={2} />
      ) : (
        <ErrorState
          error={failed}
          what="How decisions were routed"
          again={() => void (capability === undefined ? all : { refetch }).refetch()}
        />
      )}
    </section>
  );
}

function Mix({ view }: { readonly view: RoutingView }): ReactNode {
  const { lines, reliability, isPart, countedFrom } = view;
  if (lines.length === 0) return <p className="card padded detail">Nothing was decided in these days.</p>;
  const sum = lines.reduce((total, { decisions }) => total + decisions, 0);
  return (
    <>
      <div className={css["pictures"]}>
        <BarChart
          title={`By day, ${counted(sum, "decision")}`}
          bars={barsOf(view)}
          parts={parts.map(({ words }) => words)}
          format={plainCount}
          accent={0}
        />
        {reliability.length === 0 ? (
          <p className="card padded detail">
            None of them had a confidence and came to an outcome that people or a read judged, so nothing can be said of how sure
            it was.
          </p>
        ) : (
          <ReliabilityChart
            title="Confidence said (across), was right (up)"
            points={reliability.map(({ meanPpm, agreed, decisions }) => ({
              x: meanPpm / onePpm,
              y: agreed / decisions,
              count: decisions,
            }))}
          />
        )}
      </div>
      {isPart ? (
        <p className="meta">
          These are the newest only{countedFrom === null ? "" : ", begun from "}
          {countedFrom === null ? null : <Time at={countedFrom} />}: there were more than are counted at once.
        </p>
      ) : null}
    </>
  );
}

/** One bar for each day of the range, those without a decision too. */
function barsOf({ from, before, lines }: RoutingView): readonly Bar[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at < Date.parse(before) && days.length < 400; at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days.map((day) => ({
    name: day,
    parts: parts.map(({ ways }) =>
      lines.filter((line) => line.day === day && ways.includes(line.route)).reduce((sum, { decisions }) => sum + decisions, 0),
    ),
  }));
}
