import { useQueryClient } from "@tanstack/react-query";
import type { FormEvent, ReactNode, RefObject } from "react";
import { Button } from "../../parts/button.tsx";
import { Labelled } from "../../parts/labelled.tsx";
import { useNow } from "../../parts/now.tsx";
import { useTyped } from "../../parts/use-typed.ts";
import { useAddress } from "../../shell/use-address.ts";
import { minuteText } from "../../words/instants.ts";
import css from "./facts.module.css";
import { addressOf, questionOf, stepChoices, type TypedQuestion } from "./question.ts";

/** Who or what is asked about, what of it, as of when, and as it was known when. */
export function QuestionForm({
  asked,
  field,
}: {
  readonly asked: TypedQuestion;
  readonly field: RefObject<HTMLInputElement | null>;
}): ReactNode {
  const { set } = useAddress();
  const queries = useQueryClient();
  const now = useNow("minute");
  const [typed, change] = useTyped(asked);
  // The clock of the page is told once a minute, and the minute that is running may be asked for.
  const { why } = questionOf(typed, now + 60_000);
  const ask = (event: FormEvent) => {
    event.preventDefault();
    if (why !== null) return;
    set(addressOf(typed));
    void queries.invalidateQueries({ queryKey: ["facts"] });
  };
  return (
    <form className={`card padded ${css["question"]}`} onSubmit={ask}>
      <Labelled label="Subject" aside="an id, such as employee:emp-104" className={css["wide"]}>
        {(id) => (
          <input
            id={id}
            ref={field}
            required
            className="field"
            maxLength={200}
            spellCheck={false}
            aria-keyshortcuts="/"
            value={typed.subject}
            onChange={(event) => change({ subject: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="Predicates" aside="with commas; all where left out" className={css["wide"]}>
        {(id) => (
          <input
            id={id}
            className="field"
            maxLength={2000}
            placeholder="team, it_lead"
            spellCheck={false}
            value={typed.predicates}
            onChange={(event) => change({ predicates: event.target.value })}
          />
        )}
      </Labelled>
      <Times typed={typed} change={change} now={now} />
      <p className={css["buttons"]}>
        <Button type="submit" look="primary" keyName="enter" disabled={why !== null}>
          Find facts
        </Button>
        <span className="meta">{why ?? "Nothing is decided: it only looks, with your own permission."}</span>
      </p>
    </form>
  );
}

function Times({
  typed,
  change,
  now,
}: {
  readonly typed: TypedQuestion;
  readonly change: (changed: Partial<TypedQuestion>) => void;
  readonly now: number;
}): ReactNode {
  return (
    <>
      <Labelled label="As of" aside="UTC; never left out">
        {(id) => (
          <input
            id={id}
            type="datetime-local"
            required
            className="field"
            value={typed.at}
            onChange={(event) => change({ at: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="As known at" aside="UTC; now where left out">
        {(id) => (
          <input
            id={id}
            type="datetime-local"
            className="field"
            max={minuteText(now)}
            value={typed.knownAt}
            onChange={(event) => change({ knownAt: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="Steps" aside="along relations">
        {(id) => (
          <select id={id} className="field" value={typed.steps} onChange={(event) => change({ steps: event.target.value })}>
            {stepChoices.map((steps) => (
              <option key={steps} value={steps}>
                {steps === "1" ? "1, its own facts" : steps}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    </>
  );
}
