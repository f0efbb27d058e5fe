import type { PayloadKeys } from "../ledger/payload.ts";
import type { DecisionStory, StoryRead } from "../ledger/read.ts";
import { readForActing, type StandingRead } from "../ledger/read-acting.ts";
import type { Tx } from "../store/database.ts";

/** The stories of decisions as they stand in one transaction, each read once. */
export interface Stories {
  /** Reads several at once. Those that are asked for without it are read one by one. */
  readonly load: (decisionIds: readonly string[]) => Promise<void>;
  /** One story; `null` where no such decision has ended. Throws what reading it came to, `payload_unreadable` above all. */
  readonly of: (decisionId: string) => Promise<DecisionStory | null>;
  /** Who asked, was asked for or signed in person, in those that were loaded and can be read. */
  readonly people: () => readonly string[];
}

/** Opens the stories of a tenant for one transaction, as `ledger/read-acting.ts` reads them. */
export function openStories({
  tx,
  tenant,
  keys,
  standingRead = "all",
}: {
  tx: Tx;
  tenant: string;
  keys: PayloadKeys;
  standingRead?: StandingRead;
}): Stories {
  const known = new Map<string, StoryRead>();
  const load: Stories["load"] = async (decisionIds) => {
    const missing = [...new Set(decisionIds)].filter((decisionId) => !known.has(decisionId));
    if (missing.length === 0) return;
    const read = await readForActing({ tx, tenant, keys, decisionIds: missing, standingRead });
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
    people: () =>
      [...known.values()].flatMap((read) => (read.kind === "read" && read.story !== null ? peopleOf(read.story) : [])),
  };
}

function peopleOf({ requestedBy, onBehalfOf, approvals }: DecisionStory): readonly string[] {
  const signers = approvals.flatMap(({ granted_by: by, approver }) => (by === "person" ? [approver] : []));
  return [requestedBy, ...(onBehalfOf === null ? [] : [onBehalfOf]), ...signers];
}
