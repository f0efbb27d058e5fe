import { type ReactNode, useEffect, useRef } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { counted } from "../../words/plain.ts";
import css from "./bar.module.css";
import { signsWords } from "./sign-bar.tsx";

/** In place of the bar: what leaves the house and cannot be undone, said once more, and the button that signs. A second `a` does nothing. */
export function ConfirmBar({
  view,
  doubts,
  whyClosed,
  onSign,
  onBack,
}: {
  readonly view: DecisionView;
  /** What is still unsure, each as a short sentence. */
  readonly doubts: readonly string[];
  readonly whyClosed: string | null;
  readonly onSign: () => void;
  readonly onBack: () => void;
}): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector<HTMLButtonElement>("button.primary")?.focus(), []);
  const { effects, at } = view;
  const final = effects.filter(({ reversible }) => !reversible);
  const others = effects.filter(({ reversible }) => reversible);
  return (
    <section className={`${css["bar"]} ${css["confirm"]}`} aria-labelledby="confirm-title">
      <div className={css["said"]}>
        <h2 id="confirm-title">{signsWords(view)}</h2>
        <p>
          You saw the state of <Time at={at} />. If it has changed, the approval is refused and nothing is sent.
        </p>
        {final.length === 0 ? null : (
          <div className={css["final"]}>
            <p className={css["final-head"]}>
              <MarkOf name="outside" tone="quiet" /> Cannot be undone
            </p>
            <ul>
              {final.map(({ index, sentence }) => (
                <li key={index}>{sentence}</li>
              ))}
            </ul>
          </div>
        )}
        <ul className={css["can"]}>
          {others.map(({ index, sentence, sideEffect }) => (
            <li key={index}>
              {sentence}{" "}
              <span className="meta">{sideEffect === "external" ? "leaves the house, can be undone" : "can be undone"}</span>
            </li>
          ))}
        </ul>
        {doubts.length === 0 ? null : (
          <p className={css["still"]}>
            <MarkOf name="warning" tone="wait" /> <span>Still unsure: {doubts.join(" ")}</span>
          </p>
        )}
      </div>
      <div className={css["answers"]} ref={place}>
        <Button look="primary" keyName="enter" disabled={whyClosed !== null} onClick={onSign} onKeyDown={ignoreHeld}>
          {effects.length === 0 ? "Release the answer" : `Sign ${counted(effects.length, "approval")}`}
        </Button>
        <Button keyName="esc" onClick={onBack}>
          Back
        </Button>
      </div>
      {whyClosed === null ? null : <p className={css["why"]}>{whyClosed}</p>}
    </section>
  );
}

function ignoreHeld(event: { readonly repeat: boolean; readonly preventDefault: () => void }): void {
  if (event.repeat) event.preventDefault();
}
