import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { DemotionView } from "../../../../src/contract/autonomy.ts";
import { Time } from "../../parts/time.tsx";
import { plainShare } from "../../words/plain.ts";
import css from "./autonomy.module.css";
import { breachWords } from "./slice-words.ts";

/** The thresholds that were taken back by themselves, newest first, each with why and the entry that tells of it. */
export function Demotions({ demotions }: { readonly demotions: readonly DemotionView[] }): ReactNode {
  return (
    <section className={css["section"]} aria-labelledby="demotions-title">
      <h2 id="demotions-title">Taken back by itself</h2>
      {demotions.length === 0 ? (
        <p className="card padded detail">Nothing was taken back in this time.</p>
      ) : (
        <ol className="card">
          {demotions.map((demotion) => (
            <li key={demotion.entryId} className={css["demotion"]}>
              <Demotion demotion={demotion} />
            </li>
          ))}
        </ol>
      )}
      {demotions.length < mostTold ? null : <p className="meta">The newest {mostTold}. Older ones stand in the ledger.</p>}
    </section>
  );
}

/** How many the desk tells of at most. */
const mostTold = 100;

function Demotion({
  demotion: { capability, slice, fromPpm, breach, entryId, decisionId, at },
}: {
  readonly demotion: DemotionView;
}): ReactNode {
  return (
    <>
      <p className={css["demotion-head"]}>
        <span>
          <strong>
            {capability}, {slice}
          </strong>{" "}
          T from {plainShare(fromPpm)} to never
        </span>
        <span className="meta">
          <Time at={at} isExact={false} />
        </span>
      </p>
      <p className="detail">
        {breachWords(breach)}{" "}
        <Link to="/ledger" search={{ item: entryId } as never}>
          Entry
        </Link>
        {decisionId === null ? null : (
          <>
            {" "}
            <Link to="/decisions/$id" params={{ id: decisionId }}>
              Decision
            </Link>
          </>
        )}
      </p>
    </>
  );
}
