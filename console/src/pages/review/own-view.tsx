import { type FormEvent, type ReactNode, useId } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { plainName, plainValue } from "../../words/plain.ts";
import css from "./bar.module.css";
import type { Draft } from "./drafts.ts";
import { type Choice, choicesOf, isAlike, typedOf } from "./edit.ts";
import { ValueField } from "./edit-bar.tsx";
import itemCss from "./item.module.css";

/** In place of what was proposed: the person gives their own values or view first, and nothing here tells what was proposed. */
export function OwnView({
  view,
  draft,
  onDraft,
}: {
  readonly view: DecisionView;
  readonly draft: Draft;
  readonly onDraft: (changed: Partial<Draft>) => void;
}): ReactNode {
  const { nameOf } = useApi();
  const id = useId();
  const choices = choicesOf(view);
  const isWhole =
    choices.length === 0 ? draft.ownView.trim() !== "" : choices.every(({ name }) => (draft.own[name] ?? "").trim() !== "");
  const compare = (event: FormEvent) => {
    event.preventDefault();
    if (isWhole) onDraft({ isCompared: true });
  };
  return (
    <form className="card padded" onSubmit={compare} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Decide first</h2>
      <p className={itemCss["lead"]}>
        {nameOf(view.requestedBy)} asked what stands above. What was proposed opens after you have filled this in; what you say
        stands.
      </p>
      <div className={css["fields"]}>
        {choices.map(({ name, proposed }) => (
          <div key={name}>
            <label htmlFor={`${id}-${name}`}>{plainName(name)}</label>
            <ValueField
              id={`${id}-${name}`}
              name={name}
              proposed={proposed}
              typed={draft.own[name] ?? ""}
              onType={(typed) => onDraft({ own: { ...draft.own, [name]: typed } })}
            />
          </div>
        ))}
      </div>
      {choices.length > 0 ? null : (
        <>
          <label htmlFor={`${id}-own`}>What would you answer?</label>
          <textarea
            id={`${id}-own`}
            rows={2}
            value={draft.ownView}
            onChange={(event) => onDraft({ ownView: event.target.value })}
          />
        </>
      )}
      <p className={itemCss["act"]}>
        <Button type="submit" look="solid" keyName="enter" disabled={!isWhole}>
          Compare with the proposal
        </Button>{" "}
        {isWhole ? null : <span className="meta">Opens once {choices.length > 0 ? "all values are" : "it is"} filled in.</span>}
      </p>
    </form>
  );
}

/** The values in which a person's own view is not the proposal's. */
export function differingOf(view: DecisionView, draft: Draft): readonly Choice[] {
  return choicesOf(view).filter(({ name, proposed }) => !isAlike(draft.own[name] ?? "", proposed));
}

/** What the person said beside what was proposed; theirs stands until they take the other one over. */
export function Compared({
  view,
  draft,
  onDraft,
}: {
  readonly view: DecisionView;
  readonly draft: Draft;
  readonly onDraft: (changed: Partial<Draft>) => void;
}): ReactNode {
  const choices = choicesOf(view);
  const differing = differingOf(view, draft);
  return (
    <>
      <h2>Your view and the proposal</h2>
      <div className="card">
        {choices.length === 0 ? (
          <p className="padded">Yours: “{draft.ownView}”</p>
        ) : (
          <table className="rows">
            <caption className="hidden">Your values and the proposed ones</caption>
            <thead>
              <tr>
                {["Field", "Yours", "Proposed", ""].map((name) => (
                  <th key={name} scope="col">
                    {name === "" ? <span className="hidden">Alike</span> : name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {choices.map((choice) => {
                const isDiffering = differing.some(({ name }) => name === choice.name);
                return (
                  <tr key={choice.name}>
                    <th scope="row">{plainName(choice.name)}</th>
                    <td>
                      <strong>{draft.own[choice.name]}</strong>
                    </td>
                    <td>{plainValue(choice.proposed)}</td>
                    <td>
                      {isDiffering ? (
                        <Button
                          isSmall
                          onClick={() => onDraft({ own: { ...draft.own, [choice.name]: typedOf(choice.proposed) } })}
                        >
                          Take the proposed value
                        </Button>
                      ) : (
                        <span>
                          <MarkOf name="tick" tone="quiet" /> alike
                        </span>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
      </div>
    </>
  );
}
