import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { FoundPassages } from "../../../../src/contract/found-passages.ts";
import type { PassageSearch } from "../../../../src/contract/look-up.ts";
import { useApi } from "../../api/api.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { focusRow, useRowKeys } from "../../parts/use-row-keys.ts";
import { tell } from "../../shell/told.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { counted } from "../../words/plain.ts";
import { Activity, Permission } from "./activity.tsx";
import { Legs } from "./legs.tsx";
import { Dropped, PassageCard } from "./passage-card.tsx";
import css from "./search.module.css";
import { namesOf } from "./search-words.ts";

/** Searches, and shows what came of it: the permission, the legs, what was dropped and one passage. */
export function Found({ asked }: { readonly asked: PassageSearch }): ReactNode {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ["search", "found", asked],
    queryFn: () => client.search(asked),
    retry: false,
  });
  const count = data?.content.length;
  useEffect(() => {
    if (count !== undefined) tell(count === 0 ? "Nothing was found." : `${counted(count, "passage")} found.`);
  }, [count]);
  if (data !== undefined) return <FoundBoard found={data} asked={asked} />;
  if (error !== null) return <ErrorState error={error} what="The search" again={() => void refetch()} />;
  return <LoadingRows what="what is found" rows={6} height={54} />;
}

function FoundBoard({ found, asked }: { readonly found: FoundPassages; readonly asked: PassageSearch }): ReactNode {
  const { session } = useApi();
  const { search, set } = useAddress();
  const passage = useRef<HTMLDivElement>(null);
  const ids = found.content.map(({ id }) => id);
  const chosen = ids.find((id) => id === search["open"]) ?? null;
  const choose = (id: string | null) => set({ open: id ?? undefined }, chosen !== null && id !== null);
  const open = (id: string | null) => {
    choose(id);
    if (id !== null) requestAnimationFrame(() => passage.current?.scrollIntoView({ block: "nearest" }));
  };
  const close = () => {
    choose(null);
    if (chosen !== null) focusRow(chosen);
  };
  useRowKeys({ ids, chosen, onChoose: open });
  const isOneLeg = found.activity.legs.length < 2;
  const card = (
    <div ref={passage}>
      <PassageCard found={found} chosen={chosen} query={asked.query} onClose={close} />
    </div>
  );
  return (
    <>
      <Permission filters={found.activity.filters} who={session.name} />
      {ids.length === 0 ? (
        <EmptyState
          title="Nothing was found."
          detail="Nothing that you may see, and that is in force at that time, answers to the query. Use other words, or see how far the sources are read."
          link={{ to: "/search", words: "Begin anew" }}
        />
      ) : (
        <>
          <div className={isOneLeg ? css["beside"] : undefined}>
            <Legs found={found} chosen={chosen} onChoose={open} />
            {isOneLeg ? card : null}
          </div>
          <div className={isOneLeg ? css["under"] : css["below"]}>
            <Dropped found={found} nameOf={namesOf(found)} />
            {isOneLeg ? null : card}
          </div>
        </>
      )}
      <div className={css["foot"]}>
        <Activity activity={found.activity} />
        <CopyButton text={JSON.stringify(asked, null, 2)}>Copy the question as JSON</CopyButton>
      </div>
    </>
  );
}
