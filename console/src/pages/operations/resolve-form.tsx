import type { UseMutationResult } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { Finding } from "../../../../src/client/index.ts";
import type { OperationView } from "../../../../src/contract/operation-view.ts";
import type { ResolvedOutcome } from "../../../../src/contract/words.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { errorWords } from "../../words/errors.ts";
import { resolvedWords } from "../../words/states.ts";
import { useFindingDraft } from "./finding-draft.ts";
import css from "./operations.module.css";

/** What a person found: the outcome, what was seen and where, and why it is ended so. What was typed survives a lost sign-in. */
export function ResolveForm({
  operation: { id, effectIndex, resolvable },
  outcome: first,
  saying,
  onBack,
}: {
  readonly operation: OperationView;
  readonly outcome: ResolvedOutcome;
  readonly saying: UseMutationResult<unknown, Error, Finding>;
  readonly onBack: () => void;
}): ReactNode {
  const { draft, change, forget } = useFindingDraft(id);
  const [outcome, setOutcome] = useState(first);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const isWhole = draft.evidence.trim() !== "" && draft.reason.trim() !== "";
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isWhole || saying.isPending) return;
    saying.mutate({ effectIndex, outcome, evidence: draft.evidence, reason: draft.reason }, { onSuccess: forget });
  };
  return (
    <form className={css["bar"]} onSubmit={send}>
      <h3 ref={title} tabIndex={-1}>
        What became of it
      </h3>
      <fieldset className={css["outcomes"]}>
        <legend className="hidden">What did you find?</legend>
        {resolvable.map((one) => (
          <label key={one}>
            <input type="radio" name="outcome" checked={outcome === one} onChange={() => setOutcome(one)} />{" "}
            {resolvedWords[one].choice}
          </label>
        ))}
      </fieldset>
      <Words
        label="What did you see, and where?"
        most={4000}
        value={draft.evidence}
        onValue={(evidence) => change({ evidence })}
      />
      <Words
        label="Why is it ended so?"
        aside="Whoever asked reads this."
        most={2000}
        value={draft.reason}
        onValue={(reason) => change({ reason })}
      />
      {saying.error === null ? null : <Refused error={saying.error} />}
      <div className={css["buttons"]}>
        <Button type="submit" look="solid" disabled={!isWhole || saying.isPending}>
          Put it on record
        </Button>
        <Button keyName="esc" onClick={onBack}>
          Back
        </Button>
      </div>
      <p className="meta">{isWhole ? "It stands on record under your name, for ever." : "Opens once both are filled in."}</p>
    </form>
  );
}

function Words({
  label,
  aside,
  most,
  value,
  onValue,
}: {
  readonly label: string;
  readonly aside?: string;
  readonly most: number;
  readonly value: string;
  readonly onValue: (value: string) => void;
}): ReactNode {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>
        {label} {aside === undefined ? null : <span className="meta">{aside}</span>}
      </label>
      <textarea id={id} rows={2} maxLength={most} required value={value} onChange={(event) => onValue(event.target.value)} />
    </div>
  );
}

function Refused({ error }: { readonly error: Error }): ReactNode {
  const { title, detail } = errorWords(error, "Your finding");
  return (
    <Banner tone="stop" title={title}>
      {detail} What you typed is still here.
    </Banner>
  );
}
