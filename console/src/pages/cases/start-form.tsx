import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import type { CaseView } from "../../../../src/contract/case-view.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { useLostAt } from "../../shell/connection.tsx";
import { tell } from "../../shell/told.tsx";
import { plainName } from "../../words/plain.ts";
import css from "./cases.module.css";
import { JsonField, readJson } from "./json-field.tsx";
import { Refused } from "./refused.tsx";

/** Starts a case: which one, with what. Sent again without a change, it is the same case. */
export function StartForm({
  known,
  onStarted,
  onClose,
}: {
  /** Names of cases that this person has seen. */
  readonly known: readonly string[];
  readonly onStarted: (view: CaseView) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { session } = useApi();
  const lostAt = useLostAt();
  const id = useId();
  const [name, setName] = useState(known[0] ?? "");
  const [text, setText] = useState("");
  const input = readJson(text);
  const { starting, asAnother: change } = useStarting(name.trim(), onStarted);
  const isClosed = lostAt !== null || starting.isPending || "problem" in input || name.trim() === "" || !session.may.ask;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isClosed && "value" in input) starting.mutate(input.value);
  };
  return (
    <form className={css["start"]} onSubmit={send} aria-labelledby={`${id}-title`}>
      <div className={css["bar"]}>
        <h2 id={`${id}-title`}>Start a case</h2>
        <Button isSmall keyName="esc" onClick={onClose}>
          Close
        </Button>
      </div>
      <div>
        <label htmlFor={`${id}-name`}>Which case</label>
        <input
          id={`${id}-name`}
          className="field"
          list={`${id}-known`}
          maxLength={63}
          value={name}
          onChange={(event) => change(() => setName(event.target.value))}
        />
        <datalist id={`${id}-known`}>
          {known.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </div>
      <JsonField label="What it starts with" aside="as JSON" text={text} onText={(next) => change(() => setText(next))} />
      {starting.error === null ? null : <Refused error={starting.error} what="The case" />}
      <div className={css["buttons"]}>
        <Button type="submit" look="primary" disabled={isClosed}>
          Start {name.trim() === "" ? "a case" : plainName(name.trim())}
        </Button>
        <span className="meta">
          {isClosed ? "Opens once it is named and its input is JSON." : "Its steps are decided and signed like everything else."}
        </span>
      </div>
    </form>
  );
}

/** Starting a case, under one key for as long as nothing is changed. */
function useStarting(name: string, onStarted: (view: CaseView) => void) {
  const { client } = useApi();
  const queries = useQueryClient();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const starting = useMutation({
    mutationFn: (value: unknown) => client.startCase({ case: name, input: value, key }),
    onSuccess: async (view) => {
      tell(`Started: ${plainName(view.case)}.`);
      await queries.invalidateQueries({ queryKey: ["cases"] });
      onStarted(view);
    },
  });
  const asAnother = (change: () => void) => {
    change();
    // Another input is another case.
    setKey(crypto.randomUUID());
  };
  return { starting, asAnother };
}
