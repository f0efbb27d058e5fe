import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { OperationView } from "../../../../src/contract/operation-view.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { useNow } from "../../parts/now.tsx";
import { Time } from "../../parts/time.tsx";
import { triedOf } from "./course.ts";
import { NowBanner } from "./now-banner.tsx";
import { operationLines, operationTitle } from "./operation-words.ts";
import css from "./operations.module.css";
import { questionsOf } from "./questions.ts";
import { ResolveBar, type ResolveStep } from "./resolve-bar.tsx";
import { StateTable } from "./state-table.tsx";

/** One operation beside the list: what it is now, what is known of it, what was tried, and what a person may do. */
export function OperationDetail({
  id,
  step,
  onStep,
  onClose,
}: {
  readonly id: string;
  readonly step: ResolveStep | null;
  readonly onStep: (step: ResolveStep | null) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({ queryKey: ["operations", "one", id], queryFn: () => client.operation(id) });
  if (data === undefined) {
    return (
      <>
        <div className={css["body"]}>
          {error === null ? (
            <LoadingRows what="the operation" rows={8} height={34} />
          ) : (
            <ErrorState error={error} what="The operation" again={() => void refetch()} />
          )}
        </div>
        <div className={css["bar"]}>
          <Button keyName="esc" onClick={onClose}>
            Back to the list
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <div className={css["body"]}>
        <Head operation={data} onClose={onClose} />
        <NowBanner operation={data} />
        <Questions operation={data} />
        <StateTable operation={data} />
        <Tried operation={data} />
      </div>
      <ResolveBar key={id} operation={data} step={step} onStep={onStep} onClose={onClose} />
    </>
  );
}

function Head({ operation, onClose }: { readonly operation: OperationView; readonly onClose: () => void }): ReactNode {
  const { key, attempts, fence, generation, decisionId, state, since, verdict } = operation;
  const { mark, tone, words, detail } = operationLines[state];
  return (
    <header className={css["head"]}>
      <p className={css["head-line"]}>
        <span>
          <code>{key}</code>{" "}
          <span className="meta">
            {attempts === 0 ? "not sent" : `try ${attempts}`}, fence {fence}
            {generation > 1 ? `, opened ${generation} times` : ""}
          </span>
        </span>
        <span className={css["ways"]}>
          <Link to="/decisions/$id" params={{ id: decisionId }}>
            Decision
          </Link>
          <button type="button" className="link" onClick={onClose}>
            Close
          </button>
        </span>
      </p>
      <h2 className={css["title"]}>{operationTitle(operation)}</h2>
      <p className={css["stands"]}>
        <span className={`tag tag-${tone}`}>
          <MarkOf name={mark} tone={tone} /> {words}
        </span>{" "}
        <span className="detail">
          since <Time at={since} />. {detail}
          {state === "escalated" && verdict !== null ? ` The last read: ${verdict}.` : ""}
        </span>
      </p>
    </header>
  );
}

function Questions({ operation }: { readonly operation: OperationView }): ReactNode {
  const { nameOf } = useApi();
  const now = useNow("minute");
  return (
    <section aria-labelledby="questions-title">
      <h3 id="questions-title" className="hidden">
        What is known of it
      </h3>
      <dl className={css["questions"]}>
        {questionsOf(operation, { now, nameOf }).map(({ question, mark, tone, answer }) => (
          <div key={question}>
            <dt>
              <MarkOf name={mark} tone={tone} /> {question}
            </dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Tried({ operation: { course } }: { readonly operation: OperationView }): ReactNode {
  const { nameOf } = useApi();
  const tried = course === null ? [] : triedOf(course, nameOf);
  return (
    <section className={css["section"]} aria-labelledby="tried-title">
      <h3 id="tried-title">Tried so far</h3>
      {tried.length === 0 ? (
        <p className="detail">{course === null ? "What was tried is not told to you." : "Nothing was sent yet."}</p>
      ) : (
        <ol className={css["tried"]}>
          {tried.map(({ key, at, words }) => (
            <li key={key}>
              <Time at={at} /> <span>{words}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
