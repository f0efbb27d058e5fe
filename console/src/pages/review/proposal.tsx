import type { ReactNode } from "react";
import type { ReviewEvidence } from "../../../../src/contract/review-evidence.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { KeyCap } from "../../parts/button.tsx";
import { ChangeTable } from "../../parts/change-table.tsx";
import { EffectCard } from "../../parts/effect-card.tsx";
import { StateLine } from "../../parts/state-line.tsx";
import { ClaimRows } from "./claim-rows.tsx";
import { DoubtList } from "./doubt-list.tsx";
import { effectLine } from "./effect-line.ts";
import css from "./item.module.css";
import { isOpen } from "./standing.ts";
import { useNowUntil } from "./use-now-until.ts";

/** What was proposed, in the order in which a person reads it: what changes, what is unsure, what happens on approval. */
export function Proposal({
  view,
  evidence,
  areKeptShown,
  edit,
  onEvidence,
}: {
  readonly view: DecisionView;
  readonly evidence: ReviewEvidence | undefined;
  readonly areKeptShown: boolean;
  readonly edit: ((effect: number, field: string) => ReactNode) | undefined;
  readonly onEvidence: (number: number) => void;
}): ReactNode {
  const { effects, claims } = view;
  return (
    <>
      {effects.length === 0 ? null : <Changes view={view} areKeptShown={areKeptShown} edit={edit} />}
      {claims.length === 0 ? null : (
        <>
          <h2>{effects.length === 0 ? "What is told on approval" : "What it rests on"}</h2>
          <ClaimRows view={view} evidence={evidence} onEvidence={onEvidence} />
        </>
      )}
      <h2>What is unsure</h2>
      <DoubtList view={view} evidence={evidence} onEvidence={onEvidence} />
      {effects.length === 0 ? null : <Effects view={view} />}
    </>
  );
}

function Changes({
  view: { effects, at },
  areKeptShown,
  edit,
}: {
  readonly view: DecisionView;
  readonly areKeptShown: boolean;
  readonly edit: ((effect: number, field: string) => ReactNode) | undefined;
}): ReactNode {
  return (
    <>
      <div className={css["heading"]}>
        <h2>What changes</h2>
        <span className="meta">
          unchanged fields <KeyCap>u</KeyCap>
        </span>
      </div>
      {effects.map((effect) => (
        <div key={effect.index} className={`card change ${css["change"]}`}>
          {effects.length === 1 ? null : (
            <h3>
              <span className="number">{effect.index + 1}</span> {effect.sentence}
            </h3>
          )}
          <ChangeTable
            effect={effect}
            decidedAt={at}
            areKeptShown={areKeptShown}
            {...(edit === undefined ? {} : { edit: (field: string) => edit(effect.index, field) })}
          />
        </div>
      ))}
    </>
  );
}

function Effects({ view }: { readonly view: DecisionView }): ReactNode {
  const waits = isOpen(view, useNowUntil(view.expiresAt));
  const { effects } = view;
  return (
    <>
      <div className={css["heading"]}>
        <h2>{waits ? "What happens on approval" : "What happens"}</h2>
        {effects.length > 1 ? <span className="meta">each starts when the one before is complete</span> : null}
      </div>
      <ol>
        {effects.map((effect) => (
          <EffectCard key={effect.index} effect={effect}>
            {effect.state === "proposed" ? null : <StateLine line={effectLine(effect)} />}
          </EffectCard>
        ))}
      </ol>
    </>
  );
}
