import type { ReactNode } from "react";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { KindChip } from "../../parts/provenance.tsx";
import { EvidencePage } from "../review/evidence-page.tsx";
import css from "./ask.module.css";
import { type NumberedSource, sourcesOf } from "./sources-of.ts";
import { useSources } from "./use-sources.ts";

/** One source of an answer beside it: the passage, record or fact with the claims that it backs. */
export function SourcePanel({
  view,
  number,
  onOpen,
}: {
  readonly view: DecisionView;
  readonly number: number;
  readonly onOpen: (number: number | null) => void;
}): ReactNode {
  const { data, error, refetch } = useSources(view);
  const source = sourcesOf(view).find((one) => one.number === number);
  const item = data?.find((one) => one.number === number);
  if (data !== undefined && item !== undefined)
    return <EvidencePage item={item} items={data} claims={view.claims} onOpen={onOpen} />;
  return (
    <section className={css["panel"]} aria-label="Source">
      <PanelHead source={source} onClose={() => onOpen(null)} />
      {data === undefined && error === null ? <LoadingRows what="the source" rows={3} height={96} /> : null}
      {error === null || data !== undefined ? null : <ErrorState error={error} what="The source" again={() => void refetch()} />}
      {data === undefined ? null : <Named source={source} />}
    </section>
  );
}

function PanelHead({
  source,
  onClose,
}: {
  readonly source: NumberedSource | undefined;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <header className={css["panel-head"]}>
      <h2>
        {source === undefined ? "No source" : <span className="key">{source.number}</span>} {source?.citation}
      </h2>
      {source === undefined ? null : <KindChip kind={source.kind} />}
      <Button isSmall keyName="esc" onClick={onClose}>
        Close
      </Button>
    </header>
  );
}

/** A source whose words are not shown: what is known of it, and why there is no more. */
function Named({ source }: { readonly source: NumberedSource | undefined }): ReactNode {
  if (source === undefined)
    return <p className="padded">This answer has no source of that number. Nothing is missing from it.</p>;
  return (
    <div className={css["named"]}>
      {source.backs.map((text) => (
        <p key={text}>Backs the claim “{text}”</p>
      ))}
      <p className="detail">{why[source.kind === "passage" ? "passage" : "other"]}</p>
    </div>
  );
}

const why = {
  passage: "The passage is not open to you today, or stands in its document no more. The answer names it as it was read.",
  other: "It was read for this answer alone and is named here as it was read. Whoever reviews decisions sees all of its fields.",
};
