import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useId, useState } from "react";
import type { Simulation, SliceView } from "../../../../src/contract/autonomy.ts";
import { neverAutoPpm, onePpm } from "../../../../src/contract/words.ts";
import { useApi } from "../../api/api.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { TableFrame } from "../../parts/table-frame.tsx";
import { Time } from "../../parts/time.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { counted, plainName, plainShare } from "../../words/plain.ts";
import css from "./autonomy.module.css";
import { mostPercentOf, percentsOf } from "./slice-words.ts";

/** What a threshold would have let through over the slice's own history; it signs nothing. The threshold stands in the address. */
export function Simulate({ slice }: { readonly slice: SliceView }): ReactNode {
  const { search, set } = useAddress();
  const asked = ppmOf(search["at"] ?? "");
  const stands = slice.thresholdPpm < neverAutoPpm ? slice.thresholdPpm : 900_000;
  const thresholdPpm = asked ?? slice.proposal?.thresholdPpm ?? stands;
  return (
    <section className={css["section"]} aria-labelledby="simulate-title">
      <h3 id="simulate-title">What another T would have let through</h3>
      <ThresholdFields thresholdPpm={thresholdPpm} onChange={(ppm) => set({ at: String(ppm / onePpm) }, true)} />
      <Simulated slice={slice} thresholdPpm={thresholdPpm} />
    </section>
  );
}

/** A slider and a field of one threshold; it counts once it is let go of. */
function ThresholdFields({
  thresholdPpm,
  onChange,
}: {
  readonly thresholdPpm: number;
  readonly onChange: (ppm: number) => void;
}): ReactNode {
  const id = useId();
  const [draft, setDraft] = useState(String(thresholdPpm / onePpm));
  // The address may change without the fields, by the browser's way back.
  useEffect(() => setDraft(String(thresholdPpm / onePpm)), [thresholdPpm]);
  const ppm = ppmOf(draft);
  const settle = () => {
    if (ppm !== null && ppm !== thresholdPpm) onChange(ppm);
  };
  const shared = { min: 0, max: 1, value: draft, onBlur: settle };
  return (
    <form
      className={css["threshold-fields"]}
      onSubmit={(event) => {
        event.preventDefault();
        settle();
      }}
    >
      <label htmlFor={id}>T</label>
      <input
        id={id}
        type="range"
        step={0.005}
        {...shared}
        onChange={(event) => setDraft(event.target.value)}
        onPointerUp={settle}
        onKeyUp={settle}
      />
      <input
        type="number"
        className="field"
        aria-label="T as a number from 0 to 1"
        aria-invalid={ppm === null}
        step="any"
        {...shared}
        onChange={(event) => setDraft(event.target.value)}
      />
      {ppm === null ? <span className="meta">A number from 0 to 1, such as 0.93.</span> : null}
    </form>
  );
}

function ppmOf(text: string): number | null {
  const value = Number(text);
  return text.trim() !== "" && value >= 0 && value <= 1 ? Math.round(value * onePpm) : null;
}

function Simulated({ slice, thresholdPpm }: { readonly slice: SliceView; readonly thresholdPpm: number }): ReactNode {
  const { client } = useApi();
  const of = { capability: slice.capability, slice: slice.slice, thresholdPpm };
  const { data, error, refetch } = useQuery({
    queryKey: ["simulation", of],
    queryFn: () => client.simulation(of),
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <ErrorState error={error} what="The simulation" again={() => void refetch()} />;
  if (data === undefined) return <LoadingRows what="the simulation" rows={1} height={34} />;
  return (
    <>
      <p aria-live="polite">{simulationWords(data)}</p>
      {data.wrong.length === 0 ? null : <Wrong wrong={data.wrong} />}
    </>
  );
}

function simulationWords({ thresholdPpm, decisions, wouldBeAuto, agreed, leastPpm, mostPpm, barPpm }: Simulation): string {
  const at = `At ${plainShare(thresholdPpm)}`;
  if (decisions === 0) return `${at} there is nothing to go by: no decision of it was judged.`;
  if (wouldBeAuto === 0) return `${at} none of ${counted(decisions, "judged decision")} would have gone auto.`;
  const [least, bar] = percentsOf(leastPpm, barPpm);
  const reaches = leastPpm >= barPpm ? "reaches" : "does not reach";
  return `${at}, ${wouldBeAuto} of ${counted(decisions, "judged decision")} would have gone auto; people agreed with ${agreed}. That is ${least} to ${mostPercentOf(mostPpm)}, whose lower end ${reaches} the bar of ${bar}.`;
}

function Wrong({ wrong }: { readonly wrong: Simulation["wrong"] }): ReactNode {
  return (
    <TableFrame>
      <table className="rows">
        <caption className="hidden">Decisions that would have gone auto and were wrong</caption>
        <thead>
          <tr>
            <th scope="col">Wrong, newest last</th>
            <th scope="col" className="number-cell">
              Confidence
            </th>
            <th scope="col">Decision</th>
          </tr>
        </thead>
        <tbody>
          {wrong.map(({ decisionId, judgement, ppm, at }) => (
            <tr key={decisionId}>
              <td>
                {plainName(judgement)}, <Time at={at} />
              </td>
              <td className="number-cell">{plainShare(ppm)}</td>
              <td>
                <Link to="/decisions/$id" params={{ id: decisionId }}>
                  Open
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
