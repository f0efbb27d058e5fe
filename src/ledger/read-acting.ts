import { sql } from "kysely";
import { signaturesFor } from "../contract/approval.ts";
import type { Proposal } from "../contract/proposal.ts";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow, OperationRow } from "../store/tables.ts";
import type { PayloadKeys } from "./payload.ts";
import { byDecision, readStory, type StoryRead, type StoryRow } from "./read.ts";

interface Of {
  readonly tx: Tx;
  readonly tenant: string;
  readonly decisionIds: readonly string[];
}

/** What of approvals and operations the stories hold: all, or those alone by which one signature is judged. */
export type StandingRead = "all" | "to_verify";

/**
 * Reads the stories of several decisions for whoever acts on them: of the payloads nothing but proposals is opened, and no seals are
 * looked at. Where stories are read to verify approvals, other approvals and the operations are read of a proposal of several effects or
 * of one that two people sign: of one effect under one signature nothing is asked of them. One that cannot be read spoils no other.
 */
export async function readForActing({
  keys,
  standingRead,
  ...of
}: Of & { keys: PayloadKeys; standingRead: StandingRead }): Promise<ReadonlyMap<string, StoryRead>> {
  const { tenant, decisionIds } = of;
  const rows = byDecision(await readRows(of));
  const alone = decisionIds.map((decisionId) => {
    const kept = { decisionId, rows: rows.get(decisionId) ?? [], approvals: [], operations: [] };
    return [decisionId, readStory(kept, { tenant, keys, bodies: ["proposal"] })] as const;
  });
  const standing = await readStanding({
    ...of,
    decisionIds: alone.flatMap(([id, read]) => (standingRead === "all" || isOfMore(proposalOf(read)) ? [id] : [])),
  });
  return new Map(alone.map(([id, read]) => [id, standing(id, read)]));
}

/** Whether another signature than that of its one effect says something of the proposal. */
function isOfMore(proposal: Proposal | null): boolean {
  return proposal !== null && (proposal.effects.length > 1 || proposal.effects.some(({ risk }) => signaturesFor(risk) > 1));
}

function proposalOf(read: StoryRead): Proposal | null {
  return read.kind === "read" ? (read.story?.proposal ?? null) : null;
}

/** What was signed and begun of these decisions, to be added to their stories. */
async function readStanding(of: Of): Promise<(decisionId: string, read: StoryRead) => StoryRead> {
  if (of.decisionIds.length === 0) return (_, read) => read;
  const approvals = byDecision(await readApprovals(of));
  const operations = byDecision(await readOperations(of));
  return (id, read) => {
    if (read.kind === "failed" || read.story === null) return read;
    return { kind: "read", story: { ...read.story, approvals: approvals.get(id) ?? [], operations: operations.get(id) ?? [] } };
  };
}

async function readRows({ tx, tenant, decisionIds }: Of): Promise<readonly StoryRow[]> {
  const { rows } = await sql<StoryRow>`
    select *, null as seq, null as follows from countersign.entries_of(${tenant}, ${decisionIds}::uuid[])`.execute(tx);
  return rows;
}

async function readApprovals({ tx, tenant, decisionIds }: Of): Promise<readonly ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    select * from countersign.approvals_of(${tenant}, ${decisionIds}::uuid[])`.execute(tx);
  return rows;
}

async function readOperations({ tx, tenant, decisionIds }: Of): Promise<readonly OperationRow[]> {
  const { rows } = await sql<OperationRow>`
    select * from countersign.operations_of(${tenant}, ${decisionIds}::uuid[])`.execute(tx);
  return rows;
}
