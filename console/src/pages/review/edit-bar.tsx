import { type ReactNode, useState } from "react";
import type { Json } from "../../../../src/contract/json.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { plainName } from "../../words/plain.ts";
import css from "./bar.module.css";
import type { Draft } from "./drafts.ts";
import { type Choice, typedOf } from "./edit.ts";

/** The field of one value within its cell; the proposed value stays visible beside it. */
export function EditCell({
  choice: { name, proposed },
  effect,
  draft,
  onDraft,
}: {
  readonly choice: Choice;
  /** The effect in whose table it stands, counted from 0; the names of fields are told apart by it. */
  readonly effect: number;
  readonly draft: Draft;
  readonly onDraft: (changed: Partial<Draft>) => void;
}): ReactNode {
  const id = `edit-${effect}-${name}`;
  return (
    <span className={css["inline"]}>
      <label htmlFor={id}>Your value</label>
      <ValueField
        id={id}
        name={name}
        proposed={proposed}
        typed={draft.edit[name] ?? typedOf(proposed)}
        onType={(typed) => onDraft({ edit: { ...draft.edit, [name]: typed } })}
      />
    </span>
  );
}

/** A field for one value, of the kind that the proposed one has; it tells nothing of the proposed value itself. */
export function ValueField({
  id,
  name,
  proposed,
  typed,
  onType,
}: {
  readonly id: string;
  readonly name: string;
  readonly proposed: Json;
  readonly typed: string;
  readonly onType: (typed: string) => void;
}): ReactNode {
  if (typeof proposed === "boolean")
    return (
      <select id={id} className="field" value={typed} onChange={(event) => onType(event.target.value)}>
        <option value="">choose</option>
        <option value="true">yes</option>
        <option value="false">no</option>
      </select>
    );
  return (
    <input
      id={id}
      className="field"
      name={name}
      type="text"
      inputMode={typeof proposed === "number" ? "decimal" : undefined}
      autoComplete="off"
      value={typed}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

/** In place of the bar while somebody edits: what comes of it, values that stand in no table, and the decision as a whole. */
export function EditBar({
  view,
  beside,
  draft,
  whole,
  isWholeNeeded,
  fault,
  whyClosed,
  onDraft,
  onCheck,
  onBack,
}: {
  readonly view: DecisionView;
  /** Values that show in no table of changes. */
  readonly beside: readonly Choice[];
  readonly draft: Draft;
  /** The decision as it would be sent. */
  readonly whole: string;
  /** What the values alone make did not fit, so the whole is shown. */
  readonly isWholeNeeded: boolean;
  readonly fault: string | null;
  readonly whyClosed: string | null;
  readonly onDraft: (changed: Partial<Draft>) => void;
  readonly onCheck: () => void;
  readonly onBack: () => void;
}): ReactNode {
  const isHigh = view.effects.some(({ risk }) => risk === "high");
  const why = whyClosed ?? fault;
  return (
    <form
      className={`${css["bar"]} ${css["confirm"]}`}
      aria-labelledby="edit-title"
      onSubmit={(event) => {
        event.preventDefault();
        if (why === null) onCheck();
      }}
    >
      <div className={css["said"]}>
        <h2 id="edit-title">Your decision in place of the proposal</h2>
        <p>
          It is checked again as yours and supersedes the proposal, which nobody can sign after that.{" "}
          {isHigh ? "Risk high: somebody else signs it." : "You may sign it yourself."}
        </p>
        <Beside choices={beside} draft={draft} onDraft={onDraft} />
        <Whole whole={whole} isNeeded={isWholeNeeded} draft={draft} onDraft={onDraft} />
      </div>
      <div className={css["answers"]}>
        <Button type="submit" look="solid" keyName="enter" disabled={why !== null}>
          Check my edit
        </Button>
        <Button keyName="esc" onClick={onBack}>
          Back
        </Button>
      </div>
      {why === null ? null : <p className={css["why"]}>{why}</p>}
    </form>
  );
}

/** Values that show in no table of changes. */
function Beside({
  choices,
  draft,
  onDraft,
}: {
  readonly choices: readonly Choice[];
  readonly draft: Draft;
  readonly onDraft: (changed: Partial<Draft>) => void;
}): ReactNode {
  if (choices.length === 0) return null;
  return (
    <div className={css["fields"]}>
      {choices.map((choice) => (
        <div key={choice.name}>
          <label htmlFor={`beside-${choice.name}`}>{plainName(choice.name)}</label>
          <ValueField
            id={`beside-${choice.name}`}
            name={choice.name}
            proposed={choice.proposed}
            typed={draft.edit[choice.name] ?? typedOf(choice.proposed)}
            onType={(typed) => onDraft({ edit: { ...draft.edit, [choice.name]: typed } })}
          />
        </div>
      ))}
    </div>
  );
}

/** The decision as it would be sent, for a capability whose decision is more than its values. */
function Whole({
  whole,
  isNeeded,
  draft,
  onDraft,
}: {
  readonly whole: string;
  readonly isNeeded: boolean;
  readonly draft: Draft;
  readonly onDraft: (changed: Partial<Draft>) => void;
}): ReactNode {
  const [isOpen, setIsOpen] = useState(draft.whole !== "");
  return (
    <details open={isOpen || isNeeded} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>The whole decision, as JSON</summary>
      <label htmlFor="whole" className="hidden">
        The whole decision, as JSON
      </label>
      <textarea
        id="whole"
        rows={5}
        spellCheck={false}
        value={draft.whole === "" ? whole : draft.whole}
        onChange={(event) => onDraft({ whole: event.target.value })}
      />
    </details>
  );
}
