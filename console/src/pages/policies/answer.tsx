import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { PolicyAnswer, PolicyQuestion } from "../../../../src/contract/policy-view.ts";
import { MarkOf } from "../../parts/mark.tsx";
import { counted } from "../../words/plain.ts";
import css from "./policies.module.css";
import { Does, type Policy } from "./policy-table.tsx";

/** What the policies say, and which of them. */
export function Answer({ answer, question }: { readonly answer: PolicyAnswer; readonly question: PolicyQuestion }): ReactNode {
  const { ruling, deciding, missing, version } = answer;
  const isYes = ruling.kind === "permitted";
  return (
    <section className={css["answer"]} aria-labelledby="answer-title" aria-live="polite">
      <h2 id="answer-title" className={css["ruling"]}>
        <MarkOf name={isYes ? "tick" : "cross"} tone={isYes ? "done" : "quiet"} /> {isYes ? "Permitted" : "Refused"}
      </h2>
      <p className="detail">
        <code>{question.principal.id}</code> with {rolesOf(question)}, <code>{question.action}</code>, by the rule{" "}
        <code>{ruling.rule}</code>
        {ruling.kind === "refused" ? `: ${ruling.reason}` : ""}. <span className="meta">Policies {version}.</span>
      </p>
      <Texts title={deciding.length === 0 ? "No policy decided it" : "What decided it"} policies={deciding} />
      {missing.length === 0 ? null : <Texts title="What would permit it, and did not apply" policies={missing} />}
    </section>
  );
}

function rolesOf({ principal: { roles } }: PolicyQuestion): string {
  return roles.length === 0 ? "no role" : `${counted(roles.length, "role")} (${roles.join(", ")})`;
}

function Texts({ title, policies }: { readonly title: string; readonly policies: readonly Policy[] }): ReactNode {
  return (
    <>
      <h3 className={css["texts"]}>{title}</h3>
      <ul>
        {policies.map(({ id, file, line, effect, text }) => (
          <li key={id} className={`card ${css["policy"]}`}>
            <p>
              <Does effect={effect} /> <code>{id}</code>{" "}
              <Link to="/policies" search={{ view: "files", file, policy: id } as never}>
                {file}, line {line}
              </Link>
            </p>
            <pre>{text}</pre>
          </li>
        ))}
      </ul>
    </>
  );
}
