import { hash } from "node:crypto";
import { sql } from "kysely";
import type { NoticeKind } from "../contract/words.ts";
import type { Tx } from "../store/database.ts";
import { textAt } from "./fields.ts";
import { parseBody } from "./parse-entry.ts";
import { readOr } from "./read-entry.ts";

/** Somebody who is to be told: a principal by id, all who hold a role, or the owner that a definition names. */
export interface Addressee {
  readonly kind: "principal" | "role" | "owner";
  readonly name: string;
}

/** What somebody is to be told: which entry of which decision it is about. It holds no words; whoever is told looks it up. */
export interface Notice {
  readonly tenant: string;
  readonly kind: NoticeKind;
  readonly decisionId: string;
  readonly entryId: string;
  readonly to: Addressee;
}

/** What somebody is to be told of a case: its id, and the move that it tells of in the place of an entry. */
export interface CaseNotice extends Omit<Notice, "decisionId"> {
  readonly caseId: string;
  /** The decision of the step at which the case stands. */
  readonly decisionId: string | null;
}

/** What somebody is to be told of something that is no decision: a slice that was taken back, with the decision whose verdict was the reason, or a model that ends. */
export interface SubjectNotice extends Omit<Notice, "decisionId"> {
  readonly decisionId: string | null;
}

/** All who may review; each decision that waits is told to them. */
export const reviewers: Addressee = { kind: "role", name: "approver" };

/** Who asked, and who was asked for. */
export function askers({ requestedBy, onBehalfOf }: { requestedBy: string; onBehalfOf: string | null }): readonly Addressee[] {
  return [...new Set([requestedBy, onBehalfOf])].flatMap((name) =>
    name === null || name === "" ? [] : [{ kind: "principal", name }],
  );
}

/** Who asked for a decision, and of which capability, by its entry; `null` where it has not ended. */
export async function askedOf(
  tx: Tx,
  { tenant, decisionId }: { tenant: string; decisionId: string },
): Promise<{ readonly askers: readonly Addressee[]; readonly capability: string } | null> {
  const { rows } = await sql<{ body: string; capability: string | null }>`
    select body, capability from countersign.entry
    where tenant = ${tenant} and decision_id = ${decisionId} and kind in ('decided', 'stopped')`.execute(tx);
  const row = rows[0];
  if (row === undefined) return null;
  // Where it cannot be read nobody can be told, and nothing else is held up.
  const body = readOr("mark", () => parseBody(row.body)) ?? {};
  const asked = { requestedBy: textAt(body, "principal") ?? "", onBehalfOf: textAt(body, "onBehalfOf") };
  return { askers: askers(asked), capability: row.capability ?? "" };
}

/**
 * Writes notices in the transaction of what they tell of; what was told of the same entry before is left as it is: the id of a notice
 * says whom it tells what of which entry, so it is told once, however many workers find the same thing to tell.
 */
export async function writeNotices({
  tx,
  notices,
}: {
  tx: Tx;
  notices: readonly (Notice | CaseNotice | SubjectNotice)[];
}): Promise<void> {
  if (notices.length === 0) return;
  const rows = notices.map((notice) => {
    const { tenant, kind, decisionId, entryId, to, ...about } = notice;
    const caseId = "caseId" in about ? about.caseId : null;
    return { tenant, id: idOf(notice), kind, decisionId, entryId, toKind: to.kind, toName: to.name, caseId };
  });
  await sql`
    insert into countersign.notice (tenant, id, kind, decision_id, entry_id, to_kind, to_name, case_id)
    select made.tenant, made.id, made.kind, made."decisionId", made."entryId", made."toKind", made."toName", made."caseId"
    from json_to_recordset(${JSON.stringify(rows)}::json) as made (tenant text, id uuid, kind text, "decisionId" uuid, "entryId" uuid,
      "toKind" text, "toName" text, "caseId" uuid)
    on conflict do nothing`.execute(tx);
}

/** A UUID of version 8 (RFC 9562, 5.8): the time of the entry's own id, so that ids grow, then a hash. */
function idOf({ entryId, kind, to }: Pick<Notice, "entryId" | "kind" | "to">): string {
  const digest = hash("sha256", `${entryId}\n${kind}\n${to.kind}\n${to.name}`, "hex");
  const variant = ((Number.parseInt(digest.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return `${entryId.slice(0, 13)}-8${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}
