import { type ReactNode, useId, useState } from "react";
import type { Fact } from "../../../../src/contract/fact.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { plainName } from "../../words/plain.ts";
import { dateOf, wholeTime } from "../../words/times.ts";
import { dayIn, windowWords } from "./fact-words.ts";
import css from "./facts.module.css";

const mostLanes = 24;
const dayMs = 86_400_000;

/** The windows in which facts are true, one lane each, with the time that was asked about as a line; behind a button the same as a table. */
export function Timeline({ facts, at }: { readonly facts: readonly Fact[]; readonly at: number }): ReactNode {
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  return (
    <figure className={`figure card padded ${css["timeline"]}`} aria-labelledby={id}>
      <figcaption id={id}>
        <strong>When it is true</strong>
        <button type="button" className="link" aria-expanded={isTable} onClick={() => setIsTable(!isTable)}>
          {isTable ? "Show as picture" : "Show as table"}
        </button>
      </figcaption>
      {isTable ? <WindowTable facts={facts} /> : <Picture facts={facts.slice(0, mostLanes)} at={at} />}
      {isTable || facts.length <= mostLanes ? null : (
        <p className="meta">
          The first {mostLanes} of {facts.length}; all of them stand in the table.
        </p>
      )}
    </figure>
  );
}

function Picture({ facts, at }: { readonly facts: readonly Fact[]; readonly at: number }): ReactNode {
  const { from, to } = spanOf(facts, at);
  const x = (instant: number) => ((instant - from) / (to - from)) * 100;
  return (
    <>
      <ul>
        {facts.map((fact) => {
          const start = x(fact.validFrom);
          const end = fact.validTo === null ? 100 : x(fact.validTo);
          return (
            <li key={fact.id}>
              <span className={css["lane-name"]} title={`${fact.subject}, ${fact.predicate}: ${fact.object}`}>
                {plainName(fact.predicate)}: {fact.object}
              </span>
              <svg
                viewBox="0 0 100 20"
                preserveAspectRatio="none"
                className={css["lane"]}
                role="img"
                aria-label={windowWords(fact)}
              >
                <title>{windowWords(fact)}</title>
                <rect
                  className={fact.isInConflict ? css["lane-conflict"] : css["lane-bar"]}
                  x={start}
                  y="5"
                  width={Math.max(0.6, end - start)}
                  height="10"
                />
                {fact.validTo === null ? (
                  <path className={css["lane-open"]} d="M99.8 2v16" strokeDasharray="2 2" vectorEffect="non-scaling-stroke" />
                ) : null}
                <path className={css["lane-at"]} d={`M${x(at)} 0v20`} vectorEffect="non-scaling-stroke" />
              </svg>
            </li>
          );
        })}
      </ul>
      <p className={`chart-ends ${css["ends"]}`}>
        <span>{dayIn(from, "UTC")}</span>
        <span title={wholeTime(at)}>asked as of {dayIn(at, "UTC")} UTC, the line</span>
        <span>{dayIn(to, "UTC")}</span>
      </p>
    </>
  );
}

/** From before the first window to after the last end that is known, in whole days, with the time that was asked about within. */
function spanOf(facts: readonly Fact[], at: number): { readonly from: number; readonly to: number } {
  const instants = [at, ...facts.flatMap(({ validFrom, validTo }) => (validTo === null ? [validFrom] : [validFrom, validTo]))];
  const first = dateOf(Math.min(...instants)).getTime();
  const last = dateOf(Math.max(...instants)).getTime();
  const margin = Math.max(dayMs, (last - first) * 0.06);
  const whole = (instant: number) => Math.floor(instant / dayMs) * dayMs;
  return { from: whole(first - margin), to: whole(last + margin) + dayMs };
}

function WindowTable({ facts }: { readonly facts: readonly Fact[] }): ReactNode {
  return <DataTable caption="When it is true" columns={columns} rows={facts} keyOf={({ id }) => id} />;
}

const columns: readonly Column<Fact>[] = [
  {
    name: "Fact",
    cell: ({ subject, predicate, object }) => `${subject}, ${plainName(predicate).toLowerCase()}: ${object}`,
  },
  { name: "From", cell: ({ validFrom, zone }) => dayIn(validFrom, zone) },
  { name: "Until before", cell: ({ validTo, zone }) => (validTo === null ? "further notice" : dayIn(validTo, zone)) },
  { name: "Zone", cell: ({ zone }) => zone },
];
