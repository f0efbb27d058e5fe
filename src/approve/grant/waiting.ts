import { CountersignError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Proposal } from "../../contract/proposal.ts";
import type { Risk } from "../../contract/words.ts";
import { type DecisionStory, readDecision } from "../../ledger/read.ts";
import { seeingOf } from "../../ledger/reading.ts";
import type { Answering, Signing } from "./answering.ts";

/**
 * The decision for somebody who wants to answer it. Throws `not_found` where there is none that they may see, so that no other code
 * tells them of one. What cannot be read is marked: who may answer is asked first.
 */
export async function readSeen({ tx, principal, decisionId }: Answering, signing: Signing): Promise<DecisionStory> {
  const { payloadKeys: keys, policy } = signing;
  const story = await readDecision({ tx, tenant: principal.tenant, decisionId, keys, unreadable: "mark" });
  if (story === null || policy.sightOf(seeingOf(principal, story)) === null) throw notFound(decisionId);
  return story;
}

/** A decision that waits, and which of its effects do. */
export interface Waiting {
  readonly story: DecisionStory;
  /** Answered before, and expired unused: only these effects are signed anew. */
  readonly open: "all" | readonly number[];
}

/**
 * Locks the decision's claim, so that of two people who answer at once one is first, and reads what stands. Throws `not_waiting`, or
 * `approval_used` where it was answered before.
 */
export async function lockWaiting(
  { tx, principal, decisionId }: Answering,
  { payloadKeys: keys }: Signing,
  unreadable: "throw" | "mark",
): Promise<Waiting> {
  const { tenant } = principal;
  await tx
    .insertInto("claim")
    .values({ tenant, decision_id: decisionId, principal: null, until: null })
    .onConflict((conflict) => conflict.columns(["tenant", "decision_id"]).doNothing())
    .execute();
  await tx
    .selectFrom("claim")
    .select("decision_id")
    .where("tenant", "=", tenant)
    .where("decision_id", "=", decisionId)
    .forUpdate()
    .execute();
  // Read again behind the lock: only what is committed by now may be answered.
  const story = await readDecision({ tx, tenant, decisionId, keys, unreadable });
  if (story === null) throw notFound(decisionId);
  return { story, open: openEffects(story) };
}

function openEffects({ outcome, following, approvals }: DecisionStory): Waiting["open"] {
  const last = following.find(({ kind }) => kind === "rejected" || kind === "withdrawn");
  const answer = last ?? following.find(({ kind }) => kind === "approved");
  if (answer === undefined) {
    const route = outcome.body["route"];
    if (route === "hitl_recommended" || route === "hitl_required") return "all";
    throw new CountersignError("not_waiting", "this decision waits for nobody");
  }
  const latest = new Map(approvals.map(({ effect_index, state }) => [effect_index, state]));
  const lapsed = [...latest].flatMap(([index, state]) => (index !== null && state === "expired" ? [index] : []));
  if (last === undefined && lapsed.length > 0) return lapsed;
  throw new CountersignError("approval_used", `the proposal was ${answer.kind} before; the first answer stands`, {
    facts: { answer: answer.kind, entryId: answer.id },
  });
}

/** Refuses with `approver_not_permitted`, naming policy's rule, a person who may not answer this proposal. */
export function checkSigner({
  principal,
  signing,
  proposal,
  risk,
}: {
  principal: Principal;
  signing: Signing;
  proposal: Pick<Proposal, "tenant" | "requestedBy" | "onBehalfOf">;
  risk: Risk | null;
}): void {
  const { tenant, requestedBy, onBehalfOf } = proposal;
  const ruling = signing.policy.maySign({ principal, tenant, requestedBy, onBehalfOf, risk });
  if (ruling.kind === "permitted") return;
  throw new CountersignError("approver_not_permitted", ruling.reason, { facts: { rule: ruling.rule } });
}

function notFound(decisionId: string): CountersignError {
  return new CountersignError("not_found", "no decision of that id is open to you", { facts: { decisionId } });
}
