import { type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { errorWords } from "../../words/errors.ts";
import css from "./stop.module.css";
import { useDraft } from "./use-draft.ts";

/** The step that asks why, and says what follows, before a stop is made or lifted. */
export function ReasonForm({
  label,
  verb,
  consequence,
  place,
  isStop = false,
  change: { error, isPending },
  onSend,
  onBack,
}: {
  readonly label: string;
  readonly verb: string;
  readonly consequence: string;
  /** Under which name a draft is kept in this tab. */
  readonly place: string;
  readonly isStop?: boolean;
  readonly change: { readonly error: Error | null; readonly isPending: boolean };
  readonly onSend: (reason: string) => void;
  readonly onBack: () => void;
}): ReactNode {
  const { text: reason, change: setReason } = useDraft(place);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  useKeys({ esc: onBack });
  const isWhole = reason.trim() !== "";
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isWhole && !isPending) onSend(reason);
  };
  return (
    <form className={`${css["confirm"]} ${isStop ? css["confirm-stop"] : ""}`} onSubmit={send}>
      <p>
        <strong>{verb}.</strong> {consequence}
      </p>
      <label htmlFor={id}>
        {label} <span className="meta">It stands on record under your name.</span>
      </label>
      <textarea
        ref={field}
        id={id}
        rows={2}
        maxLength={2000}
        required
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {error === null ? null : <Refused error={error} />}
      <p className={css["buttons"]}>
        <Button type="submit" look="solid" className={isStop ? css["stop-button"] : ""} disabled={!isWhole || isPending}>
          {verb}
        </Button>
        <Button keyName="esc" onClick={onBack}>
          Back
        </Button>
        {isWhole ? null : <span className="meta">Opens once there is a reason.</span>}
      </p>
    </form>
  );
}

function Refused({ error }: { readonly error: Error }): ReactNode {
  const { title, detail } = errorWords(error, "This");
  return (
    <Banner tone="stop" title={title}>
      {detail} What you typed is still here.
    </Banner>
  );
}
