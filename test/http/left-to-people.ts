import type { Ids } from "../../src/contract/ports.ts";
import type { EntryKind, OperationState } from "../../src/contract/words.ts";
import { writeEntries } from "../../src/ledger/entries.ts";
import type { PayloadKeys } from "../../src/ledger/payload.ts";
import type { Database } from "../../src/store/database.ts";

/** What the acting half writes of one signed effect in these tests, where none of it runs. */
export function openActing({ acting, keys, ids }: { acting: Database; keys: PayloadKeys; ids: Ids }) {
  const tenant = "acme";
  const write = async (decisionId: string, kind: EntryKind, facts: { [name: string]: string | number }) =>
    acting.inTenant(tenant, async (tx) => {
      const frame = { id: ids.next(), tenant, ts: Date.now(), writer: "acting", decisionId, cause: null } as const;
      await writeEntries({ tx, drafts: [{ ...frame, kind, facts, bodies: {} }], keys });
      return frame.id;
    });
  return {
    /** Begins an operation for an effect and leaves it so; returns its id. */
    begin: async (decisionId: string, { effectIndex = 0, effect = "keep_note", state = "escalated" as OperationState } = {}) => {
      const id = ids.next();
      const facts = { operationId: id, effectIndex };
      await write(decisionId, "applying", facts);
      const entryId = await write(decisionId, state === "escalated" ? "escalated" : "observed", facts);
      await acting.inTenant(tenant, async (tx) => {
        const then = new Date();
        const row = { tenant, id, effect, key: `key-${id}`, params_digest: "0".repeat(64), decision_id: decisionId };
        const times = { lease_until: then, due_at: then, deadline_at: then };
        const rest = { effect_index: effectIndex, approval_id: ids.next(), state, last_entry_id: entryId };
        await tx
          .insertInto("operation")
          .values({ ...row, ...times, ...rest })
          .execute();
      });
      return id;
    },
    /** Carries out what a person said, as far as these tests look: the row and an entry of it. */
    carryOut: async (decisionId: string, operationId: string, state: OperationState) => {
      await write(decisionId, state === "escalated" ? "escalated" : "observed", { operationId, effectIndex: 0 });
      await acting.inTenant(tenant, async (tx) => {
        await tx.updateTable("operation").set({ state }).where("tenant", "=", tenant).where("id", "=", operationId).execute();
        await tx
          .updateTable("resolution")
          .set({ done: true })
          .where("tenant", "=", tenant)
          .where("operation_id", "=", operationId)
          .execute();
      });
    },
  };
}
