import { CountersignError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { PolicyRuling, Principal } from "../../contract/principal.ts";
import type { Proposal } from "../../contract/proposal.ts";
import type { Risk } from "../../contract/words.ts";
import { editorOf } from "../../ledger/asker.ts";
import { isUnsigned, standingsAlone } from "../../ledger/effect-standing.ts";
import { endOf, lapseOf } from "../../ledger/ends.ts";
import { type DecisionStory, readDecision } from "../../ledger/read.ts";
import { seeingOf } from "../../ledger/seeing.ts";
import type { Answering, Signing } from "./answering.ts";
import { legibleStory } from "./legible.ts";
import { refuseTaken } from "./taken.ts";

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
  /** The effects that lack a signature: none has one, one of two has, or it expired or was withdrawn. */
  readonly open: readonly number[];
}

/**
 * Locks the decision, so that of two who answer at once one is first, and reads what stands. Throws `taken` where somebody else has
 * taken it up, `not_waiting`, or `approval_used` where it was answered before.
 */
export async function lockWaiting(answering: Answering, signing: Signing, unreadable: "throw" | "mark"): Promise<Waiting> {
  const story = await lockDecision(answering, signing, unreadable);
  const open = openEffects(story);
  await refuseTaken(answering);
  return { story, open };
}

/**
 * Takes the two rows that stand for a decision that waits: the claim, which people at desks take in turn, and its place on the list of
 * what waits, which the acting half takes to let it lapse. Reads the decision again behind both: only what is committed by now counts.
 */
async function lockDecision(answering: Answering, signing: Signing, unreadable: "throw" | "mark"): Promise<DecisionStory> {
  const { tx, principal, decisionId } = answering;
  await lockClaim(answering);
  // Whoever leaves it open puts it back.
  await tx.deleteFrom("waiting").where("tenant", "=", principal.tenant).where("decision_id", "=", decisionId).execute();
  return readBehindLock(answering, signing, unreadable);
}

/** Takes the row that people at desks take in turn, made where it is not there. */
export async function lockClaim({ tx, principal: { tenant }, decisionId }: Answering): Promise<void> {
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
}

/** Reads the decision anew. Throws `not_found`; for whoever signs, `payload_unreadable` where what matters for that cannot be read. */
export async function readBehindLock(
  { tx, principal: { tenant }, decisionId }: Answering,
  { payloadKeys: keys }: Signing,
  unreadable: "throw" | "mark",
): Promise<DecisionStory> {
  const story = await readDecision({ tx, tenant, decisionId, keys, unreadable: "mark" });
  if (story === null) throw notFound(decisionId);
  return unreadable === "mark" ? story : legibleStory(story);
}

/** The effects that may be signed. Throws `not_waiting`, or `approval_used` where it was answered. */
export function openEffects(story: DecisionStory): readonly number[] {
  const { outcome, following } = story;
  const lapse = lapseOf(story);
  if (lapse !== null)
    throw new CountersignError("not_waiting", `the proposal waits no more: it is ${lapse}; ask anew`, {
      facts: { state: lapse },
    });
  const answer = endOf(story) ?? following.find(({ kind }) => kind === "approved");
  const open = standingsAlone(story).filter(isUnsigned);
  const route = outcome.body["route"];
  if (answer === undefined) {
    if (route === "hitl_recommended" || route === "hitl_required") return open.map(({ index }) => index);
    throw new CountersignError("not_waiting", "this decision waits for nobody");
  }
  if (answer.kind === "approved" && open.length > 0) return open.map(({ index }) => index);
  throw new CountersignError("approval_used", `the proposal was ${answerWords(answer.kind)} before; the first answer stands`, {
    facts: { answer: answer.kind, entryId: answer.id },
  });
}

function answerWords(kind: string): string {
  return kind === "corrected" ? "edited" : kind;
}

/** What let a person answer a proposal; refuses with `approver_not_permitted`, naming policy's rule, one who may not. */
export function checkSigner({
  principal,
  signing,
  story,
  risk,
}: {
  principal: Principal;
  signing: Signing;
  story: DecisionStory;
  risk: Risk | null;
}): SignedBy {
  const { tenant, requestedBy, onBehalfOf } = askerOf(story);
  const ruling = signing.policy.maySign({ principal, tenant, requestedBy, onBehalfOf, risk, editedBy: editorOf(story) });
  if (ruling.kind === "permitted") return { policy: signing.policy.version, policies: ruling.policies };
  throw notPermitted(ruling);
}

/** The error of a person whom policy does not let answer; its facts go into the entry that it was tried. */
export function notPermitted({ rule, reason, policies }: PolicyRuling & { readonly kind: "refused" }): CountersignError {
  return new CountersignError("approver_not_permitted", reason, { facts: { rule, policies } });
}

/** Facts of an entry: the policies that let a person do it, and their version. */
export interface SignedBy extends JsonObject {
  readonly policy: string;
  readonly policies: readonly string[];
}

/** Who asked: by the proposal, or by the entry of a decision that has none. Throws `payload_unreadable` where neither says it. */
export function askerOf({ proposal, tenant, requestedBy, onBehalfOf }: DecisionStory): Asker {
  if (proposal !== null) return proposal;
  if (requestedBy !== "") return { tenant, requestedBy, onBehalfOf };
  throw new CountersignError("payload_unreadable", "who asked cannot be read, so nobody can be found who may answer");
}

type Asker = Pick<Proposal, "tenant" | "requestedBy" | "onBehalfOf">;

function notFound(decisionId: string): CountersignError {
  return new CountersignError("not_found", "no decision of that id is open to you", { facts: { decisionId } });
}
