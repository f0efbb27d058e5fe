import { sql } from "kysely";
import type { EntryDraft } from "../../contract/entry.ts";
import { CountersignError } from "../../contract/errors.ts";
import type { OperationState, ResolvedOutcome } from "../../contract/words.ts";
import { editorOf } from "../../ledger/asker.ts";
import { writeEntries } from "../../ledger/entries.ts";
import type { DecisionStory } from "../../ledger/story.ts";
import type { Tx } from "../../store/database.ts";
import type { Answered, Answering, Signing } from "./answering.ts";
import { outcomesOf } from "./outcomes.ts";
import { askerOf, lockClaim, notPermitted, readSeen, type SignedBy } from "./waiting.ts";

/** What a person found of one effect whose outcome was left to people. */
export interface Finding {
  readonly effectIndex: number;
  readonly outcome: ResolvedOutcome;
  /** Why it is ended so; whoever asked may read it. */
  readonly reason: string;
  /** What was seen, and where; for those who review and audit. */
  readonly evidence: string;
}

/**
 * Puts on record what a person found of an operation that was left to people, for the acting half to carry out. One person is enough,
 * whatever the risk: nothing new is permitted by it, and what undoes the effect is a proposal of its own, signed for itself. Throws
 * `not_found` where there is no such effect, `approver_not_permitted`, `not_waiting` where it was not left to people, `approval_used`
 * while what somebody said is not carried out yet, and `precondition_failed` where nothing is declared that undoes it.
 */
export async function resolveOperation(answering: Answering & Finding, signing: Signing): Promise<Answered> {
  const { tx, principal, decisionId, now, effectIndex, outcome, reason, evidence } = answering;
  const { tenant } = principal;
  const signedBy = checkResolver(answering, signing, await readSeen(answering, signing));
  await lockClaim(answering);
  const operation = await readOperation(tx, { tenant, decisionId, effectIndex });
  if (operation?.state !== "escalated") throw notLeft(operation?.state ?? null);
  if (operation.is_ended)
    throw new CountersignError("approval_used", "somebody has said before what became of it; that is carried out first", {
      facts: { rule: "resolved_before" },
    });
  if (!outcomesOf(signing.project, operation.effect).includes(outcome))
    throw new CountersignError("precondition_failed", `effect \`${operation.effect}\` declares nothing that undoes it`, {
      facts: { rule: "no_compensation" },
    });
  const facts = { operationId: operation.id, effectIndex, outcome, by: principal.id, role: "approver", ...signedBy };
  const frame = { id: signing.ids.next(), tenant, ts: now, writer: "desk", decisionId, cause: operation.last_entry_id } as const;
  const draft: EntryDraft = { ...frame, kind: "resolved", facts, bodies: { evidence, reason } };
  await writeEntries({ tx, drafts: [draft], keys: signing.payloadKeys });
  await tx.insertInto("resolution").values({ tenant, operation_id: operation.id, entry_id: draft.id, outcome }).execute();
  return { decisionId, entryIds: [draft.id], approvalIds: [] };
}

/** Permission comes before state. Where the proposal cannot be read any more, its risk counts as high. */
function checkResolver({ principal, effectIndex }: Answering & Finding, { policy }: Signing, story: DecisionStory): SignedBy {
  const { tenant, requestedBy, onBehalfOf } = askerOf(story);
  const risk = story.proposal?.effects[effectIndex]?.risk ?? "high";
  const ruling = policy.mayResolve({ principal, tenant, requestedBy, onBehalfOf, risk, editedBy: editorOf(story) });
  if (ruling.kind === "refused") throw notPermitted(ruling);
  const count = Number(story.outcome.body["effects"] ?? 0);
  if (effectIndex < count) return { policy: policy.version, policies: ruling.policies };
  throw new CountersignError("not_found", "the decision has no effect of that index; they are counted from 0", {
    facts: { effectIndex },
  });
}

interface LeftOperation {
  readonly id: string;
  readonly effect: string;
  readonly state: OperationState;
  readonly last_entry_id: string;
  /** Somebody has said what became of it, and that is not carried out yet. */
  readonly is_ended: boolean;
}

/** In one statement, so that what was carried out in between shows in both or in neither. */
async function readOperation(
  tx: Tx,
  { tenant, decisionId, effectIndex }: { tenant: string; decisionId: string; effectIndex: number },
): Promise<LeftOperation | undefined> {
  const { rows } = await sql<LeftOperation>`
    select id, effect, state, last_entry_id, exists (
      select from countersign.resolution
      where resolution.tenant = operation.tenant and resolution.operation_id = operation.id and not done) as is_ended
    from countersign.operation
    where tenant = ${tenant} and decision_id = ${decisionId} and effect_index = ${effectIndex}
    order by created_at desc, generation desc limit 1`.execute(tx);
  return rows[0];
}

function notLeft(state: OperationState | null): CountersignError {
  const how = state === null ? "nothing was begun for it" : `its operation is \`${state}\``;
  return new CountersignError("not_waiting", `the effect was not left to people: ${how}`, { facts: { state } });
}
