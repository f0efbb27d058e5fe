import type { ReactNode } from "react";
import { MarkOf } from "../../parts/mark.tsx";
import css from "./evals.module.css";

/** What the gate said of a run, as a mark and a word. */
export function GateMark({ passed }: { readonly passed: boolean | null }): ReactNode {
  const mark = passed === null ? "dash" : passed ? "tick" : "cross";
  const tone = passed === null ? "quiet" : passed ? "done" : "stop";
  return (
    <span className={css["gate"]}>
      <MarkOf name={mark} tone={tone} /> {passed === null ? "not asked" : passed ? "passed" : "not passed"}
    </span>
  );
}
