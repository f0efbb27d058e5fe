import { type ReactNode, useState } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { ChangeTable } from "../../parts/change-table.tsx";
import { EffectCard } from "../../parts/effect-card.tsx";
import { StateLine } from "../../parts/state-line.tsx";
import { ClaimList } from "../ask/claim-list.tsx";
import { SourcePanel } from "../ask/source-panel.tsx";
import { effectLine } from "../review/effect-line.ts";
import css from "./decision.module.css";

/** What the decision says: claims with their sources, one of which opens below them. */
export function Said({
  view,
  source,
  onSource,
}: {
  readonly view: DecisionView;
  readonly source: number | null;
  readonly onSource: (number: number | null) => void;
}): ReactNode {
  if (view.claims.length === 0 && view.refusal === null) return null;
  return (
    <section aria-labelledby="said">
      <h2 id="said">What it says</h2>
      <div className="card" data-request={view.id}>
        {view.refusal === null ? null : <p className="padded">{view.refusal}</p>}
        {view.claims.length === 0 ? null : <ClaimList view={view} open={source} onOpen={onSource} />}
        {source === null ? null : (
          <div className={css["source"]}>
            <SourcePanel view={view} number={source} onOpen={onSource} />
          </div>
        )}
      </div>
    </section>
  );
}

/** The effects of a decision: what each does, where it stands, and what it changes. */
export function Effects({ view }: { readonly view: DecisionView }): ReactNode {
  const [open, setOpen] = useState(false);
  if (view.effects.length === 0) return null;
  return (
    <section aria-labelledby="effects">
      <div className={css["heading"]}>
        <h2 id="effects">Effects</h2>
        <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Hide what changes" : "Show what changes"}
        </button>
      </div>
      <ol>
        {view.effects.map((effect) => (
          <EffectCard key={effect.index} effect={effect}>
            <StateLine line={effectLine(effect)} />
            {open ? (
              <div className={css["changes"]}>
                <ChangeTable effect={effect} decidedAt={view.at} />
              </div>
            ) : null}
          </EffectCard>
        ))}
      </ol>
    </section>
  );
}
