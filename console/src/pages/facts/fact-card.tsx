import type { ReactNode } from "react";
import type { Fact } from "../../../../src/contract/fact.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Time } from "../../parts/time.tsx";
import { plainName } from "../../words/plain.ts";
import { labelWords, windowWords } from "./fact-words.ts";
import css from "./facts.module.css";

/** One fact with where it comes from, when it was learnt and the way that leads to it. */
export function FactCard({
  fact,
  facts,
  onClose,
  onAsk,
}: {
  readonly fact: Fact;
  readonly facts: readonly Fact[];
  readonly onClose: () => void;
  readonly onAsk: (subject: string) => void;
}): ReactNode {
  return (
    <section className={`card padded ${css["fact"]}`} aria-labelledby="fact-title">
      <header>
        <h2 id="fact-title">
          {fact.subject}, {plainName(fact.predicate).toLowerCase()}: {fact.object}
        </h2>
        <Button isSmall keyName="esc" onClick={onClose}>
          Close
        </Button>
      </header>
      <dl>
        <Row name="True">
          {windowWords(fact)}, days of {fact.zone}
        </Row>
        <Row name="Source">
          {fact.sourceTitle} <span className="meta">{fact.source}</span>, {labelWords(fact)}
        </Row>
        <Row name="Learnt here">
          <Time at={fact.learntAt} />
          <span className="meta"> mapping {fact.mappingVersion}</span>
        </Row>
        {fact.path.length < 2 ? null : <Row name="The way to it">{wayTo(fact, facts)}</Row>}
        <Row name="Id">
          <code>{fact.id}</code> <CopyButton text={fact.id}>Copy</CopyButton>
        </Row>
      </dl>
      <p>
        <Button isSmall onClick={() => onAsk(fact.object)}>
          Ask about {fact.object}
        </Button>
      </p>
    </section>
  );
}

/** The facts along the path; one that was not brought is named by its id. */
function wayTo({ path }: Fact, facts: readonly Fact[]): string {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  return path
    .map((id) => {
      const step = byId.get(id);
      return step === undefined ? id : `${step.subject}, ${plainName(step.predicate).toLowerCase()}: ${step.object}`;
    })
    .join(" → ");
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
