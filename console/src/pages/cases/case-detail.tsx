import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { CaseMoveView, CaseView } from "../../../../src/contract/case-view.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { type Mark, MarkOf, type Tone } from "../../parts/mark.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { useNow } from "../../parts/now.tsx";
import { StateLine } from "../../parts/state-line.tsx";
import { Time } from "../../parts/time.tsx";
import { asObject } from "../../words/changes.ts";
import { plainName, plainValue } from "../../words/plain.ts";
import { caseStanding, moveWords, waitsWords } from "./case-words.ts";
import css from "./cases.module.css";
import { TellForm } from "./tell-form.tsx";

/** One case: how far it is, what it waits for, how it came there, and what may be told to it. */
export function CaseDetail({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({ queryKey: ["cases", "one", id], queryFn: () => client.case(id) });
  return (
    <>
      <div className={css["bar"]}>
        <h2>{data === undefined ? "Case" : plainName(data.case)}</h2>
        <Button isSmall keyName="esc" onClick={onClose}>
          Close
        </Button>
      </div>
      {data === undefined && error === null ? <LoadingRows what="the case" rows={4} height={72} /> : null}
      {data === undefined && error !== null ? <ErrorState error={error} what="The case" again={() => void refetch()} /> : null}
      {data === undefined ? null : <Told view={data} />}
    </>
  );
}

function Told({ view }: { readonly view: CaseView }): ReactNode {
  const { nameOf } = useApi();
  const { waitsFor, deadlineAt, parentId, startedBy, onBehalfOf } = view;
  const behalf = onBehalfOf === null ? "" : ` for ${nameOf(onBehalfOf)}`;
  return (
    <div className={css["body"]}>
      <p className="meta">
        {view.case} v{view.version}, key {view.key}, started by {nameOf(startedBy)}
        {behalf} <Time at={view.startedAt} isExact={false} />, owner {view.owner}
      </p>
      <StateLine line={caseStanding(view)} size="statement" />
      {waitsFor === null ? null : <Waiting view={view} waits={waitsFor} />}
      {deadlineAt === null || view.state === "ended" ? null : (
        <p className={css["small"]}>
          Its owner is called <Time at={deadlineAt} isExact={false} />, unless it has ended by then.
        </p>
      )}
      {parentId === null ? null : (
        <p className={css["small"]}>
          Part of{" "}
          <Link to="/cases/$id" params={{ id: parentId }}>
            another case
          </Link>
        </p>
      )}
      <Parts parts={view.parts} />
      <History moves={view.moves} />
      <Held view={view} />
    </div>
  );
}

function Waiting({ view, waits }: { readonly view: CaseView; readonly waits: NonNullable<CaseView["waitsFor"]> }): ReactNode {
  const now = useNow("minute");
  return (
    <div className={`card ${css["waits"]}`}>
      <p>
        {waitsWords(waits, now)}{" "}
        {waits.kind !== "decision" || waits.decisionId === null ? null : (
          <Link to="/decisions/$id" params={{ id: waits.decisionId }}>
            Where that decision stands
          </Link>
        )}
      </p>
      {waits.kind === "event" && waits.events.length > 0 ? <TellForm key={view.step} view={view} events={waits.events} /> : null}
      {waits.kind === "person" ? (
        <p className="meta">An operator has its step begun again: countersign case retry {view.id}</p>
      ) : null}
    </div>
  );
}

const moveMarks: Readonly<Record<CaseMoveView["kind"], { readonly mark: Mark; readonly tone: Tone }>> = {
  entered: { mark: "dash", tone: "quiet" },
  escalated: { mark: "warning", tone: "stop" },
  migrated: { mark: "back", tone: "quiet" },
  resumed: { mark: "signed", tone: "person" },
};

function History({ moves }: Pick<CaseView, "moves">): ReactNode {
  if (moves.length === 0)
    return <p className={css["small"]}>It has not begun its first step yet; a worker does within a moment.</p>;
  return (
    <section aria-labelledby="case-steps">
      <h3 id="case-steps">Its steps so far</h3>
      <ol className={`card ${css["moves"]}`}>
        {moves.map((move) => (
          <li key={move.place}>
            <span className="meta">
              <Time at={move.at} />
            </span>
            <MarkOf name={moveMarks[move.kind].mark} tone={moveMarks[move.kind].tone} />
            <div>
              <strong>{plainName(move.step)}</strong> {moveWords(move)}{" "}
              {move.decisionId === null ? null : (
                <Link to="/decisions/$id" params={{ id: move.decisionId }}>
                  The decision<span className="hidden"> of {plainName(move.from ?? move.step)}</span>
                </Link>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Parts({ parts }: Pick<CaseView, "parts">): ReactNode {
  if (parts.length === 0) return null;
  return (
    <section aria-labelledby="case-parts">
      <h3 id="case-parts">Its parts</h3>
      <ul className={`card ${css["parts"]}`}>
        {parts.map(({ id, name, case: of, state }) => (
          <li key={id}>
            <Link to="/cases/$id" params={{ id }}>
              {plainName(name)}
            </Link>{" "}
            <span className="meta">
              {plainName(of)}, {state}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Held({ view: { data } }: { readonly view: CaseView }): ReactNode {
  const fields = Object.entries(asObject(data));
  return (
    <section aria-labelledby="case-data">
      <h3 id="case-data">What it holds</h3>
      {data === null ? (
        <p className={css["small"]}>That is not open to you, or cannot be read.</p>
      ) : (
        <dl className={`card ${css["data"]}`}>
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{plainName(name)}</dt>
              <dd>{plainValue(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
