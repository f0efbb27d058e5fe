import { type KeyboardEvent, type ReactNode, type RefObject, useId } from "react";
import { isCountersignError } from "../../../../src/contract/errors.ts";
import { limits } from "../../../../src/contract/limits.ts";
import { useApi } from "../../api/api.tsx";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { useLostAt } from "../../shell/connection.tsx";
import { tell } from "../../shell/told.tsx";
import { type ErrorWords, errorWords } from "../../words/errors.ts";
import css from "./ask.module.css";
import type { Asking } from "./use-asking.ts";

/** Where a person says what they need; below it what went wrong, or the question that came back. */
export function AskField({
  asking,
  field,
}: {
  readonly asking: Asking;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}): ReactNode {
  const { session } = useApi();
  const id = useId();
  const closed = useWhyClosed(asking);
  const { text, type } = asking;
  const ask = () => {
    if (text.trim() !== "") return asking.ask();
    field.current?.focus();
    tell("Say what you need first.");
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    if (closed === null) ask();
  };
  return (
    <>
      <form
        className={css["ask"]}
        onSubmit={(event) => {
          event.preventDefault();
          if (closed === null) ask();
        }}
      >
        <label htmlFor={id} className="hidden">
          Ask a question, or say what you need
        </label>
        <textarea
          ref={field}
          id={id}
          rows={2}
          maxLength={limits.requestText}
          placeholder="Ask a question, or say what you need"
          aria-describedby={`${id}-as`}
          aria-keyshortcuts="/"
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKey}
        />
        <div>
          <p className="meta" id={`${id}-as`}>
            as {session.name}. What you may not read is not searched.{closed === null ? "" : ` ${closed}`}
          </p>
          <Button type="submit" look="primary" keyName="ctrl enter" disabled={closed !== null}>
            Ask
          </Button>
        </div>
      </form>
      <Came asking={asking} />
    </>
  );
}

function Came({ asking: { error, question, ask, pending } }: { readonly asking: Asking }): ReactNode {
  if (pending !== null) return null;
  if (question !== null)
    return (
      <Banner mark="question" title="It asks back.">
        {question} Your words are still in the field; nothing was changed.
      </Banner>
    );
  if (error === null) return null;
  const { title, detail, small } = cameWords(error);
  return (
    <Banner tone="stop" title={title}>
      {detail} What you typed is still here; sent again, it is asked once.{" "}
      <Button isSmall onClick={ask}>
        Send it again
      </Button>{" "}
      <span className="meta">{small}</span>
    </Banner>
  );
}

/** A lost answer says nothing of the request: it may have been taken. */
function cameWords(error: Error): ErrorWords {
  const words = errorWords(error, "Your request");
  if (!isCountersignError(error, "service_unavailable")) return words;
  return { ...words, title: "No answer came.", detail: "It may have been taken and decided; then it stands below." };
}

/** Why nothing can be asked just now; `null` where it can. */
function useWhyClosed({ pending }: Asking): string | null {
  const { session } = useApi();
  const lostAt = useLostAt();
  if (!session.may.ask) return "What you came with may not be used for asking.";
  if (lostAt !== null) return "The desk cannot be reached; what you type is kept.";
  if (pending !== null) return "The request before is being decided.";
  return null;
}
