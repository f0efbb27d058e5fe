import type { ReactNode } from "react";
import type { Claim, Working } from "../../../../src/contract/proposal.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { MarkOf } from "../../parts/mark.tsx";
import { KindChip } from "../../parts/provenance.tsx";
import css from "./ask.module.css";
import { type NumberedSource, sourcesOf } from "./sources-of.ts";

/** An answer: each claim with the numbers of its sources, the sources below, what code calculated, and what was left out. */
export function ClaimList({
  view,
  open,
  onOpen,
}: {
  readonly view: Pick<DecisionView, "claims" | "droppedClaims">;
  /** The number of the source that is open. */
  readonly open: number | null;
  readonly onOpen: (number: number) => void;
}): ReactNode {
  const sources = sourcesOf(view);
  return (
    <>
      <ul className={css["claims"]}>
        {view.claims.map((claim) => (
          <ClaimRow key={`${claim.source} ${claim.text}`} claim={claim} sources={sources} open={open} onOpen={onOpen} />
        ))}
      </ul>
      <ol className={css["sources"]} aria-label="Sources">
        {sources.map(({ number, citation, kind }) => (
          <li key={number}>
            <span className="key" aria-hidden="true">
              {number}
            </span>
            <span>{citation}</span>
            <KindChip kind={kind} />
          </li>
        ))}
      </ol>
      {view.droppedClaims.map(({ text, reason }) => (
        <p key={text} className={css["left-out"]}>
          <MarkOf name="warning" tone="wait" />
          <span>
            <strong>Left out:</strong> “{text}” {reason}
          </span>
        </p>
      ))}
    </>
  );
}

function ClaimRow({
  claim: { text, source, also = [], workings = [] },
  sources,
  open,
  onOpen,
}: {
  readonly claim: Claim;
  readonly sources: readonly NumberedSource[];
  readonly open: number | null;
  readonly onOpen: (number: number) => void;
}): ReactNode {
  const own = sources.filter(({ id }) => id === source || also.some((one) => one.source === id));
  return (
    <li className={own.some(({ number }) => number === open) ? css["claim-open"] : undefined}>
      <div>
        <p>{text}</p>
        {workings.map((working) => (
          <p key={working.expression} className="meta">
            {workingWords(working)}
          </p>
        ))}
      </div>
      <span className={css["numbers"]}>
        {own.map(({ number, citation }) => (
          <button
            key={number}
            type="button"
            className={css["source-button"]}
            aria-expanded={number === open}
            aria-label={`Source ${number}, ${citation}`}
            aria-keyshortcuts={number <= 9 ? String(number) : undefined}
            data-source={number}
            onClick={() => onOpen(number)}
          >
            <span className="key">{number}</span>
          </button>
        ))}
      </span>
    </li>
  );
}

function workingWords({ value, expression, by }: Working): string {
  return `${value}: calculated by code as ${expression}, ${by.join(", ")}`;
}
