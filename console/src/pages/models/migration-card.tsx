import type { ReactNode } from "react";
import type { MigrationView } from "../../../../src/contract/model-view.ts";
import { onePpm } from "../../../../src/contract/words.ts";
import { useApi } from "../../api/api.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { plainName, plainPercent } from "../../words/plain.ts";
import { Stands } from "./model-table.tsx";
import { breakWords, stageName, stageWords } from "./model-words.ts";
import css from "./models.module.css";
import { stepsForMigration } from "./next-steps.ts";
import { NextSteps } from "./next-steps-list.tsx";
import { TrialTable } from "./trial-table.tsx";

/** One capability's move from one model to another: how far it is, what the trials came to, and what to do next. */
export function MigrationCard({ migration }: { readonly migration: MigrationView }): ReactNode {
  const { session } = useApi();
  const { id, capability, from, to, madeAt, stageAt, isSigned, bounds, trials, breaks } = migration;
  return (
    <article className={`card padded ${css["card"]}`} aria-labelledby={`migration-${id}`}>
      <header>
        <h3 id={`migration-${id}`}>{plainName(capability)}</h3>
        <Stages stage={migration.stage} />
      </header>
      <p className={css["models"]}>
        <code>{from}</code> → <code>{to}</code>
      </p>
      <p className={css["stage-line"]}>
        <Stands {...stageWords(migration)} />{" "}
        <span className="meta">
          since <Time at={stageAt} isExact={false} />, planned <Time at={madeAt} isExact={false} />
          {isSigned ? ", a person's signature that it decides is kept" : ""}
        </span>
      </p>
      <p className="meta">
        Rolled back by itself at the first break of a contract, or after {bounds.leastTrials} trials with more than{" "}
        {plainPercent(bounds.mostFailedPpm / onePpm)} failed or {plainPercent(bounds.mostDisagreePpm / 1_000_000)} disagreed.
      </p>
      {trials.length === 0 ? <p className="detail">No trial yet.</p> : <TrialTable trials={trials} bounds={bounds} />}
      {breaks.length === 0 ? null : <Breaks breaks={breaks} />}
      <NextSteps steps={stepsForMigration(migration, session.tenant)} />
    </article>
  );
}

const course = ["planned", "shadow", "canary_share", "retired"] as const;

function Stages({ stage }: Pick<MigrationView, "stage">): ReactNode {
  const shown = stage === "rolled_back" ? (["rolled_back"] as const) : course;
  return (
    <ol className={css["stages"]} aria-label="Stages">
      {shown.map((one) => (
        <li key={one} aria-current={one === stage ? "step" : undefined}>
          {stageName(one)}
        </li>
      ))}
    </ol>
  );
}

function Breaks({ breaks }: Pick<MigrationView, "breaks">): ReactNode {
  return (
    <>
      <h4 className={css["part"]}>What contracts broke by</h4>
      <ul className={css["breaks"]}>
        {breaks.map(({ kind, path, trials }) => (
          <li key={`${kind} ${path}`}>
            <MarkOf name="warning" tone="wait" /> {breakWords(kind)} <code>{path === "" ? "the whole reply" : path}</code>{" "}
            <span className="meta">in {trials} trials</span>
          </li>
        ))}
      </ul>
    </>
  );
}
