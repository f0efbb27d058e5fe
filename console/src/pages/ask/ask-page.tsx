import { type ReactNode, useEffect, useRef } from "react";
import { useApi } from "../../api/api.tsx";
import { usePaged } from "../../api/pages.ts";
import { useTitle } from "../../parts/page-heading.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useAddress } from "../../shell/use-address.ts";
import css from "./ask.module.css";
import { AskField } from "./ask-field.tsx";
import { BeingDecided } from "./being-decided.tsx";
import { type OpenSource, RequestList, withoutPicks } from "./request-list.tsx";
import { sourceKeys } from "./source-keys.ts";
import { SourcePanel } from "./source-panel.tsx";
import { useAsking } from "./use-asking.ts";

/** Where a person asks, and sees later where it stands. */
export function AskPage(): ReactNode {
  useTitle("Ask");
  const { client } = useApi();
  const { search, set } = useAddress();
  const field = useRef<HTMLTextAreaElement>(null);
  const requests = usePaged(["decisions", "mine"], (cursor) =>
    client.decisions({ of: "mine", ...(cursor === undefined ? {} : { cursor }) }),
  );
  const asking = useAsking(() => set({ of: undefined, source: undefined }, true));
  const opened = openedOf(search["of"], search["source"]);
  const view = requests.rows.find(({ id }) => id === opened?.decisionId);
  const open = (next: OpenSource | null) => {
    set({ of: next?.decisionId, source: next === null ? undefined : String(next.number) }, opened !== null && next !== null);
    if (next === null && opened !== null) focusSource(opened);
  };
  useShown(view?.id);
  useSourceKeys({ rows: requests.rows, opened, open, onFind: () => field.current?.focus() });
  const again = (text: string) => {
    asking.type(text);
    field.current?.focus();
  };
  return (
    <div className={`${css["page"]} ${view === undefined ? "" : css["page-open"]}`}>
      <div className={css["list"]}>
        <div className={css["column"]}>
          <h1 className="hidden">Ask</h1>
          <AskField asking={asking} field={field} />
          {asking.pending === null ? null : <BeingDecided text={asking.pending.text} at={asking.pending.at} />}
          <RequestList requests={requests} opened={opened} onSource={open} onAgain={again} />
        </div>
      </div>
      {view === undefined || opened === null ? null : (
        <aside className={css["source"]} aria-label="The opened source">
          <SourcePanel
            view={view}
            number={opened.number}
            onOpen={(number) => open(number === null ? null : { decisionId: view.id, number })}
          />
        </aside>
      )}
    </div>
  );
}

/** A number opens a source of the opened answer, else of the newest one; brackets turn; `esc` closes; `/` leads to the field. */
function useSourceKeys({
  rows,
  opened,
  open,
  onFind,
}: {
  readonly rows: Parameters<typeof withoutPicks>[0];
  readonly opened: OpenSource | null;
  readonly open: (next: OpenSource | null) => void;
  readonly onFind: () => void;
}): void {
  const view = rows.find(({ id }) => id === opened?.decisionId) ?? withoutPicks(rows).find(({ claims }) => claims.length > 0);
  const decisionId = view?.id;
  const onOpen = (number: number) => (decisionId === undefined ? undefined : open({ decisionId, number }));
  useKeys({
    ...sourceKeys(view, { at: opened?.number ?? null, onOpen }),
    esc: opened === null ? undefined : () => open(null),
    "/": onFind,
  });
}

function openedOf(decisionId: string | undefined, source: string | undefined): OpenSource | null {
  const number = Number(source);
  return decisionId === undefined || !Number.isInteger(number) || number < 1 ? null : { decisionId, number };
}

/** Whoever comes with a source in the address sees the answer that it belongs to. */
function useShown(decisionId: string | undefined): void {
  useEffect(() => {
    if (decisionId === undefined) return;
    document.querySelector(`[data-request="${CSS.escape(decisionId)}"]`)?.scrollIntoView({ block: "nearest" });
  }, [decisionId]);
}

/** Focus returns to the number that opened the source. */
function focusSource({ decisionId, number }: OpenSource): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-request="${CSS.escape(decisionId)}"] [data-source="${number}"]`)?.focus(),
  );
}
