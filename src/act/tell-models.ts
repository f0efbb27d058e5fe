import { hash } from "node:crypto";
import { type DueModel, readDueModels } from "../ledger/model-standings.ts";
import { type DemotionNotice, writeNotices } from "../ledger/notices.ts";
import type { Database, Tx } from "../store/database.ts";

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
    const entryId = subjectId(`${tenant}\n${model}\n${shutdownOn ?? ""}\n${milestone}`);
    return owners.map(
      (name): DemotionNotice => ({ tenant, kind: "model_ending", decisionId: null, entryId, to: { kind: "owner", name } }),
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

/** What the notice tells of has no entry: a UUID of version 8 (RFC 9562, 5.8) stands for it, the same each time. */
function subjectId(text: string): string {
  const digest = hash("sha256", text, "hex");
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
