import type { ReactNode } from "react";
import type { MigrationView, ModelView } from "../../../../src/contract/model-view.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { Time } from "../../parts/time.tsx";
import { Stands } from "./model-table.tsx";
import { daysWords, pinWords, standingOf, wordsOfUse } from "./model-words.ts";
import css from "./models.module.css";
import { stepsForModel } from "./next-steps.ts";
import { NextSteps } from "./next-steps-list.tsx";

/** One model: where it is named, when it ends, who says so, and what to do next. */
export function ModelCard({
  model,
  migrations,
  onClose,
}: {
  readonly model: ModelView;
  readonly migrations: readonly MigrationView[];
  readonly onClose: () => void;
}): ReactNode {
  const { session } = useApi();
  const { daysLeft, shutdownOn } = model;
  return (
    <section className={`card padded ${css["card"]}`} aria-labelledby="model-title">
      <header>
        <h3 id="model-title">{model.model}</h3>
        <Button isSmall keyName="esc" onClick={onClose}>
          Close
        </Button>
      </header>
      <dl>
        <Row name="Stands">
          <Stands {...standingOf(model)} />
        </Row>
        <Row name="Id">{pinWords(model.isPinned)}</Row>
        <Row name="Ends">{shutdownOn === null ? "Nobody says" : `${shutdownOn}, ${daysWords(daysLeft)}`}</Row>
        {model.lastTrainingOn === null ? null : <Row name="Last training">{model.lastTrainingOn}</Row>}
        <Row name="Said by">
          {model.source ?? "nobody"}
          {model.checkedAt === null ? (
            ", never looked up"
          ) : (
            <>
              , looked up <Time at={model.checkedAt} isExact={false} />
            </>
          )}
        </Row>
        <Row name="Named in">
          <ul>
            {model.uses.map((use) => (
              <li key={`${use.of} ${use.role}`}>{wordsOfUse(use)}</li>
            ))}
          </ul>
          {model.uses.length === 0 ? "No definition; decisions or stored requests name it" : null}
        </Row>
        <Row name="Owners">{model.owners.length === 0 ? "none named" : model.owners.join(", ")}</Row>
      </dl>
      <NextSteps steps={stepsForModel(model, { migrations, tenant: session.tenant })} />
    </section>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
