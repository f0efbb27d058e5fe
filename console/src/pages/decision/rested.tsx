import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Explanation, RelatedDecision } from "../../../../src/contract/explanation.ts";
import { counted, plainMoney } from "../../words/plain.ts";
import css from "./decision.module.css";
import { Rows } from "./node-detail.tsx";
import { factsOf } from "./nodes.ts";

/** What was in force when it was decided, what it was decided on, and what it cost. */
export function Rested({ told }: { readonly told: Explanation }): ReactNode {
  const { versions, evidence, spent } = told;
  const items = evidence.items === null ? "" : `${counted(evidence.items.length, "source")}, `;
  const rows = [
    { name: "Context", words: evidence.contextDigest === null ? "" : `${items}digest ${short(evidence.contextDigest)}` },
    { name: "Policy", words: versions.policy ?? "" },
    { name: "Calibration", words: versions.calibration === "none" ? "" : (versions.calibration ?? "") },
    { name: "Tools", words: versions.tools ?? "" },
    { name: "Index", words: versions.index ?? "" },
    { name: "Proposal", words: evidence.proposalDigest === null ? "" : `digest ${short(evidence.proposalDigest)}` },
    { name: "Inputs", words: inputsWords(told) },
    { name: "Cost", words: costWords(spent) },
  ].filter(({ words }) => words !== "");
  return (
    <section aria-labelledby="rested">
      <h2 id="rested">What it rested on</h2>
      <div className="card">
        <Rows rows={rows} />
      </div>
    </section>
  );
}

function costWords({ sends, inputTokens, outputTokens, costMicros }: Explanation["spent"]): string {
  if (sends === 0) return "no model was asked";
  return `${plainMoney(costMicros)}, ${counted(sends, "request")}, ${counted(inputTokens, "token")} in, ${counted(outputTokens, "token")} out`;
}

function inputsWords(told: Explanation): string {
  const { erased, unreadable } = factsOf(told);
  if (erased === true) return "erased; the ledger stays valid";
  if (unreadable === true) return "kept, and cannot be read";
  return told.decision.request === null ? "not kept, or not told to you" : "kept";
}

function short(digest: string): string {
  return `${digest.slice(0, 4)}…${digest.slice(-4)}`;
}

const hows: Readonly<Record<RelatedDecision["how"], string>> = {
  follows: "Follows",
  supersedes: "Stands in the place of",
  followed_by: "Followed by",
  superseded_by: "Edited: its place has",
  undone_by: "Undone by",
};

/** Decisions that this one came from, or that came from it. */
export function Related({ related }: Pick<Explanation, "related">): ReactNode {
  if (related.length === 0) return null;
  return (
    <section aria-labelledby="related">
      <h2 id="related">Other decisions</h2>
      <ul className={`card ${css["related"]}`}>
        {related.map(({ how, decisionId }) => (
          <li key={`${how} ${decisionId}`}>
            {hows[how]}{" "}
            <Link to="/decisions/$id" params={{ id: decisionId }}>
              <code>{decisionId}</code>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
