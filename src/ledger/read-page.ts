import type { ReadPage } from "../contract/page.ts";
import type { SightOf } from "../contract/ports.ts";
import type { Principal } from "../contract/principal.ts";
import type { DecisionView } from "../contract/views.ts";
import type { Tx } from "../store/database.ts";
import { seeingOfBody } from "./explain/related.ts";
import type { ListedDecision, ListedPage } from "./lists.ts";
import type { PayloadKeys } from "./payload.ts";
import { readDecisions } from "./read.ts";
import { seeingOf } from "./seeing.ts";
import { viewDecision } from "./view.ts";

/** Most decisions that one page looks at: where fewer of them fit than were asked for, the next page goes on from there. */
const mostLookedAt = 400;

interface Paging {
  readonly tx: Tx;
  readonly of: { readonly principal: Principal; readonly limit: number; readonly after: string | null };
  readonly keys: PayloadKeys;
  readonly sightOf: SightOf;
  /** Gives some decisions after a place. */
  readonly list: (tx: Tx, after: string | null, limit: number) => Promise<ListedPage>;
  /** Whether a view belongs in the list. */
  readonly fits: (view: DecisionView) => boolean;
}

/** Reads one page of views in the order of `list`: of what the principal may see, what fits. What they may not see leaves no gap. */
export async function readPage(paging: Paging): Promise<ReadPage<DecisionView, [string]>> {
  const { tx, of, list } = paging;
  const items: DecisionView[] = [];
  let { after } = of;
  for (let looked = 0; looked < mostLookedAt; ) {
    const { rows, end } = await list(tx, after, of.limit);
    looked += Math.max(rows.length, 1);
    for (const view of await viewsOf(rows, paging)) {
      items.push(view);
      if (items.length === of.limit) return { items, last: lastAfter(view, rows, end) };
    }
    if (end === null) return { items, last: null };
    after = end;
  }
  return { items, last: after === null ? null : [after] };
}

/** After a page that is full: its last item, unless nothing came after that. */
function lastAfter({ id }: DecisionView, rows: readonly ListedDecision[], end: string | null): [string] | null {
  return end === null && rows.at(-1)?.id === id ? null : [id];
}

async function viewsOf(rows: readonly ListedDecision[], { tx, of, keys, sightOf, fits }: Paging): Promise<DecisionView[]> {
  const { principal } = of;
  const seen = rows.filter(({ body }) => sightOf(seeingOfBody(principal, body)) !== null);
  const decisionIds = seen.map(({ id }) => id);
  const stories = await readDecisions({ tx, tenant: principal.tenant, decisionIds, keys, unreadable: "mark" });
  return decisionIds.flatMap((id) => {
    const read = stories.get(id);
    if (read?.kind === "failed") throw read.thrown;
    const story = read?.story ?? null;
    const sight = story === null ? null : sightOf(seeingOf(principal, story));
    const view = story === null || sight === null ? null : viewDecision(story, sight);
    return view !== null && fits(view) ? [view] : [];
  });
}
