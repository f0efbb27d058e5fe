import type { Measure } from "../../approve/licence.ts";
import type { EntryDraft } from "../../contract/entry.ts";
import type { Ids, SliceName } from "../../contract/ports.ts";
import { type Breach, neverAutoPpm } from "../../contract/words.ts";
import { writeEntries } from "../../ledger/entries.ts";
import { type SubjectNotice, writeNotices } from "../../ledger/notices.ts";
import { closeSlice, markBreach } from "../../ledger/slices/write.ts";
import type { Tx } from "../../store/database.ts";

/** Breaches after which what was decided before proves nothing any more. */
const startsAnew: ReadonlySet<string> = new Set(["scores_drifted", "reviews_disagree", "connector_changed"] satisfies Breach[]);

/** Why a slice comes down: the breach, the entry that shows it and its decision, where there is one. */
export interface Demotion extends SliceName {
  readonly breach: Breach;
  readonly cause: string | null;
  readonly decisionId: string | null;
}

/**
 * Takes slices back in the caller's own transaction: with a verdict they come down by the same commit that records it, and nothing of it
 * waits for another process. Each leaves an `expired` entry of the approval that had opened it, and tells the capability's owner and the
 * role `owner`. Of one that is not open the breach is held all the same: what was signed before it opens nothing. Returns how many came down.
 */
export async function demoteSlices(
  { tx, demotions, now }: { tx: Tx; demotions: readonly Demotion[]; now: number },
  { measure, ids }: { measure: Pick<Measure, "payloadKeys" | "project">; ids: Ids },
): Promise<number> {
  const drafts: EntryDraft[] = [];
  const notices: SubjectNotice[] = [];
  for (const demotion of demotions) {
    const { tenant, decisionId } = demotion;
    const entryId = ids.next();
    await markBreach(tx, { ...demotion, now, entryId: demotion.cause ?? entryId, anew: startsAnew.has(demotion.breach) });
    const closed = await closeSlice(tx, { ...demotion, now, entryId });
    if (closed === null) continue;
    drafts.push(draftOf({ demotion, closed, entryId, now }));
    const owner = measure.project.capabilities.find(({ name }) => name === demotion.capability)?.owner;
    const told = [
      { kind: "role", name: "owner" } as const,
      ...(owner === undefined ? [] : [{ kind: "owner", name: owner } as const]),
    ];
    notices.push(...told.map((to): SubjectNotice => ({ tenant, kind: "demoted", decisionId, entryId, to })));
  }
  await writeEntries({ tx, drafts, keys: measure.payloadKeys });
  await writeNotices({ tx, notices });
  return drafts.length;
}

function draftOf({
  demotion: { tenant, capability, capabilityVersion, slice, breach, cause, decisionId },
  closed: { fromPpm, approvalId },
  entryId,
  now,
}: {
  demotion: Demotion;
  closed: { readonly fromPpm: number; readonly approvalId: string | null };
  entryId: string;
  now: number;
}): EntryDraft {
  const subject = { kind: "slice", capability, capabilityVersion, slice, thresholdPpm: neverAutoPpm };
  // Of no decision itself: it is the slice that ends. Which decision showed it stands in the facts.
  const facts = { approvalId, breach, fromPpm, of: decisionId, subject };
  return { id: entryId, tenant, kind: "expired", ts: now, writer: "acting", decisionId: null, cause, facts, bodies: {} };
}
