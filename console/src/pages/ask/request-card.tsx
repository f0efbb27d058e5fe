import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { Expiry } from "../../parts/expiry.tsx";
import { StateLine } from "../../parts/state-line.tsx";
import { Time } from "../../parts/time.tsx";
import { plainName } from "../../words/plain.ts";
import { stateLine } from "../../words/states.ts";
import { stoppedWords } from "../../words/steps.ts";
import css from "./ask.module.css";
import { ClaimList } from "./claim-list.tsx";
import { StepRow } from "./step-row.tsx";

/** One request of a person: what was asked, and where it stands now. */
export function RequestCard({
  view,
  openSource,
  onSource,
  onAgain,
}: {
  readonly view: DecisionView;
  readonly openSource: number | null;
  readonly onSource: (number: number) => void;
  /** Puts these words into the field again. */
  readonly onAgain: (text: string) => void;
}): ReactNode {
  const { id, request, capability, capabilityVersion, isScripted, stop } = view;
  const title = request ?? view.summary ?? plainName(capability);
  return (
    <article className={css["request"]} data-request={id} aria-labelledby={`asked-${id}`}>
      <header>
        <h2 id={`asked-${id}`}>{title}</h2>
        <span className="meta">
          <Time at={view.at} isExact={false} />
        </span>
      </header>
      <div className="card">
        <Body view={view} isNamed={title !== view.summary} openSource={openSource} onSource={onSource} />
        <footer className={css["foot"]}>
          <span className="meta">
            {capability} v{capabilityVersion}
            {isScripted ? ", scripted replies, no model" : ""}
            {stop === null ? "" : `, stopped: ${stop.reason}`}
          </span>
          <span className={css["foot-links"]}>
            {request === null ? null : (
              <button type="button" className="link" onClick={() => onAgain(request)}>
                Use these words again
              </button>
            )}
            <Link to="/decisions/$id" params={{ id }}>
              How it was decided<span className="hidden">: {title}</span>
            </Link>
          </span>
        </footer>
      </div>
    </article>
  );
}

function Body({
  view,
  isNamed,
  openSource,
  onSource,
}: {
  readonly view: DecisionView;
  readonly isNamed: boolean;
  readonly openSource: number | null;
  readonly onSource: (number: number) => void;
}): ReactNode {
  const named = isNamed && view.summary !== null ? <h3>{view.summary}</h3> : null;
  const claims = view.claims.length === 0 ? null : <ClaimList view={view} open={openSource} onOpen={onSource} />;
  if (view.state === "answered" && claims !== null) return claims;
  if (view.effects.length > 0 && view.route !== "reject") return <Proposed view={view} named={named} claims={claims} />;
  return (
    <>
      <div className="padded">
        {claims === null ? null : named}
        <StateLine line={stateLine(view)} size="statement" />
      </div>
      {view.state === "not_in_sources" ? claims : null}
    </>
  );
}

function Proposed({
  view,
  named,
  claims,
}: {
  readonly view: DecisionView;
  readonly named: ReactNode;
  readonly claims: ReactNode;
}): ReactNode {
  const stopped = stoppedWords(view.effects);
  return (
    <>
      <div className="padded">
        {named}
        <StateLine line={stateLine(view)} size="statement" />
        {view.expiresAt === null ? null : (
          <p className={css["until"]}>
            <Expiry at={view.expiresAt} />
          </p>
        )}
        {stopped === null ? null : <p className="meta">{stopped}</p>}
      </div>
      <StepRow view={view} />
      {claims}
    </>
  );
}
