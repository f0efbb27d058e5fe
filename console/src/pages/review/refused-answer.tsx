import type { ReactNode } from "react";
import { CountersignError, isCountersignError } from "../../../../src/contract/errors.ts";
import { Banner } from "../../parts/banner.tsx";
import { errorWords } from "../../words/errors.ts";
import css from "./bar.module.css";
import type { Answer } from "./use-answers.ts";

/** What an answer was refused for: what happened, what is safe, what to do. It stands at the bar, where the answer was given. */
export function RefusedAnswer({
  error,
  answer,
}: {
  readonly error: Error | null;
  readonly answer: Answer["kind"] | null;
}): ReactNode {
  if (error === null) return null;
  const { title, detail, small } = wordsOf(error, answer);
  return (
    <div className={css["refusal"]}>
      <Banner tone="stop" title={title}>
        {detail} <span className="meta">{small}</span>
      </Banner>
    </div>
  );
}

function wordsOf(error: Error, answer: Answer["kind"] | null): ReturnType<typeof errorWords> {
  // What is wrong with an edit only the desk can say.
  if (answer !== "edit" || !isCountersignError(error, "input_invalid")) return errorWords(error, "Your answer");
  const said = error instanceof CountersignError ? error.message : "";
  return {
    title: "Your edit was not accepted.",
    detail: `${said[0]?.toUpperCase() ?? ""}${said.slice(1)}. The proposal waits on as it was; what you typed is still here.`,
    small: "input_invalid",
  };
}
