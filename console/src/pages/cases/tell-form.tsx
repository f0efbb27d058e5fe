import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { CaseView } from "../../../../src/contract/case-view.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { useLostAt } from "../../shell/connection.tsx";
import { tell } from "../../shell/told.tsx";
import { plainName } from "../../words/plain.ts";
import css from "./cases.module.css";
import { JsonField, readJson } from "./json-field.tsx";
import { Refused } from "./refused.tsx";

/** Says what happened to a case that waits for it. Sent again, it is told once; policy says who may. */
export function TellForm({ view, events }: { readonly view: CaseView; readonly events: readonly string[] }): ReactNode {
  const { client } = useApi();
  const queries = useQueryClient();
  const lostAt = useLostAt();
  const [event, setEvent] = useState(events[0] ?? "");
  const [text, setText] = useState("");
  const [key, setKey] = useState(() => crypto.randomUUID());
  const change = (act: () => void) => {
    act();
    // Other words are another telling.
    setKey(crypto.randomUUID());
  };
  const body = readJson(text);
  const telling = useMutation({
    mutationFn: (value: unknown) => client.tellCase(view.id, { event, body: value, idempotencyKey: key }),
    onSuccess: async (after) => {
      change(() => setText(""));
      tell(`Told. The case is at “${plainName(after.step)}” now.`);
      await queries.invalidateQueries({ queryKey: ["cases"] });
    },
  });
  const closed = closedWords({ isLost: lostAt !== null, isPending: telling.isPending, isBad: "problem" in body });
  const send = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (closed === null && "value" in body) telling.mutate(body.value);
  };
  return (
    <form className={css["tell"]} onSubmit={send} aria-label="Say what happened">
      <h3>Say what happened</h3>
      <fieldset className={css["events"]}>
        <legend className="hidden">What happened?</legend>
        {events.map((name) => (
          <label key={name}>
            <input type="radio" name="event" checked={name === event} onChange={() => change(() => setEvent(name))} />{" "}
            {plainName(name)}
          </label>
        ))}
      </fieldset>
      <JsonField label="What is known of it" aside="as JSON" text={text} onText={(next) => change(() => setText(next))} />
      {telling.error === null ? null : <Refused error={telling.error} what="What you told" />}
      <div className={css["buttons"]}>
        <Button type="submit" look="primary" disabled={closed !== null}>
          Tell “{plainName(event)}”
        </Button>
        <span className="meta">{closed ?? "It stands on record under your name. Policy says who may tell it."}</span>
      </div>
    </form>
  );
}

function closedWords({ isLost, isPending, isBad }: { isLost: boolean; isPending: boolean; isBad: boolean }): string | null {
  if (isLost) return "The desk cannot be reached. This opens again by itself.";
  if (isPending) return "It is being told.";
  return isBad ? "Opens once it is JSON." : null;
}
