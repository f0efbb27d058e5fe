import { CountersignError } from "../../contract/errors.ts";
import type { OperationLine, OperationSummary, OperationView } from "../../contract/operation-view.ts";
import type { ReadPage } from "../../contract/page.ts";
import type { Door } from "../../contract/permitted.ts";
import type { SightOf } from "../../contract/ports.ts";
import type { Principal } from "../../contract/principal.ts";
import type { DecisionView } from "../../contract/views.ts";
import type { OperationState } from "../../contract/words.ts";
import type { Database, Tx } from "../../store/database.ts";
import { isId } from "../../store/ids.ts";
import type { OperationRow } from "../../store/tables.ts";
import type { StoreTime } from "../../store/time.ts";
import { seeingOfBody } from "../explain/related.ts";
import type { PayloadKeys } from "../payload.ts";
import { operationLine, operationView, type SeenOperation } from "./operation-line.ts";
import {
  groupNewest,
  groupOpen,
  mostCountedOperations,
  type OperationGroup,
  openStates,
  readOperationRow,
  readOperationRows,
} from "./operation-rows.ts";
import { readSeenStories } from "./seen-stories.ts";

/** What people are told of operations; `forbidden` for whoever that board is not open to. */
export interface OperationBoard {
  /** Newest first, as far as this principal may see the decisions that they belong to. A page may hold fewer than were asked for. */
  readonly operations: (asking: {
    readonly principal: Principal;
    readonly states?: readonly OperationState[];
    readonly effect?: string | null;
    readonly capability?: string | null;
    readonly limit: number;
    readonly after?: string | null;
  }) => Promise<ReadPage<OperationLine, [string]>>;
  /** How many stand how. */
  readonly operationSummary: (asking: { principal: Principal }) => Promise<OperationSummary>;
  /** One operation; `not_found` where it does not exist or this principal may not see it. */
  readonly operation: (asking: { principal: Principal; id: string }) => Promise<OperationView>;
}

/** What the board is made from. `shown` adds to views what the definitions and the stops say. */
export interface OperationBoardParts {
  readonly database: Database;
  readonly keys: PayloadKeys;
  readonly sightOf: SightOf;
  readonly door: Door;
  readonly storeTime: StoreTime;
  readonly shown: (principal: Principal, views: readonly DecisionView[]) => Promise<readonly DecisionView[]>;
}

/** Most rows that one page looks at: where fewer of them may be seen than were asked for, the next page goes on from there. */
const mostLookedAt = 400;
const dayMs = 24 * 60 * 60 * 1_000;

/** Opens the board. */
export function operationBoard(parts: OperationBoardParts): OperationBoard {
  const { database, door, storeTime } = parts;
  return {
    operations: async ({ principal, states = [], effect = null, capability = null, limit, after = null }) => {
      door(principal);
      const question = { tenant: principal.tenant, states, effect, capability };
      const { seen, last } = await database.inSnapshot(principal.tenant, (tx) =>
        readPage({ tx, parts, principal, after, limit }, (from, most) =>
          readOperationRows(tx, { ...question, after: from, limit: most }),
        ),
      );
      return { items: (await withShown(parts, principal, seen)).map(operationLine), last };
    },
    operationSummary: async ({ principal }) => {
      door(principal);
      return database.inSnapshot(principal.tenant, async (tx) => summaryOf(tx, { parts, principal, now: await storeTime(tx) }));
    },
    operation: async ({ principal, id }) => {
      door(principal);
      const seen = isId(id)
        ? await database.inSnapshot(principal.tenant, async (tx) => {
            const row = await readOperationRow(tx, { tenant: principal.tenant, id });
            return row === null ? [] : seenOf(tx, { parts, principal, rows: [row] });
          })
        : [];
      const [one] = await withShown(parts, principal, seen);
      if (one === undefined) throw new CountersignError("not_found", "no operation of that id is open to you");
      return operationView(one);
    },
  };
}

type Reading = { readonly parts: OperationBoardParts; readonly principal: Principal };

async function readPage(
  { tx, limit, after, ...reading }: Reading & { readonly tx: Tx; readonly limit: number; readonly after: string | null },
  list: (after: string | null, limit: number) => Promise<readonly OperationRow[]>,
): Promise<{ readonly seen: readonly SeenOperation[]; readonly last: [string] | null }> {
  const seen: SeenOperation[] = [];
  let from = after;
  for (let looked = 0; looked < mostLookedAt; looked += limit) {
    const rows = await list(from, limit + 1);
    const page = rows.slice(0, limit);
    const found = await seenOf(tx, { ...reading, rows: page });
    for (const [place, one] of found.entries()) {
      seen.push(one);
      if (seen.length < limit) continue;
      const isLast = place === found.length - 1 && one.row === page.at(-1) && rows.length <= limit;
      return { seen, last: isLast ? null : [one.row.id] };
    }
    if (rows.length <= limit) return { seen, last: null };
    from = page.at(-1)?.id ?? null;
  }
  return { seen, last: from === null ? null : [from] };
}

async function seenOf(
  tx: Tx,
  { parts: { keys, sightOf }, principal, rows }: Reading & { readonly rows: readonly OperationRow[] },
): Promise<readonly SeenOperation[]> {
  const stories = await readSeenStories(tx, { principal, keys, sightOf, decisionIds: rows.map((row) => row.decision_id) });
  return rows.flatMap((row) => {
    const of = stories.get(row.decision_id);
    return of === undefined ? [] : [{ row, ...of }];
  });
}

async function withShown(
  { shown }: OperationBoardParts,
  principal: Principal,
  seen: readonly SeenOperation[],
): Promise<readonly SeenOperation[]> {
  const views = new Map(seen.map(({ view }) => [view.id, view]));
  const known = new Map((await shown(principal, [...views.values()])).map((view) => [view.id, view]));
  return seen.map((one) => ({ ...one, view: known.get(one.view.id) ?? one.view }));
}

async function summaryOf(tx: Tx, { parts, principal, now }: Reading & { readonly now: number }): Promise<OperationSummary> {
  const { tenant } = principal;
  const endedFrom = now - dayMs;
  const sees = ({ body }: OperationGroup) => parts.sightOf(seeingOfBody(principal, body)) !== null;
  const open = (await groupOpen(tx, tenant)).filter(sees);
  const newest = await groupNewest(tx, { tenant, from: endedFrom });
  const oldest = open.map(({ oldest: at }) => at.getTime());
  return {
    open: countsOf(open),
    isOpenOver: totalOf(open) > mostCountedOperations,
    ended: countsOf(newest.filter((group) => !isOpen(group) && sees(group))),
    endedFrom,
    isEndedOver: totalOf(newest) > mostCountedOperations,
    oldestOpenAt: oldest.length === 0 ? null : Math.min(...oldest),
  };
}

const isOpen = ({ state }: OperationGroup) => openStates.includes(state);

function countsOf(groups: readonly OperationGroup[]): OperationSummary["open"] {
  return [...Map.groupBy(groups, ({ state }) => state)].map(([state, ofState]) => ({ state, count: totalOf(ofState) }));
}

function totalOf(groups: readonly OperationGroup[]): number {
  return groups.reduce((sum, { counted }) => sum + counted, 0);
}
