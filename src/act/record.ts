import type { EntryDraft } from "../contract/entry.ts";
import type { JsonObject } from "../contract/json.ts";
import type { EntryKind } from "../contract/words.ts";
import { writeEntries } from "../ledger/entries.ts";
import type { Tx } from "../store/database.ts";
import type { Acting, Held } from "./acting.ts";
import { type Move, moveOperation } from "./operations.ts";
import { tellSteps } from "./tell.ts";

/** One step of an operation as it stands in the ledger. */
export interface Step {
  readonly kind: EntryKind;
  readonly facts: JsonObject;
  readonly bodies?: EntryDraft["bodies"];
}

/** What a transaction writes: the steps, and where the operation stands after them; both depend on the store's time. */
export type Recording = (now: number) => { readonly steps: readonly Step[]; readonly move: Omit<Move, "lastEntryId"> };

/**
 * Writes steps that have no outside call between them and moves the operation on, in one commit. Throws `fenced_off`, with nothing
 * written, when another worker has taken the operation over. Returns the operation as it stands now.
 */
export async function recordSteps(held: Held, acting: Acting, recording: Recording): Promise<Held> {
  return acting.database.inTenant(held.tenant, async (tx) => recordStepsIn({ tx, held, acting, recording }));
}

/** The same within a transaction of the caller. */
export async function recordStepsIn({
  tx,
  held,
  acting,
  recording,
}: {
  tx: Tx;
  held: Held;
  acting: Acting;
  recording: Recording;
}): Promise<Held> {
  const now = await acting.storeTime(tx);
  const { steps, move } = recording(now);
  const drafts = draftsOf({ held, acting, steps, now });
  const lastEntryId = drafts.at(-1)?.id ?? held.lastEntryId;
  // The row first: whoever was overtaken learns it before an entry is written.
  await moveOperation(tx, held, { ...move, lastEntryId });
  await writeEntries({ tx, drafts, keys: acting.measure.payloadKeys });
  await tellSteps(tx, held, drafts, acting);
  return {
    ...held,
    foundState: move.state,
    lastEntryId,
    attempts: move.attempts ?? held.attempts,
    lastSendAt: move.lastSendAt ?? held.lastSendAt,
  };
}

function draftsOf({
  held,
  acting,
  steps,
  now,
}: {
  held: Held;
  acting: Acting;
  steps: readonly Step[];
  now: number;
}): EntryDraft[] {
  const { tenant, id: operationId, task } = held;
  let cause = held.lastEntryId;
  return steps.map(({ kind, facts, bodies = {} }) => {
    const id = acting.ids.next();
    const frame = { id, tenant, kind, ts: now, writer: "acting", decisionId: task.decisionId, cause } as const;
    cause = id;
    return { ...frame, facts: { operationId, effectIndex: task.effectIndex, ...facts }, bodies };
  });
}
