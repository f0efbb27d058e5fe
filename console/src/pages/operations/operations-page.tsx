import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { resolvedOutcomes } from "../../../../src/contract/words.ts";
import { useApi } from "../../api/api.tsx";
import { KeyCap } from "../../parts/button.tsx";
import { Opened } from "../../parts/opened.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { focusRow, useRowKeys } from "../../parts/use-row-keys.ts";
import { tell } from "../../shell/told.tsx";
import { useAddress } from "../../shell/use-address.ts";
import { OperationDetail } from "./operation-detail.tsx";
import { OperationFilters, OperationRows, type Operations, useOperations } from "./operation-list.tsx";
import { showOf } from "./operation-words.ts";
import css from "./operations.module.css";
import { useWhyClosed } from "./resolve-bar.tsx";

/** What was applied, and what was seen of it: the list, and one operation beside it. */
export function OperationsPage(): ReactNode {
  return (
    <Opened to="operations" title="Operations">
      <Board />
    </Opened>
  );
}

function Board(): ReactNode {
  const { search, set } = useAddress();
  const show = showOf(search["show"]);
  const effect = search["effect"] ?? "";
  const find = search["find"] ?? "";
  const chosen = search["item"] ?? null;
  const step = resolvedOutcomes.find((outcome) => outcome === search["say"]) ?? null;
  const operations = useOperations({ show, effect, find });
  const field = useRef<HTMLInputElement>(null);
  const choose = (item: string | null) => set({ item: item ?? undefined, say: undefined }, chosen !== null && item !== null);
  const close = () => {
    choose(null);
    if (chosen !== null) focusRow(chosen);
  };
  const keys = useResolveKeys({ chosen, isFormOpen: step !== null, onStep: (say) => set({ say }) });
  useRowKeys(
    { ids: operations.rows.map(({ id }) => id), chosen, onChoose: choose },
    { "/": () => field.current?.focus(), ...keys },
  );
  return (
    <div className={`split ${chosen === null ? "" : "split-open"}`}>
      <div className="page">
        <PageHeading title="Operations" aside="what was applied, and what was seen" />
        <div className="toolbar">
          <OperationFilters show={show} onShow={(next) => set({ show: next === "all" ? undefined : next, item: undefined })} />
          <div className={css["finders"]}>
            <EffectChoice operations={operations} effect={effect} onEffect={(next) => set({ effect: next, item: undefined })} />
            <label className={css["find"]}>
              <span className="hidden">Find in the list: words, effect or key</span>
              <input
                ref={field}
                type="search"
                className="field"
                placeholder="Words, effect or key"
                aria-keyshortcuts="/"
                value={find}
                onChange={(event) => set({ find: event.target.value || undefined }, true)}
              />
              <KeyCap>/</KeyCap>
            </label>
          </div>
        </div>
        <OperationRows
          operations={operations}
          show={show}
          isFiltered={find !== "" || effect !== ""}
          chosen={chosen}
          onChoose={choose}
        />
        {show === "all" && operations.rows.length > 0 ? (
          <p className={`meta ${css["foot"]}`}>
            What is unknown, failed or left to people stays on top until a person or a read has ended it.
          </p>
        ) : null}
      </div>
      {chosen === null ? null : (
        <aside aria-label="The chosen operation">
          <h1 className="covered-title">Operations</h1>
          <OperationDetail id={chosen} step={step} onStep={(say) => set({ say: say ?? undefined })} onClose={close} />
        </aside>
      )}
    </div>
  );
}

/** `a` opens the form of what is left to people, `x` says when it goes to people; `esc` leaves the form before it leaves the operation. */
function useResolveKeys({
  chosen,
  isFormOpen,
  onStep,
}: {
  readonly chosen: string | null;
  readonly isFormOpen: boolean;
  readonly onStep: (step: string | undefined) => void;
}) {
  const { client } = useApi();
  const { data } = useQuery({
    queryKey: ["operations", "one", chosen],
    queryFn: () => client.operation(chosen ?? ""),
    enabled: chosen !== null,
  });
  const closed = useWhyClosed(data);
  if (chosen === null) return {};
  if (isFormOpen) return { esc: () => onStep(undefined), j: undefined, k: undefined };
  const accept = () => {
    if (closed === null && data?.resolvable.includes("happened")) onStep("happened");
    else tell(closed ?? "That cannot be said of it.");
  };
  return { a: accept, x: () => tell(closed ?? "It was left to people already.") };
}

function EffectChoice({
  operations: { rows },
  effect,
  onEffect,
}: {
  readonly operations: Operations;
  readonly effect: string;
  readonly onEffect: (effect: string | undefined) => void;
}): ReactNode {
  const known = [...new Set([...rows.map((row) => row.effect), ...(effect === "" ? [] : [effect])])].toSorted();
  return (
    <label>
      <span className="hidden">Effect</span>
      <select className="field" value={effect} onChange={(event) => onEffect(event.target.value || undefined)}>
        <option value="">All effects</option>
        {known.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
