import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "../../parts/button.tsx";
import css from "./bar.module.css";
import type { Draft } from "./drafts.ts";

/** Why something is rejected, whatever it is about; the number is the key. */
export const reasons = [
  "the evidence does not carry it",
  "a value is wrong",
  "the wrong person or thing",
  "policy does not allow it",
] as const;

/** The reason as whoever asked reads it; empty where nothing was said. */
export function reasonText({ reason, sentence }: Pick<Draft, "reason" | "sentence">): string {
  const picked = reasons[reason - 1];
  const said = sentence.trim();
  if (picked === undefined) return said;
  const first = `${picked[0]?.toUpperCase()}${picked.slice(1)}`;
  return said === "" ? `${first}.` : `${first}: ${said}`;
}

/** In place of the bar: a number and a sentence. Either is enough; where nothing was proposed the sentence says what became of it. */
export function ReasonPicker({
  draft,
  asker,
  isVoid,
  whyClosed,
  onDraft,
  onReject,
  onBack,
}: {
  readonly draft: Draft;
  /** The name of whoever asked. */
  readonly asker: string;
  /** Nothing was proposed: there is no reason to pick, only to say what became of it. */
  readonly isVoid: boolean;
  readonly whyClosed: string | null;
  readonly onDraft: (changed: Partial<Draft>) => void;
  readonly onReject: () => void;
  readonly onBack: () => void;
}): ReactNode {
  const id = useId();
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.querySelector<HTMLElement>(isVoid ? "textarea" : "[data-reason]")?.focus(), [isVoid]);
  const why =
    whyClosed ?? (reasonText(draft) === "" ? (isVoid ? "Say what became of it." : "A number or a sentence is needed.") : null);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.repeat || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (why === null) onReject();
  };
  return (
    <section className={`${css["bar"]} ${css["confirm"]}`} aria-labelledby={`${id}-why`} ref={place}>
      <div className={css["said"]}>
        <h2 id={`${id}-why`}>
          {isVoid ? "What became of it?" : "Why is it rejected?"} <span className="meta">{asker} reads this.</span>
        </h2>
        {isVoid ? null : <Reasons picked={draft.reason} onPick={(reason) => onDraft({ reason })} />}
        <label htmlFor={id} className="hidden">
          {isVoid ? "What became of it" : "One sentence"}
        </label>
        <textarea
          id={id}
          rows={2}
          maxLength={1900}
          value={draft.sentence}
          placeholder={isVoid ? "" : "One sentence"}
          onChange={(event) => onDraft({ sentence: event.target.value })}
          onKeyDown={onKey}
        />
      </div>
      <div className={css["answers"]}>
        <Button look="solid" keyName="enter" disabled={why !== null} onClick={onReject}>
          Reject the {isVoid ? "request" : "proposal"}
        </Button>
        <Button keyName="esc" onClick={onBack}>
          Back
        </Button>
      </div>
      {why === null ? null : <p className={css["why"]}>{why}</p>}
    </section>
  );
}

function Reasons({ picked, onPick }: { readonly picked: number; readonly onPick: (reason: number) => void }): ReactNode {
  return (
    <fieldset className="filters">
      <legend className="hidden">Reason</legend>
      {reasons.map((words, index) => (
        <button
          key={words}
          type="button"
          className="filter"
          data-reason={index + 1}
          aria-pressed={picked === index + 1}
          aria-keyshortcuts={String(index + 1)}
          onClick={() => onPick(picked === index + 1 ? 0 : index + 1)}
        >
          {index + 1} {words}
        </button>
      ))}
    </fieldset>
  );
}
