import { sql } from "kysely";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow, OperationRow } from "../store/tables.ts";
import { textAt } from "./fields.ts";
import { parseProposal } from "./parse-entry.ts";
import type { PayloadKeys } from "./payload.ts";
import { type EntryRow, readEntry, readOr, type Unreadable } from "./read-entry.ts";
import type { DecisionStory } from "./story.ts";

export type { DecisionStory } from "./story.ts";

/** How a story is read. */
export interface ReadStories {
  readonly tx: Tx;
  readonly tenant: string;
  readonly keys: PayloadKeys;
  readonly unreadable?: Unreadable;
}

/** What reading one of several stories came to: it, `null` where no such decision has ended, or what was thrown over it. */
export type StoryRead =
  | { readonly kind: "read"; readonly story: DecisionStory | null }
  | { readonly kind: "failed"; readonly thrown: unknown };

/**
 * Reads one decision's story; `null` where no such decision of this tenant has ended. Throws `payload_unreadable`, unless what cannot
 * be read is to be marked: then the entry stands there without what it held.
 */
export async function readDecision({
  decisionId,
  ...reading
}: ReadStories & { decisionId: string }): Promise<DecisionStory | null> {
  const read = (await readDecisions({ ...reading, decisionIds: [decisionId] })).get(decisionId);
  if (read?.kind === "failed") throw read.thrown;
  return read?.story ?? null;
}

/** Reads the stories of several decisions in as many queries as one takes. One that cannot be read spoils none of the others. */
export async function readDecisions({
  decisionIds,
  ...reading
}: ReadStories & { decisionIds: readonly string[] }): Promise<ReadonlyMap<string, StoryRead>> {
  const { tx, tenant } = reading;
  const rows = byDecision(await readRows({ tx, tenant, decisionIds }));
  const approvals = byDecision(await readApprovals({ tx, tenant, decisionIds }));
  const operations = byDecision(await readOperations({ tx, tenant, decisionIds }));
  const stories = new Map<string, StoryRead>();
  for (const decisionId of decisionIds) {
    const of = <T>(found: ReadonlyMap<string, readonly T[]>): readonly T[] => found.get(decisionId) ?? [];
    const kept = { decisionId, rows: of(rows), approvals: of(approvals), operations: of(operations) };
    stories.set(decisionId, readStory(kept, reading));
  }
  return stories;
}

/** The rows of one decision. */
interface KeptStory extends Pick<DecisionStory, "decisionId" | "approvals" | "operations"> {
  readonly rows: readonly StoryRow[];
}

/** Opens one story. `bodies`: of the payloads only these are opened; all where it is left out. */
export function readStory(kept: KeptStory, reading: Opening): StoryRead {
  try {
    return { kind: "read", story: storyOf(kept, reading) };
  } catch (thrown) {
    return { kind: "failed", thrown };
  }
}

type Opening = Omit<ReadStories, "tx"> & { readonly bodies?: readonly string[] };

function storyOf(
  { decisionId, rows, approvals, operations }: KeptStory,
  { tenant, keys, unreadable = "throw", bodies }: Opening,
): DecisionStory | null {
  const entries = rows.map((row) => readEntry({ row, tenant, keys, unreadable, ...(bodies === undefined ? {} : { bodies }) }));
  const place = entries.findIndex(({ kind }) => kind === "decided" || kind === "stopped");
  const read = entries[place];
  if (read === undefined) return null;
  const kept = read.bodies["proposal"];
  const proposal = readOr(unreadable, () => parseProposal(kept));
  const outcome = proposal === null && kept !== undefined ? { ...read, isUnreadable: true } : read;
  const requestedBy = textAt(outcome.body, "principal") ?? "";
  const onBehalfOf = textAt(outcome.body, "onBehalfOf");
  const following = entries.filter((entry) => entry !== read);
  const follows = rows[place]?.follows ?? null;
  return { tenant, decisionId, requestedBy, onBehalfOf, outcome, proposal, follows, following, approvals, operations };
}

/** What was signed and begun of a decision, and how many effects it proposed. */
export interface BegunOf extends Pick<DecisionStory, "approvals" | "operations"> {
  readonly effects: number;
}

/** Reads of several decisions what was signed and begun: the rows alone, which open no payload. */
export async function readBegun(of: Of): Promise<ReadonlyMap<string, BegunOf>> {
  const { rows } = await sql<{ decision_id: string; effects: number }>`
    select decision_id, effects from countersign.entry
    where tenant = ${of.tenant} and decision_id = any (${of.decisionIds}::uuid[]) and kind in ('decided', 'stopped')`.execute(
    of.tx,
  );
  const effects = new Map(rows.map((row) => [row.decision_id, row.effects]));
  const approvals = byDecision(await readApprovals(of));
  const operations = byDecision(await readOperations(of));
  return new Map(
    of.decisionIds.map((id) => [
      id,
      { effects: effects.get(id) ?? 0, approvals: approvals.get(id) ?? [], operations: operations.get(id) ?? [] },
    ]),
  );
}

type Of = Pick<ReadStories, "tx" | "tenant"> & { readonly decisionIds: readonly string[] };

/** An entry's row with its decision, and the decision that its cause belongs to. */
export type StoryRow = EntryRow & { readonly decision_id: string; readonly follows: string | null };

// An array of ids and no join on them: what is left to the planner is each kind's own index.
async function readRows({ tx, tenant, decisionIds }: Of): Promise<readonly StoryRow[]> {
  const columns = sql`entry.id, entry.kind, entry.ts, entry.writer, entry.cause, entry.capability, entry.route, entry.effects, entry.body, entry.xid, entry.n, entry.decision_id`;
  // Two branches, since each kind of entry has an index of its own.
  const { rows } = await sql<StoryRow>`
    select found.*, seal.seq, payload.body as payload, payload.entry_id is not null as has_payload
    from (
      select ${columns}, (select cause.decision_id from countersign.entry cause
        where cause.tenant = ${tenant} and cause.id = entry.cause) as follows from countersign.entry
      where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[]) and kind in ('decided', 'stopped')
      union all
      select ${columns}, null from countersign.entry
      where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[]) and kind not in ('decided', 'stopped')
    ) found
    left join lateral (select seq from countersign.seal where seal.tenant = ${tenant} and seal.entry_id = found.id limit 1) seal on true
    left join lateral (select body, entry_id from countersign.payload where payload.tenant = ${tenant} and payload.entry_id = found.id limit 1) payload on true
    order by found.xid, found.n`.execute(tx);
  return rows;
}

async function readApprovals({ tx, tenant, decisionIds }: Of): Promise<readonly ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    select * from countersign.approval where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[]) order by created_at`.execute(
    tx,
  );
  return rows;
}

async function readOperations({ tx, tenant, decisionIds }: Of): Promise<readonly OperationRow[]> {
  const { rows } = await sql<OperationRow>`
    select * from countersign.operation where tenant = ${tenant} and decision_id = any (${decisionIds}::uuid[])
    order by effect_index, created_at`.execute(tx);
  return rows;
}

/** Rows by their decisions, in the order given. */
export function byDecision<T extends { readonly decision_id: string | null }>(
  rows: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const decisionId = row.decision_id ?? "";
    const ours = found.get(decisionId);
    if (ours === undefined) found.set(decisionId, [row]);
    else ours.push(row);
  }
  return found;
}
