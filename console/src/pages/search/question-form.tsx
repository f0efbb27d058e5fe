import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent, ReactNode, RefObject } from "react";
import { useApi } from "../../api/api.tsx";
import { Button } from "../../parts/button.tsx";
import { Labelled } from "../../parts/labelled.tsx";
import { useNow } from "../../parts/now.tsx";
import { useTyped } from "../../parts/use-typed.ts";
import { useAddress } from "../../shell/use-address.ts";
import { minuteText } from "../../words/instants.ts";
import { addressOf, searchOf, type TypedSearch, typedOf } from "./question.ts";
import css from "./search.module.css";

/** What is to be found, where, with which filters and as of when. The words go to the legs as they are written. */
export function QuestionForm({ field }: { readonly field: RefObject<HTMLInputElement | null> }): ReactNode {
  const { search, set } = useAddress();
  const queries = useQueryClient();
  const now = useNow("minute");
  const [typed, change] = useTyped(typedOf(search));
  // The clock of the page is told once a minute, and the minute that is running may be asked for.
  const { why } = searchOf(typed, now + 60_000);
  const find = (event: FormEvent) => {
    event.preventDefault();
    if (why !== null) return;
    set(addressOf(typed));
    void queries.invalidateQueries({ queryKey: ["search", "found"] });
  };
  return (
    <form className={css["question"]} onSubmit={find}>
      <Labelled label="Query" aside="as written; no model changes it" className={css["query"]}>
        {(id) => (
          <input
            id={id}
            ref={field}
            type="search"
            className="field"
            aria-keyshortcuts="/"
            value={typed.query}
            onChange={(event) => change({ query: event.target.value })}
          />
        )}
      </Labelled>
      <Filters typed={typed} change={change} now={now} />
      <p className={css["buttons"]}>
        <Button type="submit" look="primary" keyName="enter" disabled={why !== null}>
          Find passages
        </Button>
        <span className="meta">{why ?? "Nothing is decided and nothing is kept: it only looks."}</span>
      </p>
    </form>
  );
}

function Filters({
  typed,
  change,
  now,
}: {
  readonly typed: TypedSearch;
  readonly change: (changed: Partial<TypedSearch>) => void;
  readonly now: number;
}): ReactNode {
  return (
    <div className={css["filters"]}>
      <Collections chosen={typed.collection} onChoose={(collection) => change({ collection })} />
      <Labelled label="Only with" aside="name = value, with commas">
        {(id) => (
          <input
            id={id}
            className="field"
            maxLength={1000}
            placeholder="team = it"
            value={typed.metadata}
            onChange={(event) => change({ metadata: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="Reference time" aside="UTC; now where left out">
        {(id) => (
          <input
            id={id}
            type="datetime-local"
            className="field"
            max={minuteText(now)}
            value={typed.at}
            onChange={(event) => change({ at: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="At most" aside="1 to 100">
        {(id) => (
          <input
            id={id}
            type="number"
            min={1}
            max={100}
            className="field"
            value={typed.limit}
            onChange={(event) => change({ limit: event.target.value })}
          />
        )}
      </Labelled>
    </div>
  );
}

function Collections({ chosen, onChoose }: { readonly chosen: string; readonly onChoose: (name: string) => void }): ReactNode {
  const { client } = useApi();
  const { data } = useQuery({ queryKey: ["sources"], queryFn: () => client.sources() });
  const known = data?.items.flatMap(({ collections }) => collections) ?? [];
  const names = [...new Set(chosen === "" ? known : [...known, chosen])].toSorted();
  return (
    <Labelled label="Collection">
      {(id) => (
        <select id={id} className="field" value={chosen} onChange={(event) => onChoose(event.target.value)}>
          <option value="">All of them</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
