import type { ReactNode } from "react";
import { CopyButton } from "../../parts/copy-button.tsx";
import css from "./evals.module.css";

const commands = [
  { does: "Play the cases of the project, and hold them against its gate", line: "countersign eval run --project my-project" },
  { does: "Go on with a run that was killed", line: "countersign eval run --resume" },
  { does: "Pin a run, to compare later ones with it", line: "countersign eval run --pin evals-baseline.json" },
  { does: "Compare with the pinned run", line: "countersign eval run --baseline evals-baseline.json" },
  { does: "Write a report to read and one for a build", line: "countersign eval run --report eval.html eval.xml" },
  { does: "List the runs that are kept", line: "countersign eval history" },
] as const;

/** How runs are made: the console shows them, and plays none. */
export function EvalCommands(): ReactNode {
  return (
    <section className={css["section"]} aria-labelledby="commands-title">
      <h2 id="commands-title">How to run them</h2>
      <p className="meta">
        Cases are played in a scratch installation beside this one, never in it. This page only shows what came of it.
      </p>
      <ul className="card">
        {commands.map(({ does, line }) => (
          <li key={line} className={css["how"]}>
            <span>{does}</span>
            <span className={css["command"]}>
              <code>{line}</code> <CopyButton text={line}>Copy</CopyButton>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
