import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { AutonomyView } from "../../../../src/contract/autonomy.ts";
import { useApi } from "../../api/api.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { Opened } from "../../parts/opened.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { focusRow, useRowKeys } from "../../parts/use-row-keys.ts";
import { useAddress } from "../../shell/use-address.ts";
import { durationWords } from "../../words/times.ts";
import css from "./autonomy.module.css";
import { Demotions } from "./demotions.tsx";
import { RoutingMix } from "./routing-mix.tsx";
import { SliceDetail } from "./slice-detail.tsx";
import { SliceTable } from "./slice-table.tsx";
import { sliceKey } from "./slice-words.ts";
import { useOpening } from "./use-opening.ts";

/** What may go through without a person, slice by slice: what was earned, what could be signed, and what was taken back. */
export function AutonomyPage(): ReactNode {
  return (
    <Opened to="autonomy" title="Autonomy">
      <Board />
    </Opened>
  );
}

function Board(): ReactNode {
  const { client } = useApi();
  const { search, set } = useAddress();
  const opening = useOpening();
  const { data, error, refetch } = useQuery({
    queryKey: ["autonomy"],
    queryFn: () => client.autonomy(),
    refetchInterval: ({ state }) => (opening.isUnderWay(state.data) ? 1000 : false),
  });
  const slices = data?.slices ?? [];
  const chosen = slices.find((slice) => sliceKey(slice) === search["item"]) ?? null;
  const key = chosen === null ? null : sliceKey(chosen);
  const choose = (item: string | null) => set({ item: item ?? undefined, at: undefined, sign: undefined }, item !== null);
  const close = () => {
    choose(null);
    if (key !== null) focusRow(key);
  };
  const isAsked = search["sign"] !== undefined;
  const back = { esc: () => set({ sign: undefined }, true), j: undefined, k: undefined };
  useRowKeys({ ids: slices.map(sliceKey), chosen: key, onChoose: choose }, isAsked ? back : {});
  return (
    <div className={`split ${chosen === null ? "" : "split-open"}`}>
      <div className="page">
        <PageHeading title="Autonomy" aside={data === undefined ? "" : `last ${durationWords(data.until - data.from)}`} />
        <p className={`detail ${css["lead"]}`}>
          What may go through by policy, per slice. More only with a signature; less at once and by itself.
        </p>
        {data === undefined ? (
          <Unread error={error} again={() => void refetch()} />
        ) : (
          <Slices view={data} chosen={key} onChoose={choose} />
        )}
        <RoutingMix />
      </div>
      {chosen === null ? null : (
        <aside aria-label="The chosen slice">
          <h1 className="covered-title">Autonomy</h1>
          <SliceDetail key={key} slice={chosen} opening={opening} onClose={close} />
        </aside>
      )}
    </div>
  );
}

function Unread({ error, again }: { readonly error: Error | null; readonly again: () => void }): ReactNode {
  if (error === null) return <LoadingRows what="the slices" rows={5} height={34} />;
  return <ErrorState error={error} what="The slices" again={again} />;
}

function Slices({
  view: { slices, demotions },
  chosen,
  onChoose,
}: {
  readonly view: AutonomyView;
  readonly chosen: string | null;
  readonly onChoose: (item: string) => void;
}): ReactNode {
  if (slices.length === 0 && demotions.length === 0)
    return (
      <EmptyState
        title="No slice has any decision yet."
        detail="Every proposal goes to a person. A slice shows here with its first decision, and earns more by what people sign."
        link={{ to: "/", words: "Back to Ask" }}
      />
    );
  return (
    <>
      <SliceTable slices={slices} chosen={chosen} onChoose={onChoose} />
      <Demotions demotions={demotions} />
    </>
  );
}
