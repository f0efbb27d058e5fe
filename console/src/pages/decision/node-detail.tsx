import type { ReactNode } from "react";
import type { CheckView } from "../../../../src/contract/review-evidence.ts";
import { MarkOf } from "../../parts/mark.tsx";
import { plainName } from "../../words/plain.ts";
import css from "./decision.module.css";
import { nodeRows } from "./node-rows.ts";
import { bodiesOf, type NodeCell, type NodesOf } from "./nodes.ts";
import { type Try, triesOf } from "./tries.ts";

/** What one node added: its facts, its checks, and each request to a model with time, tokens and what did not fit. */
export function NodeDetail({ node, of }: { readonly node: NodeCell; readonly of: NodesOf }): ReactNode {
  const { told, evidence } = of;
  const rows = nodeRows(node.name, of);
  const tries = triesOf(bodiesOf(told), node.name);
  const checks = node.name === "verification" ? (evidence?.checks ?? []) : [];
  const isBare = rows.length === 0 && checks.length === 0 && (tries ?? []).length === 0;
  return (
    <section id="node-detail" aria-labelledby="node-title">
      <div className={css["heading"]}>
        <h2 id="node-title">
          {node.number} {node.name}
        </h2>
        <span className="meta">what it added</span>
      </div>
      <div className="card">
        {rows.length === 0 ? null : <Rows rows={rows} />}
        {checks.length === 0 ? null : <Checks checks={checks} />}
        {tries === null || tries.length === 0 ? null : <Tries tries={tries} usual={told.decision.model} />}
        {node.name === "llm_decision" && tries === null && told.spent.sends > 0 ? (
          <p className={css["aside"]}>What the model was asked and said is told to auditors.</p>
        ) : null}
        {isBare ? <p className={css["aside"]}>{bareWords(node, told.decision.stop?.detail ?? "")}</p> : null}
      </div>
    </section>
  );
}

function bareWords({ end }: NodeCell, detail: string): string {
  if (end === "not_reached") return "It was not reached: the decision had ended before.";
  if (end === "added") return "Nothing of it is kept by itself.";
  return `The decision ended here${detail === "" ? "." : `: ${detail}`}`;
}

/** Names with what was recorded under them. */
export function Rows({ rows }: { readonly rows: ReturnType<typeof nodeRows> }): ReactNode {
  return (
    <dl className={css["rows"]}>
      {rows.map(({ name, words, isCode }) => (
        <div key={`${name} ${words}`}>
          <dt>{name}</dt>
          <dd>{isCode === true ? <code>{words}</code> : words}</dd>
        </div>
      ))}
    </dl>
  );
}

function Checks({ checks }: { readonly checks: readonly CheckView[] }): ReactNode {
  return (
    <ul className={css["tries"]}>
      {checks.map(({ name, passed, hard, evidence }) => (
        <li key={name}>
          {passed ? <MarkOf name="tick" tone="quiet" /> : <MarkOf name="cross" tone="wait" />}
          <p>
            <strong>{plainName(name)}</strong> {passed ? "passed" : "did not fit"}
            {hard ? "" : ", may fail"}: {evidence}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Tries({ tries, usual }: { readonly tries: readonly Try[]; readonly usual: string }): ReactNode {
  return (
    <ul className={css["tries"]}>
      {tries.map(({ key, title, isFit, problem, cost, model, reply }) => (
        <li key={key}>
          {isFit ? <MarkOf name="tick" tone="quiet" /> : <MarkOf name="cross" tone="wait" />}
          <div>
            <p>
              <strong>{title}</strong> {isFit ? "fits." : `${problem}.`}
            </p>
            <p className="meta">
              {cost}
              {model === usual ? null : (
                <>
                  , <code>{model}</code>
                </>
              )}
            </p>
            {reply === "" ? null : (
              <details>
                <summary>What it said</summary>
                <pre className={css["reply"]}>{pretty(reply)}</pre>
              </details>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What a model said is shown as text; JSON is laid out, and everything else stays as it came. */
function pretty(reply: string): string {
  try {
    return JSON.stringify(JSON.parse(reply), null, 2);
  } catch {
    return reply;
  }
}
