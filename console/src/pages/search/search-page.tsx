import { type ReactNode, useRef } from "react";
import { Filters } from "../../parts/data-table.tsx";
import { useNow } from "../../parts/now.tsx";
import { Opened } from "../../parts/opened.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { Found } from "./found.tsx";
import { searchOf, typedOf } from "./question.ts";
import { QuestionForm } from "./question-form.tsx";
import css from "./search.module.css";
import { Sources } from "./sources.tsx";

/** What would be found, for whom and why; and how far the index is behind its sources. Nothing is decided here. */
export function SearchPage(): ReactNode {
  return (
    <Opened to="operations" title="Search">
      <Board />
    </Opened>
  );
}

function Board(): ReactNode {
  const { search, set } = useAddress();
  const view = search["view"] === "sources" ? "sources" : "passages";
  return (
    <div className="page">
      <PageHeading title="Search" aside="what would be found for you, and why" />
      <div className="toolbar">
        <Filters
          label="What is shown"
          chosen={view}
          onChoose={(next) => set({ view: next === "passages" ? undefined : next })}
          options={[
            { value: "passages", words: "Passages" },
            { value: "sources", words: "Sources and their lag" },
          ]}
        />
      </div>
      {view === "sources" ? <Sources /> : <Passages />}
    </div>
  );
}

function Passages(): ReactNode {
  const { search } = useAddress();
  const field = useRef<HTMLInputElement>(null);
  const now = useNow("minute");
  const typed = typedOf(search);
  const { asked } = searchOf(typed, now + 60_000);
  useKeys({ "/": () => field.current?.focus() });
  return (
    <>
      <QuestionForm field={field} />
      {asked === null ? null : <Found asked={asked} />}
      {typed.query === "" ? (
        <p className={`detail ${css["lead"]}`}>
          What is found stands here: what each leg found, what came of joining them, and the passage itself. It is searched with
          your own permission.
        </p>
      ) : null}
    </>
  );
}
