import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Explanation } from "../../../../src/contract/explanation.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { Expiry } from "../../parts/expiry.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { RouteChip } from "../../parts/route-chip.tsx";
import { StateLine } from "../../parts/state-line.tsx";
import { Time } from "../../parts/time.tsx";
import { plainName } from "../../words/plain.ts";
import { ruleWords, stateLine } from "../../words/states.ts";
import { stoppedWords } from "../../words/steps.ts";
import css from "./decision.module.css";

/** What a decision is called: what it proposes; where nothing was proposed, what was asked. */
export function sentenceOf({ summary, request, capability }: DecisionView): string {
  return summary ?? request ?? plainName(capability);
}

/** The head of a decision: who asked for what, how it was routed, what was seen, and where it stands. */
export function DecisionHead({
  told,
  onReplay,
  onStory,
}: {
  readonly told: Explanation;
  readonly onReplay: () => void;
  readonly onStory: () => void;
}): ReactNode {
  const { nameOf } = useApi();
  const { decision: view, asked } = told;
  const behalf = asked.onBehalfOf === null ? "" : ` for ${nameOf(asked.onBehalfOf)}`;
  return (
    <header className={css["head"]}>
      <div>
        <p className={css["meta-line"]}>
          <Link to="/decisions">Decisions</Link>
          <code>{view.id}</code>
          <span>
            {view.capability} v{view.capabilityVersion}
          </span>
          <Time at={view.at} />
          <span>
            asked by {nameOf(asked.by)}
            {behalf}
          </span>
          <span>{modelWords(view, nameOf)}</span>
        </p>
        <h1>{sentenceOf(view)}</h1>
        {view.request === null || view.request === sentenceOf(view) ? null : <p className={css["request"]}>“{view.request}”</p>}
        <Routed view={view} />
      </div>
      <div className={css["buttons"]}>
        <Button keyName="p" onClick={onReplay}>
          Replay
        </Button>
        <Button keyName="s" onClick={onStory}>
          Tell it as a story
        </Button>
      </div>
    </header>
  );
}

function modelWords({ isScripted, model, editedBy }: DecisionView, nameOf: (id: string) => string): string {
  if (editedBy !== null) return `edited by ${nameOf(editedBy)}`;
  if (isScripted) return "scripted replies, no model";
  return model === "none" ? "no model was asked" : `model ${model}`;
}

function Routed({ view }: { readonly view: DecisionView }): ReactNode {
  const { route, rule, effects } = view;
  const complete = effects.filter(({ state }) => state === "complete").length;
  const isSeen = effects.length > 0 && effects.every(({ verdict }) => verdict === "complete") && complete === effects.length;
  return (
    <>
      <div className={css["routed"]}>
        <RouteChip route={route} isAlone />
        {rule === null ? null : <span title={ruleWords(rule, view.thresholdPpm)}>rule {rule}</span>}
        {isSeen ? (
          <>
            <span>then</span>
            <span className="tag tag-done">
              <MarkOf name="complete" tone="done" /> {complete} of {effects.length} {effects.length === 1 ? "effect" : "effects"}{" "}
              complete
            </span>
            <span>seen by independent reads</span>
          </>
        ) : null}
      </div>
      {isSeen ? null : <Standing view={view} />}
    </>
  );
}

/** Where it stands, until every effect was seen complete. */
function Standing({ view }: { readonly view: DecisionView }): ReactNode {
  const stopped = stoppedWords(view.effects);
  const left = view.effects.find(({ resolvable, operationId }) => resolvable.length > 0 && operationId !== null);
  return (
    <div className={css["standing"]}>
      <StateLine line={stateLine(view)} size="statement" />
      {view.expiresAt === null ? null : <Expiry at={view.expiresAt} />}
      {stopped === null ? null : <p className="meta">{stopped}</p>}
      {left === undefined ? null : (
        <Link to="/operations" search={{ item: left.operationId ?? undefined } as never}>
          Say what became of it
        </Link>
      )}
    </div>
  );
}
