import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { BudgetView } from "../../../../src/contract/spend.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { counted } from "../../words/plain.ts";
import { amountWords, budgetOf, periodWords, usedWords } from "./budget-words.ts";
import css from "./spend.module.css";

/** The tenant's budgets: how much of each is used now, and what is drawn for what is under way. */
export function Budgets(): ReactNode {
  const { client, session } = useApi();
  const { data, error, refetch } = useQuery({ queryKey: ["spend", "budgets"], queryFn: () => client.budgets() });
  return (
    <section className={css["side"]} aria-labelledby="budgets-title">
      <h2 id="budgets-title">Budgets</h2>
      {data === undefined ? (
        error === null ? (
          <LoadingRows what="the budgets" rows={3} height={48} />
        ) : (
          <ErrorState error={error} what="The budgets" again={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <div className="card padded">
          <p>No budget is set. Each run has its own caps all the same.</p>
          <p className="meta">
            An operator sets one: <code>countersign budget set all 500 --tenant {session.tenant}</code>
          </p>
        </div>
      ) : (
        <ul className="card">
          {data.map((budget) => (
            <li key={budget.id} className={css["budget"]}>
              <Budget budget={budget} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const shownAtFirst = 3;

function Budget({ budget }: { readonly budget: BudgetView }): ReactNode {
  const [isWhole, setIsWhole] = useState(false);
  const { nameOf } = useApi();
  const { id, scope, cap, uses } = budget;
  const fullest = uses.toSorted((a, b) => b.used + b.drawn - (a.used + a.drawn));
  const shown = isWhole ? fullest : fullest.slice(0, shownAtFirst);
  return (
    <>
      <p className={css["budget-head"]}>
        <strong>{budgetOf(budget)}</strong>
        <span className="meta">
          {id}, {amountWords(budget, cap)} {periodWords[budget.period]}
        </span>
      </p>
      {uses.length === 0 ? <p className="meta">Nothing is used of it.</p> : null}
      <ul>
        {shown.map(({ subject, used, drawn }) => (
          <li key={subject}>
            <Use budget={budget} name={scope === "principal" ? nameOf(subject) : subject} used={used} drawn={drawn} />
          </li>
        ))}
      </ul>
      {uses.length <= shownAtFirst ? null : (
        <Button isSmall aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show the fullest only" : `Show all ${counted(uses.length, "use")}`}
        </Button>
      )}
    </>
  );
}

function Use({
  budget,
  name,
  used,
  drawn,
}: {
  readonly budget: BudgetView;
  readonly name: string;
  readonly used: number;
  readonly drawn: number;
}): ReactNode {
  const share = (amount: number) => Math.min(100, (amount / Math.max(1, budget.cap)) * 100);
  const isOut = used >= budget.cap;
  return (
    <>
      <p className={css["use"]}>
        <span>
          {name === "" ? "All of it" : name}
          {isOut ? (
            <span className="tone-wait">
              {" "}
              <MarkOf name="warning" tone="wait" /> used up, nothing new begins on it
            </span>
          ) : null}
        </span>
        <span>{usedWords(budget, used)}</span>
      </p>
      <svg width="100%" height="8" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <path d="M0 4h100" className={css["track"]} />
        <path d={`M0 4h${share(used + drawn)}`} className={css["drawn"]} />
        <path d={`M0 4h${share(used)}`} className={isOut ? css["out"] : css["used"]} />
      </svg>
      {drawn === 0 ? null : <p className="meta">{amountWords(budget, drawn)} more is drawn by processes and not used yet.</p>}
    </>
  );
}
