import { type ReactNode, useState } from "react";
import type { EvalRunDetail } from "../../../../src/contract/eval-view.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { TableFrame } from "../../parts/table-frame.tsx";
import { counted } from "../../words/plain.ts";
import css from "./evals.module.css";

const shownAtFirst = 20;

/** The cases that failed, by name, with the figures that failed; and the command that plays them alone. */
export function FailingCases({ run: { failing } }: { readonly run: EvalRunDetail }): ReactNode {
  const [shown, setShown] = useState(shownAtFirst);
  if (failing.length === 0)
    return (
      <section className={css["section"]} aria-labelledby="failing-title">
        <h3 id="failing-title">Failing cases</h3>
        <p className="detail">No case failed.</p>
      </section>
    );
  const again = `countersign eval run --case ${failing
    .slice(0, shownAtFirst)
    .map(({ id }) => id)
    .join(" ")}`;
  return (
    <section className={css["section"]} aria-labelledby="failing-title">
      <h3 id="failing-title">{counted(failing.length, "failing case")}</h3>
      <TableFrame className={css["failing"]}>
        <table className="rows">
          <caption className="hidden">Cases that failed</caption>
          <thead>
            <tr>
              {["Case", "Of", "Label", "Failed"].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {failing.slice(0, shown).map(({ id, capability, slice, label, metrics }) => (
              <tr key={`${capability ?? "intake"} ${id}`}>
                <th scope="row">{id}</th>
                <td>{[capability ?? "intake", slice].filter((part) => part !== null).join(", ")}</td>
                <td>{label}</td>
                <td>{metrics.join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      {failing.length <= shown ? null : (
        <p>
          <Button onClick={() => setShown(shown + 200)}>Show more cases</Button>
        </p>
      )}
      <p className={css["command"]}>
        <code>{again}</code> <CopyButton text={again}>Copy</CopyButton>
      </p>
    </section>
  );
}
