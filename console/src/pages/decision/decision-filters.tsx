import { type FormEvent, type ReactNode, useId, useState } from "react";
import type { SessionView } from "../../../../src/contract/session.ts";
import { decisionStates } from "../../../../src/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { Filters } from "../../parts/data-table.tsx";
import type { Search } from "../../shell/search.ts";
import type { Address } from "../../shell/use-address.ts";
import { plainName } from "../../words/plain.ts";
import css from "./decisions.module.css";

/** Which decisions: whose, in which state, of which capability and person, of which days. All of it stands in the address. */
export function DecisionFilters({
  search,
  set,
  isAllOpen,
  people,
}: {
  readonly search: Search;
  readonly set: Address["set"];
  readonly isAllOpen: boolean;
  readonly people: SessionView["people"];
}): ReactNode {
  const isMine = !isAllOpen || search["of"] === "mine";
  return (
    <div className={css["filters"]}>
      {isAllOpen ? (
        <Filters
          label="Whose"
          options={[
            { value: "all", words: "All that I may see" },
            { value: "mine", words: "Mine" },
          ]}
          chosen={isMine ? "mine" : "all"}
          onChoose={(of) => set({ of: of === "all" ? undefined : of, person: undefined })}
        />
      ) : null}
      <Choice label="State" value={search["state"] ?? ""} onChoose={(state) => set({ state: state || undefined })}>
        <option value="">Any state</option>
        {decisionStates.map((state) => (
          <option key={state} value={state}>
            {plainName(state)}
          </option>
        ))}
      </Choice>
      <Typed
        key={`c ${search["capability"]}`}
        label="Capability"
        value={search["capability"] ?? ""}
        onSet={(capability) => set({ capability })}
      />
      {isMine ? null : (
        <Typed
          key={`p ${search["person"]}`}
          label="Person, by id"
          value={search["person"] ?? ""}
          onSet={(person) => set({ person })}
          known={people}
        />
      )}
      <Day label="From" value={search["from"] ?? ""} onSet={(from) => set({ from }, true)} />
      <Day label="To" value={search["to"] ?? ""} onSet={(to) => set({ to }, true)} />
    </div>
  );
}

function Choice({
  label,
  value,
  onChoose,
  children,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChoose: (value: string) => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <label>
      <span className="hidden">{label}</span>
      <select className="field" value={value} onChange={(event) => onChoose(event.target.value)}>
        {children}
      </select>
    </label>
  );
}

/** A name that is typed and then looked for, with enter or by leaving the field. */
function Typed({
  label,
  value,
  onSet,
  known = [],
}: {
  readonly label: string;
  readonly value: string;
  readonly onSet: (value: string | undefined) => void;
  readonly known?: SessionView["people"];
}): ReactNode {
  const [typed, setTyped] = useState(value);
  const id = useId();
  const find = (event: FormEvent) => {
    event.preventDefault();
    onSet(typed.trim() || undefined);
  };
  return (
    <form className={css["typed"]} onSubmit={find}>
      <label>
        <span className="hidden">{label}</span>
        <input
          className="field"
          placeholder={label}
          value={typed}
          list={id}
          maxLength={100}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <datalist id={id}>
        {known.map((person) => (
          <option key={person.id} value={person.id}>
            {person.name}
          </option>
        ))}
      </datalist>
      {typed === value ? null : (
        <Button type="submit" isSmall>
          Find
        </Button>
      )}
    </form>
  );
}

function Day({
  label,
  value,
  onSet,
}: {
  readonly label: string;
  readonly value: string;
  readonly onSet: (value: string | undefined) => void;
}): ReactNode {
  return (
    <label className={css["day"]}>
      <span>{label}</span>
      <input type="date" className="field" value={value} onChange={(event) => onSet(event.target.value || undefined)} />
    </label>
  );
}
