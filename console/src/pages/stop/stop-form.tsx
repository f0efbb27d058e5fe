import { type FormEvent, type ReactNode, useId, useState } from "react";
import { type HaltScope, haltScopes } from "../../../../src/contract/words.ts";
import { Button } from "../../parts/button.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { haltWords } from "../../words/halts.ts";
import { type KnownNames, useKnownNames } from "./known-names.ts";
import { ReasonForm } from "./reason-form.tsx";
import css from "./stop.module.css";
import { useForgetDraft } from "./use-draft.ts";
import { useHalting } from "./use-halting.ts";

const choices: Readonly<Record<HaltScope, string>> = {
  effect: "One kind of change (an effect)",
  capability: "One kind of request (a capability)",
  tenant: "Everything of this tenant",
};

/** Chooses what is to be stopped; the next step asks why, in the same place, and stops it. What is chosen stands in the address. */
export function StopForm({ closed }: { readonly closed: string | null }): ReactNode {
  const { search, set } = useAddress();
  const scope = haltScopes.find((one) => one === search["scope"]) ?? "effect";
  const name = scope === "tenant" ? "" : (search["name"] ?? "");
  const [isAsked, setIsAsked] = useState(false);
  const known = useKnownNames();
  if (closed !== null) return <p className="card padded">{closed}</p>;
  if (isAsked && (scope === "tenant" || name !== "")) {
    return <StopStep scope={scope} name={name} known={known} onLeave={() => setIsAsked(false)} />;
  }
  const ask = (event: FormEvent) => {
    event.preventDefault();
    setIsAsked(true);
  };
  return (
    <form className="card padded" onSubmit={ask}>
      <fieldset className={css["scopes"]}>
        <legend className="hidden">What is to be stopped?</legend>
        {haltScopes.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="scope"
              checked={scope === one}
              onChange={() => set({ scope: one === "effect" ? undefined : one, name: undefined }, true)}
            />{" "}
            {choices[one]}
          </label>
        ))}
      </fieldset>
      {scope === "tenant" ? null : (
        <NameField
          key={scope}
          scope={scope}
          names={known?.[scope] ?? []}
          name={name}
          onName={(typed) => set({ name: typed || undefined }, true)}
        />
      )}
      <p className={css["buttons"]}>
        <Button type="submit" disabled={scope !== "tenant" && name === ""}>
          Stop {scope === "tenant" ? "everything" : name === "" ? `the ${scope}` : name}…
        </Button>
        {scope !== "tenant" && name === "" ? <span className="meta">Opens once there is a name.</span> : null}
      </p>
    </form>
  );
}

function NameField({
  scope,
  names,
  name,
  onName,
}: {
  readonly scope: "effect" | "capability";
  readonly names: readonly string[];
  readonly name: string;
  readonly onName: (name: string) => void;
}): ReactNode {
  const id = useId();
  return (
    <div className={css["name"]}>
      <label htmlFor={id}>
        Which {scope}? <span className="meta">Its name as it is declared.</span>
      </label>
      <input
        id={id}
        className="field"
        list={`${id}-known`}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={(event) => onName(event.target.value.trim())}
      />
      <datalist id={`${id}-known`}>
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </div>
  );
}

function StopStep({
  scope,
  name,
  known,
  onLeave,
}: {
  readonly scope: HaltScope;
  readonly name: string;
  readonly known: KnownNames | undefined;
  readonly onLeave: () => void;
}): ReactNode {
  const { set } = useAddress();
  const forget = useForgetDraft(`stop ${scope} ${name}`);
  const stopping = useHalting({
    isStop: true,
    onDone: () => {
      forget();
      set({ scope: undefined, name: undefined }, true);
      onLeave();
      document.getElementById("stopped-title")?.focus();
    },
  });
  const isUnknown = scope !== "tenant" && known !== undefined && !known[scope].includes(name);
  return (
    <div className="card padded">
      {isUnknown ? (
        <p className={css["unsure"]}>
          <MarkOf name="warning" tone="wait" /> None of the newest operations and decisions that you may see names{" "}
          <code>{name}</code>. See that it is spelled as it is declared: a stop of a name that nothing has stops nothing.
        </p>
      ) : null}
      <ReasonForm
        isStop
        label="Why is it stopped?"
        verb={`Stop ${scope === "tenant" ? "everything" : name}`}
        consequence={`${haltWords({ scope, name })} is not sent any more, from the next send on, until an owner lifts it.`}
        place={`stop ${scope} ${name}`}
        change={stopping}
        onSend={(reason) => stopping.mutate({ scope, ...(scope === "tenant" ? {} : { name }), reason })}
        onBack={onLeave}
      />
    </div>
  );
}
