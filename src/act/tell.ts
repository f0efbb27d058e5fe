import type { Measure } from "../approve/licence.ts";
import type { EntryDraft } from "../contract/entry.ts";
import { askedOf, askers, type Notice, reviewers, writeNotices } from "../ledger/notices.ts";
import type { Tx } from "../store/database.ts";
import type { Held } from "./held.ts";

/** What happened to one operation, as entries that are being written. */
export interface Happened {
  readonly held: Held;
  readonly drafts: readonly EntryDraft[];
}

type Told = Pick<Notice, "tenant" | "decisionId" | "entryId">;

/** Tells who asked and the capability's owner that an approval expired unused, and reviewers that its effect waits again. */
export async function tellExpired(tx: Tx, told: Told, { measure }: { measure: Pick<Measure, "project"> }): Promise<void> {
  const asked = await askedOf(tx, told);
  const owner = measure.project.capabilities.find(({ name }) => name === asked?.capability)?.owner;
  const to = [...(asked?.askers ?? []), ...(owner === undefined ? [] : [{ kind: "owner", name: owner } as const])];
  const expired = to.map((addressee): Notice => ({ ...told, kind: "expired", to: addressee }));
  await writeNotices({ tx, notices: [...expired, { ...told, kind: "waiting_review", to: reviewers }] });
}

/** Tells who asked what became of it. */
export async function tellOutcome(tx: Tx, told: Told): Promise<void> {
  const asked = await askedOf(tx, told);
  const notices = (asked?.askers ?? []).map((to): Notice => ({ ...told, kind: "outcome", to }));
  await writeNotices({ tx, notices });
}

/** Tells, of the steps of operations, who asked what became of the whole, and an effect's owner that a person has to look. */
export async function tellSteps(tx: Tx, happened: readonly Happened[]): Promise<void> {
  await writeNotices({ tx, notices: happened.flatMap(noticesOf) });
}

function noticesOf({ held: { task, tenant }, drafts }: Happened): readonly Notice[] {
  const { decisionId, effect, effectIndex, proposal } = task;
  const isLast = effectIndex === proposal.effects.length - 1;
  return drafts.flatMap(({ id: entryId, kind, facts }): readonly Notice[] => {
    const told = { tenant, decisionId, entryId };
    const toAskers = askers(proposal).map((to): Notice => ({ ...told, kind: "outcome", to }));
    if (kind === "escalated") return [{ ...told, kind: "escalated", to: { kind: "owner", name: effect.owner } }, ...toAskers];
    // Of several effects each starts when the one before is complete, so the last one's end is that of the whole.
    const isEnd =
      facts["resolves"] !== undefined ||
      kind === "refused" ||
      kind === "compensated" ||
      (kind === "observed" && facts["verdict"] === "complete" && isLast);
    return isEnd ? toAskers : [];
  });
}
