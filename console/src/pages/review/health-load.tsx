import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ReviewHealth } from "../../../../src/contract/review-health.ts";
import { TableFrame } from "../../parts/table-frame.tsx";
import { plainCount, plainPercent } from "../../words/plain.ts";
import css from "./health.module.css";

/** What a lead sees of capabilities: how many people answer them, and how second looks agreed; no person and no speed. */
export function CapabilityTable({
  capabilities,
}: {
  readonly capabilities: NonNullable<ReviewHealth["capabilities"]>;
}): ReactNode {
  return (
    <TableFrame>
      <table className="rows">
        <caption className="hidden">Capabilities that people answer</caption>
        <thead>
          <tr>
            {["Capability", "Reviewers", "Each, per day", "Second look agreed", "What to do"].map((name, place) => (
              <th key={name} scope="col" className={place > 0 && place < 4 ? "number-cell" : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {capabilities.map(({ capability, reviewers, leastADay, mostADay, secondLooks }) => (
            <tr key={capability}>
              <th scope="row">{capability}</th>
              <td className="number-cell">{plainCount(reviewers)}</td>
              <td className="number-cell">{leastADay === mostADay ? plainCount(leastADay) : `${leastADay} to ${mostADay}`}</td>
              <td className="number-cell">
                {secondLooks.of === 0 ? "none yet" : plainPercent(secondLooks.agreed / secondLooks.of)}
              </td>
              <td>
                {mayLower(secondLooks) ? (
                  <Link to="/autonomy">Look at its threshold</Link>
                ) : (
                  <span className="meta">Nothing</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** Many second looks that nearly all agreed may mean that people need not look at all of it. */
function mayLower({ of, agreed }: { readonly of: number; readonly agreed: number }): boolean {
  return of >= 50 && agreed / of >= 0.97;
}

/** The answers of today by person, by name, in no order of merit. */
export function LoadToday({ load }: { readonly load: NonNullable<ReviewHealth["loadToday"]> }): ReactNode {
  const most = Math.max(1, ...load.map(({ answered }) => answered));
  const byName = load.toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      <div className={css["heading"]}>
        <h2>Load today</h2>
        <span className="meta">per person, by name</span>
      </div>
      {byName.length === 0 ? <p className="meta">Nobody has answered anything today.</p> : null}
      <ul className="card">
        {byName.map(({ id, name, answered }) => (
          <li key={id} className={css["load"]}>
            <span>{name}</span>
            <svg width="100%" height="6" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 6">
              <path d="M0 3h100" stroke="var(--hover)" strokeWidth="6" />
              <path d={`M0 3h${(answered / most) * 100}`} stroke="var(--edge)" strokeWidth="6" />
            </svg>
            <span className={css["count"]}>{plainCount(answered)}</span>
          </li>
        ))}
      </ul>
      <p className="meta">It says who has much to do, and nothing of how somebody works.</p>
    </>
  );
}
