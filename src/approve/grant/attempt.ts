import type { EntryDraft } from "../../contract/entry.ts";
import { CountersignError, type ErrorCode } from "../../contract/errors.ts";
import { writeEntries } from "../../ledger/entries.ts";
import type { Database } from "../../store/database.ts";
import type { StoreTime } from "../../store/time.ts";
import type { Answered, Answering, Signing } from "./answering.ts";
import { readSeen } from "./waiting.ts";

/** An answer that somebody wants to give. */
export interface Attempt extends Pick<Answering, "principal" | "decisionId"> {
  readonly answer: "approve" | "reject" | "withdraw" | "edit" | "resolve";
}

/**
 * Runs an answer in one transaction. What is refused is undone as a whole, so that it was tried is recorded in another one, if
 * whoever tried may see the decision: of others nothing is recorded, and nothing told. Throws what the answer throws.
 */
export async function answerOnRecord(
  { attempt, database, storeTime, signing }: { attempt: Attempt; database: Database; storeTime: StoreTime; signing: Signing },
  work: (answering: Answering, signing: Signing) => Promise<Answered>,
): Promise<Answered> {
  const { principal, decisionId } = attempt;
  const inTenant = <T>(then: (answering: Answering, signing: Signing) => Promise<T>): Promise<T> =>
    database.inTenant(principal.tenant, async (tx) => then({ tx, principal, decisionId, now: await storeTime(tx) }, signing));
  try {
    return await inTenant(work);
  } catch (thrown) {
    if (thrown instanceof CountersignError && recorded.has(thrown.code))
      await inTenant((answering) => recordRefused({ answering, signing, attempt, thrown }));
    throw thrown;
  }
}

/** What is an attempt to do what one may not, or too late; a request that is merely wrong is none. */
const recorded: ReadonlySet<ErrorCode> = new Set(["approver_not_permitted", "approval_mismatch", "approval_used"]);

async function recordRefused({
  answering,
  signing,
  attempt: { answer },
  thrown,
}: {
  answering: Answering;
  signing: Signing;
  attempt: Attempt;
  thrown: CountersignError;
}): Promise<void> {
  const { tx, principal, decisionId, now } = answering;
  const { outcome } = await readSeen(answering, signing);
  const { rule, policies } = thrown.facts;
  const facts = {
    ...{ approvalId: null, effectIndex: null, code: thrown.code, rule: typeof rule === "string" ? rule : null },
    ...{ answer, by: principal.id, byOnBehalfOf: principal.onBehalfOf },
    ...(Array.isArray(policies) ? { policy: signing.policy.version, policies } : {}),
  };
  const frame = { id: signing.ids.next(), tenant: principal.tenant, ts: now, writer: "desk", decisionId } as const;
  const draft: EntryDraft = { ...frame, cause: outcome.id, kind: "refused", facts, bodies: {} };
  await writeEntries({ tx, drafts: [draft], keys: signing.payloadKeys });
}
