import { hash } from "node:crypto";
import { readDueModels } from "../ledger/model-standings.ts";
import { type DemotionNotice, writeNotices } from "../ledger/notices.ts";
import type { Database, Tx } from "../store/database.ts";

/** Owners are told when the window begins, and again when so many days are left, by whichever is passed last. */
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
  const notices = due.flatMap(({ model, shutdownOn, daysLeft, owners }) => {
    const milestone = milestones.findLast((days) => (daysLeft ?? 0) <= days) ?? 0;
    const entryId = subjectId(`${tenant}\n${model}\n${shutdownOn ?? ""}\n${milestone}`);
    return owners.map(
      (name): DemotionNotice => ({ tenant, kind: "model_ending", decisionId: null, entryId, to: { kind: "owner", name } }),
    );
  });
  await writeNotices({ tx, notices });
}

/** What the notice tells of has no entry: a UUID of version 8 (RFC 9562, 5.8) stands for it, the same each time. */
function subjectId(text: string): string {
  const digest = hash("sha256", text, "hex");
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
