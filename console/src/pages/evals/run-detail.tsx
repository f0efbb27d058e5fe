import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { EvalRunDetail } from "../../../../src/contract/eval-view.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { TableFrame } from "../../parts/table-frame.tsx";
import { Time } from "../../parts/time.tsx";
import { counted } from "../../words/plain.ts";
import { durationWords } from "../../words/times.ts";
import css from "./evals.module.css";
import { FailingCases } from "./failing-cases.tsx";
import { FigureTable } from "./figure-table.tsx";
import { GateMark } from "./gate-mark.tsx";
import { figureWords } from "./points.ts";

/** One run beside the list: what the gate found first, then the cases that failed, then every figure. */
export function RunDetail({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({ queryKey: ["evals", "one", id], queryFn: () => client.evalRun(id) });
  return (
    <>
      <div className={css["body"]}>
        {data !== undefined ? (
          <Run run={data} onClose={onClose} />
        ) : error === null ? (
          <LoadingRows what="the run" rows={8} height={34} />
        ) : (
          <ErrorState error={error} what="The run" again={() => void refetch()} />
        )}
      </div>
      <div className={css["bar"]}>
        <Button keyName="esc" onClick={onClose}>
          Back to the runs
        </Button>
      </div>
    </>
  );
}

function Run({ run, onClose }: { readonly run: EvalRunDetail; readonly onClose: () => void }): ReactNode {
  return (
    <>
      <Head run={run} onClose={onClose} />
      <Findings run={run} />
      <FailingCases run={run} />
      <FigureTable run={run} />
      <Definitions run={run} />
    </>
  );
}

function Head({ run, onClose }: { readonly run: EvalRunDetail; readonly onClose: () => void }): ReactNode {
  const { id, project, startedAt, endedAt, cases, passedCases, repeats, isSelection, setDigest, gatePassed } = run;
  return (
    <header className={css["head"]}>
      <p className={css["head-line"]}>
        <span className="meta">
          {project}, run <code>{id}</code>
        </span>
        <button type="button" className="link" onClick={onClose}>
          Close
        </button>
      </p>
      <h2 className={css["title"]}>
        {passedCases} of {counted(cases, "case")} passed
      </h2>
      <p className={css["stands"]}>
        <span>Gate:</span> <GateMark passed={gatePassed} />
      </p>
      <p className="meta">
        Began <Time at={startedAt} />, took {durationWords(endedAt - startedAt)}; each case was played {counted(repeats, "time")}
        {isSelection ? "; some cases were left out by choice" : ""}. Cases <code>{setDigest.slice(0, 12)}</code>: runs are
        compared over the same ones.
      </p>
    </header>
  );
}

function Findings({ run: { findings, gatePassed } }: { readonly run: EvalRunDetail }): ReactNode {
  if (gatePassed === null) return null;
  return (
    <section className={css["section"]} aria-labelledby="findings-title">
      <h3 id="findings-title">What the gate did not let pass</h3>
      {findings.length === 0 ? (
        <p className="detail">Nothing: every demand was met.</p>
      ) : (
        <ul className="card">
          {findings.map((finding) => (
            <li key={JSON.stringify(finding)} className={css["finding"]}>
              <MarkOf name="warning" tone="wait" />
              <p>
                {ruleWords[finding.rule] ?? finding.rule}
                <Of finding={finding} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Of({ finding: { metric, capability, slice, value, floor } }: { readonly finding: EvalRunDetail["findings"][number] }) {
  const wanted = (of: number) => (metric === null ? String(of) : figureWords(metric, of));
  const figure = value === null ? "" : `: ${wanted(value)}${floor === null ? "" : `, wanted ${wanted(floor)}`}`;
  const of = [capability, slice].filter((part) => part !== null).join(", ");
  return (
    <span className={`detail ${css["about"]}`}>
      {metric === null ? null : <code>{metric}</code>}
      {of === "" ? "" : ` of ${of}`}
      {figure}
    </span>
  );
}

const ruleWords: Readonly<Record<string, string>> = {
  floor: "A figure is below its floor",
  safety: "A safety case did not pass",
  regression: "It is worse than the pinned run",
  regression_cases: "Cases that passed in the pinned run fail",
  not_applicable: "A figure could not be computed",
  empty_set: "There are too few cases",
  missing_case: "A case was not played as often as it had to be",
  faulted_repeat: "A repeat broke, so it says nothing of the capability",
  unknown_metric: "There is no such figure",
  judge_down: "A judge gave no reading",
  judge_not_trusted: "What people labelled does not bear the judge out",
  other_cases: "The pinned run is over other cases",
  other_judge: "The pinned run was read by another judge",
};

function Definitions({ run: { capabilities } }: { readonly run: EvalRunDetail }): ReactNode {
  return (
    <section className={css["section"]} aria-labelledby="definitions-title">
      <h3 id="definitions-title">What was played</h3>
      <TableFrame>
        <table className="rows">
          <caption className="hidden">Capabilities, with their versions, prompts and models</caption>
          <thead>
            <tr>
              {["Capability", "Version", "Prompt", "Model"].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Object.entries(capabilities).map(([name, { version, prompt, model }]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{version}</td>
                <td>{prompt === null ? "none" : <code>{prompt}</code>}</td>
                <td>{model === null ? "none" : <code>{model}</code>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  );
}
