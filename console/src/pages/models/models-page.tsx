import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import type { ModelsView, ModelView } from "../../../../src/contract/model-view.ts";
import { useApi } from "../../api/api.tsx";
import { Banner } from "../../parts/banner.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { Opened } from "../../parts/opened.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { focusRow, useRowKeys } from "../../parts/use-row-keys.ts";
import { useAddress } from "../../shell/use-address.ts";
import { counted } from "../../words/plain.ts";
import { MigrationCard } from "./migration-card.tsx";
import { ModelCard } from "./model-card.tsx";
import { inOrder, ModelTable } from "./model-table.tsx";
import css from "./models.module.css";

/** Which models are used, when they end, and the moves from one to another. Nothing here changes them: the commands are for the terminal. */
export function ModelsPage(): ReactNode {
  return (
    <Opened to="models" title="Models">
      <Board />
    </Opened>
  );
}

function Board(): ReactNode {
  const { client } = useApi();
  const { data, error, refetch } = useQuery({ queryKey: ["models"], queryFn: () => client.models() });
  return (
    <div className="page">
      <PageHeading title="Models" aside="what is used, when it ends, and what takes its place" />
      {data === undefined ? (
        error === null ? (
          <LoadingRows what="the models" rows={6} height={34} />
        ) : (
          <ErrorState error={error} what="The models" again={() => void refetch()} />
        )
      ) : (
        <Views view={data} />
      )}
    </div>
  );
}

function Views({ view: { models, migrations } }: { readonly view: ModelsView }): ReactNode {
  return (
    <div className={css["views"]}>
      <section aria-labelledby="inventory-title">
        <h2 id="inventory-title">In use</h2>
        {models.length === 0 ? (
          <EmptyState
            title="No model is named."
            detail="Every capability of this project is decided by a rule, so nothing here can end. A definition that names one is listed here."
            link={{ to: "/policies", words: "Policies" }}
          />
        ) : (
          <Inventory models={inOrder(models)} migrations={migrations} />
        )}
      </section>
      <section aria-labelledby="migrations-title">
        <h2 id="migrations-title">Moves from one model to another</h2>
        {migrations.length === 0 ? (
          <p className="detail">
            No capability moves. A move begins with <code>countersign migrate plan</code>; the chosen model above says how.
          </p>
        ) : (
          migrations.map((migration) => <MigrationCard key={migration.id} migration={migration} />)
        )}
      </section>
    </div>
  );
}

function Inventory({
  models,
  migrations,
}: {
  readonly models: readonly ModelView[];
  readonly migrations: ModelsView["migrations"];
}): ReactNode {
  const { search, set } = useAddress();
  const card = useRef<HTMLDivElement>(null);
  const opened = models.find(({ model }) => model === search["model"]);
  const chosen = opened?.model ?? null;
  const choose = (model: string | null) => {
    set({ model: model ?? undefined }, chosen !== null && model !== null);
    if (model !== null) requestAnimationFrame(() => card.current?.scrollIntoView({ block: "nearest" }));
  };
  const close = () => {
    choose(null);
    if (chosen !== null) focusRow(chosen);
  };
  useRowKeys({ ids: models.map(({ model }) => model), chosen, onChoose: choose });
  return (
    <>
      <Due models={models} />
      <ModelTable models={models} chosen={chosen} onChoose={choose} />
      <div ref={card}>{opened === undefined ? null : <ModelCard model={opened} migrations={migrations} onClose={close} />}</div>
    </>
  );
}

function Due({ models }: { readonly models: readonly ModelView[] }): ReactNode {
  const due = models.filter(({ isDue }) => isDue);
  if (due.length === 0) return null;
  return (
    <Banner title={`${counted(due.length, "model")} ${due.length === 1 ? "ends" : "end"} soon, or ended.`}>
      What names an ended one gets no reply from it. Choose one to see what to do next.
    </Banner>
  );
}
