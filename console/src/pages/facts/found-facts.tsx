import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { Fact } from "../../../../src/contract/fact.ts";
import type { FactQuestion } from "../../../../src/contract/look-up.ts";
import { useApi } from "../../api/api.tsx";
import { Banner } from "../../parts/banner.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { MarkOf } from "../../parts/mark.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { focusRow, useRowKeys } from "../../parts/use-row-keys.ts";
import { tell } from "../../shell/told.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { counted, plainName } from "../../words/plain.ts";
import { FactCard } from "./fact-card.tsx";
import { dayIn } from "./fact-words.ts";
import css from "./facts.module.css";
import { Timeline } from "./timeline.tsx";

/** Asks, and shows what was true then. */
export function FoundFacts({ asked }: { readonly asked: FactQuestion }): ReactNode {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ["facts", asked],
    queryFn: () => client.facts(asked),
    retry: false,
  });
  const count = data?.length;
  useEffect(() => {
    if (count !== undefined) tell(count === 0 ? "The facts do not say." : `${counted(count, "fact")} found.`);
  }, [count]);
  if (data === undefined && error !== null) return <ErrorState error={error} what="The question" again={() => void refetch()} />;
  if (data === undefined) return <LoadingRows what="the facts" rows={5} height={34} />;
  if (data.length === 0)
    return (
      <EmptyState
        title="The facts do not say."
        detail={`Nothing that you may see says anything of ${asked.subject} at that time. Ask of another time, or of all predicates.`}
        link={{ to: "/facts", words: "Begin anew" }}
      />
    );
  return <FactBoard facts={data} asked={asked} />;
}

function FactBoard({ facts, asked }: { readonly facts: readonly Fact[]; readonly asked: FactQuestion }): ReactNode {
  const { search, set } = useAddress();
  const card = useRef<HTMLDivElement>(null);
  const opened = facts.find(({ id }) => id === search["fact"]);
  const chosen = opened?.id ?? null;
  const choose = (id: string | null) => {
    set({ fact: id ?? undefined }, chosen !== null && id !== null);
    if (id !== null) requestAnimationFrame(() => card.current?.scrollIntoView({ block: "nearest" }));
  };
  const close = () => {
    choose(null);
    if (chosen !== null) focusRow(chosen);
  };
  useRowKeys({ ids: facts.map(({ id }) => id), chosen, onChoose: choose });
  return (
    <div className={css["found"]}>
      <Warnings facts={facts} />
      <DataTable
        caption="What was true"
        columns={facts.every(({ subject }) => subject === asked.subject) ? own : [subjectColumn, ...own]}
        rows={facts}
        keyOf={({ id }) => id}
        chosen={chosen}
        onChoose={({ id }) => choose(id)}
      />
      <div ref={card}>
        {opened === undefined ? null : (
          <FactCard
            fact={opened}
            facts={facts}
            onClose={close}
            onAsk={(subject) => set({ subject, predicates: undefined, fact: undefined })}
          />
        )}
      </div>
      <Timeline facts={facts} at={asked.at} />
    </div>
  );
}

function Warnings({ facts }: { readonly facts: readonly Fact[] }): ReactNode {
  const conflicts = facts.filter(({ isInConflict }) => isInConflict).length;
  return (
    <>
      {conflicts === 0 ? null : (
        <Banner title="Sources contradict each other.">
          {counted(conflicts, "fact")} of predicates that have one value at a time; none of them is taken without a person.
        </Banner>
      )}
      {facts.some(({ isCutOff }) => isCutOff) ? (
        <Banner title="There are more.">The list is not all: name the predicates, or take fewer steps.</Banner>
      ) : null}
    </>
  );
}

const subjectColumn: Column<Fact> = { name: "Subject", cell: ({ subject }) => subject };
const own: readonly Column<Fact>[] = [
  { name: "Predicate", cell: ({ predicate }) => plainName(predicate) },
  { name: "Object", cell: ({ object }) => <strong>{object}</strong> },
  { name: "True from", cell: ({ validFrom, zone }) => dayIn(validFrom, zone) },
  { name: "Until before", cell: ({ validTo, zone }) => (validTo === null ? "further notice" : dayIn(validTo, zone)) },
  { name: "Source", cell: ({ sourceTitle }) => sourceTitle },
  { name: "Notes", cell: (fact) => <Notes fact={fact} /> },
];

function Notes({ fact: { isInConflict, hasLater, label } }: { readonly fact: Fact }): ReactNode {
  const isOutside = label === "third" || label === "shared";
  if (!isInConflict && !hasLater && !isOutside) return <span className="meta">none</span>;
  return (
    <span className={css["notes"]}>
      {isInConflict ? (
        <span>
          <MarkOf name="warning" tone="wait" /> contradicted
        </span>
      ) : null}
      {hasLater ? <span>a later value is known; it does not apply then</span> : null}
      {isOutside ? <span className="outside">written outside of the house</span> : null}
    </span>
  );
}
