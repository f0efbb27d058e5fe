import { CountersignError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Proposal } from "../../contract/proposal.ts";
import type { Risk } from "../../contract/words.ts";
import type { Project } from "../../define/project.ts";
import { type DecisionStory, readDecision } from "../../ledger/read.ts";
import type { Answering, Signing } from "./answering.ts";

/** Locks the decision's claim, so that of two people who answer at once one is first, and reads what stands. */
export async function lockWaiting({ tx, principal, decisionId }: Answering, { payloadKeys }: Signing): Promise<DecisionStory> {
  const { tenant } = principal;
  const found = await readDecision({ tx, tenant, decisionId, keys: payloadKeys });
  if (found === null) throw notFound(decisionId);
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
  const story = await readDecision({ tx, tenant, decisionId, keys: payloadKeys });
  if (story === null) throw notFound(decisionId);
  const route = story.outcome.body["route"];
  if (route !== "hitl_recommended" && route !== "hitl_required")
    throw new CountersignError("not_waiting", "this decision waits for nobody");
  const answer = story.following.find((entry) => ["approved", "rejected", "withdrawn"].includes(entry.kind));
  if (answer === undefined) return story;
  throw new CountersignError("approval_used", `the proposal was ${answer.kind} before; the first answer stands`, {
    facts: { answer: answer.kind, entryId: answer.id },
  });
}

/** Refuses with `approval_mismatch` a proposal that an older version of its capability made. */
export function checkCurrent(project: Project, proposal: Proposal): void {
  const version = project.capabilities.find((one) => one.name === proposal.capability)?.version;
  if (version === proposal.capabilityVersion) return;
  throw new CountersignError("approval_mismatch", `capability \`${proposal.capability}\` has another version by now; ask anew`, {
    facts: { proposed: proposal.capabilityVersion, current: version ?? null },
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
