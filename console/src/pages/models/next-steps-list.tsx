import type { ReactNode } from "react";
import { CopyButton } from "../../parts/copy-button.tsx";
import css from "./models.module.css";
import type { NextStep } from "./next-steps.ts";

/** What to do next, as commands to copy: nothing of it is done from here. */
export function NextSteps({ steps }: { readonly steps: readonly NextStep[] }): ReactNode {
  if (steps.length === 0) return null;
  return (
    <div>
      <h4 className={css["part"]}>What to do next</h4>
      <ol className={css["steps"]}>
        {steps.map(({ why, command }) => (
          <li key={command}>
            <p>{why}</p>
            <p className={css["command"]}>
              <code>{command}</code> <CopyButton text={command}>Copy</CopyButton>
            </p>
          </li>
        ))}
      </ol>
    </div>
  );
}
