import { type ReactNode, useRef } from "react";
import { Button } from "../../parts/button.tsx";
import { MoreRows } from "../../parts/data-table.tsx";
import { EmptyState, ErrorState, LoadingRows } from "../../parts/notice.tsx";
import { Opened } from "../../parts/opened.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { focusRow, useRowKeys } from "../../parts/use-row-keys.ts";
import { useAddress } from "../../shell/use-address.ts";
import { counted } from "../../words/plain.ts";
import { EntryDetail } from "./entry-detail.tsx";
import css from "./ledger.module.css";
import { type Asked, askedOf, isNarrowed, LedgerFilters } from "./ledger-filters.tsx";
import { LedgerTable } from "./ledger-table.tsx";
import { Offline } from "./offline.tsx";
import { ShownCheckCard, useShownCheck } from "./shown-check.tsx";
import { StateCard } from "./state-card.tsx";
import { TamperCard, VerifyButton } from "./tamper-card.tsx";
import { type Entries, useEntries } from "./use-entries.ts";

/** The ledger: how far it holds, its entries, and what this browser can verify of them by itself. */
export function LedgerPage(): ReactNode {
  return (
    <Opened to="ledger" title="Ledger">
      <Board />
    </Opened>
  );
}

function Board(): ReactNode {
  const { search, set } = useAddress();
  const asked = askedOf(search);
  const chosen = search["item"] ?? null;
  const entries = useEntries(asked);
  const checking = useShownCheck(entries.rows, entries.state);
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const choose = (item: string | null) => set({ item: item ?? undefined }, chosen !== null && item !== null);
  const close = () => {
    choose(null);
    if (chosen !== null) focusRow(chosen);
  };
  const verify = () => {
    if (!checking.isBusy && entries.rows.length > 0) checking.begin();
  };
  useRowKeys(
    { ids: entries.rows.map(({ id }) => id), chosen, onChoose: choose },
    { "/": () => field.current?.focus(), ".": entries.load, v: verify },
  );
  return (
    <div className={`split ${chosen === null ? "" : "split-open"}`}>
      <div className="page" ref={scroller}>
        <PageHeading title="Ledger">
          <VerifyButton isBusy={checking.isBusy} onVerify={verify} />
        </PageHeading>
        <State entries={entries} onOffline={() => set({ offline: "open" })} onOpen={choose} />
        {search["offline"] === "open" ? <Offline onClose={() => set({ offline: undefined })} /> : null}
        <ShownCheckCard checking={checking} />
        <LedgerFilters asked={asked} field={field} onAsk={(changed) => set({ ...changed, item: undefined })} />
        <Above asked={asked} entries={entries} onSeal={(seal) => set({ seal, item: undefined })} />
        <List asked={asked} entries={entries}>
          <LedgerTable
            lines={entries.rows}
            scroller={scroller}
            chosen={chosen}
            broken={entries.state?.break?.entryId ?? null}
            onChoose={choose}
          />
        </List>
      </div>
      {chosen === null ? null : (
        <aside aria-label="The chosen entry">
          <h1 className="covered-title">Ledger</h1>
          <EntryDetail key={chosen} id={chosen} onOpen={choose} onClose={close} />
        </aside>
      )}
    </div>
  );
}

function State({
  entries: { state, stateError, again },
  onOffline,
  onOpen,
}: {
  readonly entries: Entries;
  readonly onOffline: () => void;
  readonly onOpen: (id: string) => void;
}): ReactNode {
  if (stateError !== null) return <ErrorState error={stateError} what="The state of the ledger" again={again} />;
  if (state === undefined) return <LoadingRows what="the state of the ledger" rows={2} />;
  if (state.break !== null) return <TamperCard state={state} found={state.break} onOpen={onOpen} />;
  return <StateCard state={state} onOffline={onOffline} />;
}

/** What stands above the list: its order, what waits for its seal, and what came since it was read. */
function Above({
  asked,
  entries: { state, newCount, load },
  onSeal,
}: {
  readonly asked: Asked;
  readonly entries: Entries;
  readonly onSeal: (seal: string | undefined) => void;
}): ReactNode {
  const waiting = state?.unsealed.count ?? 0;
  return (
    <div className={css["above"]}>
      <p className="meta">
        {asked.isUnsealed ? "Waiting for their seal, oldest first." : "Sealed, newest first."}{" "}
        {asked.isUnsealed ? (
          <button type="button" className="link" onClick={() => onSeal(undefined)}>
            Back to the chain
          </button>
        ) : waiting > 0 ? (
          <button type="button" className="link" onClick={() => onSeal("waits")}>
            {counted(waiting, "entry", "entries")} wait for a seal
          </button>
        ) : null}
      </p>
      <p role="status">
        {newCount === 0 || asked.isUnsealed ? null : (
          <>
            <strong>{isNarrowed(asked) ? `The ledger grew by ${newCount}.` : `${newCount} new.`}</strong> Order held while you
            read.{" "}
            <Button isSmall keyName="." onClick={load}>
              Load
            </Button>
          </>
        )}
      </p>
    </div>
  );
}

function List({
  asked,
  entries,
  children,
}: {
  readonly asked: Asked;
  readonly entries: Entries;
  readonly children: ReactNode;
}): ReactNode {
  const { rows, error, isPending, again, hasMore, isLoadingMore, more } = entries;
  if (error !== null) return <ErrorState error={error} what="The ledger" again={again} />;
  if (isPending) return <LoadingRows what="the ledger" rows={12} height={35} />;
  return (
    <>
      {rows.length > 0 ? children : <None asked={asked} hasMore={hasMore} />}
      <MoreRows hasMore={hasMore} isLoading={isLoadingMore} onMore={more} what="entries" />
    </>
  );
}

function None({ asked, hasMore }: { readonly asked: Asked; readonly hasMore: boolean }): ReactNode {
  const all = { to: "/ledger", words: "Show the whole ledger" };
  if (asked.isUnsealed)
    return <EmptyState title="Everything is sealed." detail="Entries are sealed within a second." link={all} />;
  if (hasMore)
    return <EmptyState title="Nothing in this stretch of the chain fits." detail="There is more of it below." link={all} />;
  if (isNarrowed(asked))
    return (
      <EmptyState title="Nothing fits." detail="The whole chain was looked through, as far as it is open to you." link={all} />
    );
  return (
    <EmptyState
      title="The ledger is empty."
      detail="Each decision writes its first entry."
      link={{ to: "/", words: "Ask for something" }}
    />
  );
}
