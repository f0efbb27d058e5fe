import type { PayloadKeys } from "../ledger/payload.ts";
import { type DecisionStory, readDecisions, type StoryRead } from "../ledger/read.ts";
import type { Tx } from "../store/database.ts";
import type { ApprovalRow } from "../store/tables.ts";

/** The stories of decisions as they stand in one transaction, each read once. */
export interface Stories {
  /** Reads several at once. Those that are asked for without it are read one by one. */
  readonly load: (decisionIds: readonly string[]) => Promise<void>;
  /** One story; `null` where no such decision has ended. Throws what reading it came to, `payload_unreadable` above all. */
  readonly of: (decisionId: string) => Promise<DecisionStory | null>;
}

/** Opens the stories of a tenant for one transaction. Of what is encrypted only proposals are opened: nothing else is acted upon. */
export function openStories({
  tx,
  tenant,
  keys,
  held = [],
}: {
  tx: Tx;
  tenant: string;
  keys: PayloadKeys;
  /** Approvals whose rows this transaction has locked. */
  held?: readonly ApprovalRow[];
}): Stories {
  const known = new Map<string, StoryRead>();
  const load: Stories["load"] = async (decisionIds) => {
    const missing = [...new Set(decisionIds)].filter((decisionId) => !known.has(decisionId));
    if (missing.length === 0) return;
    const read = await readDecisions({ tx, tenant, keys, decisionIds: missing, forActing: { known: held } });
    for (const [decisionId, story] of read) known.set(decisionId, story);
  };
  return {
    load,
    of: async (decisionId) => {
      await load([decisionId]);
      const read = known.get(decisionId);
      if (read?.kind === "failed") throw read.thrown;
      return read?.story ?? null;
    },
  };
}
