import { type DueModel, readDueModels } from "../ledger/model-standings.ts";
import { type SubjectNotice, writeNotices } from "../ledger/notices.ts";
import type { Database, Tx } from "../store/database.ts";
import { hashId } from "../store/ids.ts";

/** Owners are told when so many days are left, by whichever is passed last; before the first one nobody is. */
const milestones = [90, 30, 7, 0] as const;

/** Tells the owners of definitions that a model which they name goes out of service: once for each milestone, however many workers look. */
export async function tellDueModels(database: Database, onError: (thrown: unknown) => void): Promise<void> {
  for (const tenant of await database.tenants()) {
    try {
      await database.inTenant(tenant, (tx) => tellTenant(tx, tenant));
    } catch (thrown) {
      onError(thrown);
    }
  }
}

async function tellTenant(tx: Tx, tenant: string): Promise<void> {
  const due = await readDueModels(tx);
  const notices = due.flatMap(({ model, shutdownOn, owners, ...standing }) => {
    const milestone = milestoneOf(standing);
    if (milestone === null) return [];
    // What it tells of has no entry; the id stands for it.
    const entryId = hashId(`${tenant}\n${model}\n${shutdownOn ?? ""}\n${milestone}`);
    return owners.map(
      (name): SubjectNotice => ({ tenant, kind: "model_ending", decisionId: null, entryId, to: { kind: "owner", name } }),
    );
  });
  await writeNotices({ tx, notices });
}

/** What was passed last; `null` where nothing was. An end without a day may come any day, and is told apart from a model that is gone. */
function milestoneOf({ state, daysLeft }: Pick<DueModel, "state" | "daysLeft">): string | null {
  if (state === "retired") return "0";
  if (daysLeft === null) return "no day";
  return milestones.findLast((days) => daysLeft <= days)?.toString() ?? null;
}
