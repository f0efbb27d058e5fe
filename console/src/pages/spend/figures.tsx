import type { ReactNode } from "react";
import type { SpendLine, SpendView } from "../../../../src/contract/spend.ts";
import { onePpm } from "../../../../src/contract/words.ts";
import { counted, plainMoney, plainPercent } from "../../words/plain.ts";
import css from "./spend.module.css";

/** The figures of a range, and where the month that runs is going. */
export function Figures({ view }: { readonly view: SpendView }): ReactNode {
  const { forecast, totalMicros, lines } = view;
  const decisions = sum(lines, "decisions");
  const attempts = sum(lines, "attempts");
  const refused = sum(lines, "refused");
  const assumed = sum(lines, "assumedMicros");
  return (
    <dl className={`card ${css["figures"]}`}>
      <Figure
        name="This month"
        value={plainMoney(forecast.spentMicros)}
        note={`about ${plainMoney(forecast.forecastMicros)} at its end, if it goes on so; ${plainPercent(forecast.elapsedPpm / onePpm)} of ${forecast.month} is over${forecast.elapsedPpm < 100_000 ? ", so this says little yet" : ""}`}
      />
      <Figure name="These days" value={plainMoney(totalMicros)} note={`${counted(attempts, "request")} to models`} />
      <Figure
        name="Per decision"
        value={decisions === 0 ? "–" : plainMoney(Math.round(totalMicros / decisions))}
        note={decisions === 0 ? "no decision" : `the mean of ${counted(decisions, "decision")}`}
      />
      <Figure
        name="Refused requests"
        value={attempts === 0 ? "–" : plainPercent(refused / attempts)}
        note={`${counted(refused, "request")} that a provider refused`}
      />
      <Figure name="Assumed" value={plainMoney(assumed)} note="of the cost: the provider did not say, or the process ended" />
    </dl>
  );
}

function Figure({ name, value, note }: { readonly name: string; readonly value: string; readonly note: string }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={css["value"]}>{value}</dd>
      <dd className={css["note"]}>{note}</dd>
    </div>
  );
}

function sum(lines: readonly SpendLine[], of: "decisions" | "attempts" | "refused" | "assumedMicros"): number {
  return lines.reduce((total, line) => total + line[of], 0);
}
