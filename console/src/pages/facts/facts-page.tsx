import { type ReactNode, useRef, useState } from "react";
import { useNow } from "../../parts/now.tsx";
import { Opened } from "../../parts/opened.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { minuteText } from "../../words/instants.ts";
import css from "./facts.module.css";
import { FoundFacts } from "./found-facts.tsx";
import { questionOf, typedOf } from "./question.ts";
import { QuestionForm } from "./question-form.tsx";

/** What was true of a subject at a time, as it was known then or is known now. */
export function FactsPage(): ReactNode {
  return (
    <Opened to="operations" title="Facts">
      <Board />
    </Opened>
  );
}

function Board(): ReactNode {
  const { search } = useAddress();
  const field = useRef<HTMLInputElement>(null);
  const now = useNow("minute");
  // The form offers the time at which the page was opened; the address holds whatever is asked.
  const [usualAt] = useState(() => minuteText(now));
  const typed = typedOf(search, usualAt);
  const { asked } = questionOf(typed, now + 60_000);
  useKeys({ "/": () => field.current?.focus() });
  return (
    <div className="page">
      <PageHeading title="Facts" aside="what was true of a subject, and when" />
      <QuestionForm asked={typed} field={field} />
      {asked === null ? null : <FoundFacts asked={asked} />}
      {typed.subject === "" ? (
        <p className={`detail ${css["lead"]}`}>
          What was true then stands here, with its window, its source and where sources contradict each other. What you may not
          see is in no answer.
        </p>
      ) : null}
    </div>
  );
}
