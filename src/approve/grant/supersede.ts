import type { EntryDraft } from "../../contract/entry.ts";
import { CountersignError } from "../../contract/errors.ts";
import { editorOf } from "../../ledger/asker.ts";
import { standingsAlone } from "../../ledger/effect-standing.ts";
import { writeEntries } from "../../ledger/entries.ts";
import { type DecisionStory, readDecision } from "../../ledger/read.ts";
import type { Answered, Answering, Signing } from "./answering.ts";
import { isBegun } from "./begun.ts";
import { endTaken } from "./taken.ts";
import { checkSigner, lockWaiting, readSeen } from "./waiting.ts";

/**
 * Puts the decision that this person's edit led to in the place of a waiting one: nothing of that one is signed any more, and no
 * signature of it counts. Throws as signing does, and `approval_mismatch` where the other decision is no edit of this one by this person.
 */
export async function supersede(answering: Answering & { readonly successor: string }, signing: Signing): Promise<Answered> {
  const { tx, principal, decisionId, now, successor } = answering;
  const { tenant } = principal;
  checkSigner({ principal, signing, story: await readSeen(answering, signing), risk: null });
  const { story } = await lockWaiting(answering, signing, "mark");
  if (standingsAlone(story).some(isBegun))
    throw new CountersignError("approval_used", "an effect of the proposal was carried out; what is left can be signed");
  const edited = await readDecision({ tx, tenant, decisionId: successor, keys: signing.payloadKeys, unreadable: "mark" });
  if (edited === null || !isEditOf({ edited, story, editor: principal.id }))
    throw new CountersignError("approval_mismatch", "that decision is no edit of this one by you", {
      facts: { rule: "successor" },
    });
  const facts = { by: principal.id, supersededBy: successor };
  const frame = { id: signing.ids.next(), tenant, ts: now, writer: "desk", decisionId, cause: story.outcome.id } as const;
  const draft: EntryDraft = { ...frame, kind: "corrected", facts, bodies: {} };
  await writeEntries({ tx, drafts: [draft], keys: signing.payloadKeys });
  await endTaken(answering);
  return { decisionId, entryIds: [draft.id], approvalIds: [] };
}

function isEditOf({ edited, story, editor }: { edited: DecisionStory; story: DecisionStory; editor: string }): boolean {
  const isForSame = edited.requestedBy === story.requestedBy && edited.onBehalfOf === story.onBehalfOf;
  return isForSame && edited.outcome.cause === story.outcome.id && edited.proposal !== null && editorOf(edited) === editor;
}
