import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import type { PoliciesView, PolicyQuestion } from "../../../../src/contract/policy-view.ts";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { Answer } from "./answer.tsx";
import css from "./policies.module.css";
import { addressOf, questionOf, type TypedQuestion, typedOf } from "./question.ts";

/** A question to the policies in force, and their answer with the policies behind it. Nothing comes of it. */
export function QuestionForm({ policies }: { readonly policies: PoliciesView }): ReactNode {
  const { session } = useApi();
  const { search, set } = useAddress();
  const asked = typedOf(search, session);
  const [typed, setTyped] = useState(asked);
  const change = (changed: Partial<TypedQuestion>) => setTyped({ ...typed, ...changed });
  const { why } = questionOf(typed);
  const ask = (event: FormEvent) => {
    event.preventDefault();
    if (why === null) set(addressOf(typed));
  };
  const actions = [...new Set(policies.policies.flatMap((policy) => policy.actions))].toSorted();
  return (
    <div className={css["question"]}>
      <form className="card padded" onSubmit={ask}>
        <h2>May somebody do something?</h2>
        <Field label="Who" aside="An id of this tenant." value={typed.id} onValue={(id) => change({ id })} />
        <Field label="Roles" aside="With commas between them." value={typed.roles} onValue={(roles) => change({ roles })} />
        <Field
          label="On behalf of"
          aside="Left out where somebody acts in person."
          value={typed.onBehalfOf}
          onValue={(onBehalfOf) => change({ onBehalfOf })}
        />
        <Choice label="Action" actions={actions} value={typed.action} onValue={(action) => change({ action })} />
        <Text
          label="What it is about"
          example='{"requestedBy": "emp-104", "risk": "high", "effects": 1}'
          value={typed.resource}
          onValue={(resource) => change({ resource })}
        />
        <Text
          label="Attributes of who"
          example='{"floor": "3"}'
          value={typed.attributes}
          onValue={(attributes) => change({ attributes })}
        />
        <label className={css["check"]}>
          <input type="checkbox" checked={typed.isListed} onChange={(event) => change({ isListed: event.target.checked })} /> The
          account’s own lists name it
        </label>
        <p className={css["buttons"]}>
          <Button type="submit" look="primary" disabled={why !== null}>
            Ask the policies
          </Button>
          <span className="meta">{why ?? "Nothing is done: it only says what they answer."}</span>
        </p>
      </form>
      {search["asked"] === undefined ? (
        <p className="detail">The answer stands here, with every policy that decided it.</p>
      ) : (
        <Asked typed={asked} policies={policies} />
      )}
    </div>
  );
}

function Asked({ typed, policies }: { readonly typed: TypedQuestion; readonly policies: PoliciesView }): ReactNode {
  const { question, why } = questionOf(typed);
  if (question === null) return <p className="detail">{why}</p>;
  return <AskedOf question={question} version={policies.version} />;
}

function AskedOf({ question, version }: { readonly question: PolicyQuestion; readonly version: string }): ReactNode {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ["policies", "answer", version, question],
    queryFn: () => client.explainPolicy(question),
    retry: false,
  });
  if (data !== undefined) return <Answer answer={data} question={question} />;
  if (error !== null) return <ErrorState error={error} what="The question" again={() => void refetch()} />;
  return <LoadingRows what="the answer" rows={2} />;
}

interface FieldOf {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function Field({ label, aside, value, onValue }: FieldOf & { readonly aside: string }): ReactNode {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>
        {label} <span className="meta">{aside}</span>
      </label>
      <input id={id} className="field" maxLength={200} value={value} onChange={(event) => onValue(event.target.value)} />
    </div>
  );
}

function Text({ label, example, value, onValue }: FieldOf & { readonly example: string }): ReactNode {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>
        {label} <span className="meta">as JSON; what is left out is the usual</span>
      </label>
      <textarea
        id={id}
        rows={2}
        maxLength={8000}
        spellCheck={false}
        placeholder={example}
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
    </div>
  );
}

function Choice({ label, actions, value, onValue }: FieldOf & { readonly actions: readonly string[] }): ReactNode {
  const id = useId();
  const known = value === "" || actions.includes(value) ? actions : [...actions, value];
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <select id={id} className="field" value={value} onChange={(event) => onValue(event.target.value)}>
        <option value="">Choose one</option>
        {known.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
