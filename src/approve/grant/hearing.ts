import type { ChangeTopic } from "../../contract/changes.ts";
import type { Principal } from "../../contract/principal.ts";
import type { EntryKind } from "../../contract/words.ts";
import type { Policy } from "../../guard/policy/policy.ts";
import type { Cases } from "../../ledger/cases/open-cases.ts";
import { type Changes, readChanges } from "../../ledger/changes.ts";
import { seeingOfBody } from "../../ledger/explain/related.ts";
import type { Database } from "../../store/database.ts";

/** What somebody who listens at the desk is told: that something changed which they may see, and never what. */
export interface Hearing {
  /** What was committed of a tenant from a place on; without one, the place to begin at. */
  readonly changes: (asking: { tenant: string; since: string | null }) => Promise<Changes>;
  /** Of these changes, the lists that this principal would see changed. `before` is the word for the ledger that they were told last. */
  readonly heard: (asking: { principal: Principal; changes: Changes; before: string | null }) => readonly ChangeTopic[];
}

const ofOperations: ReadonlySet<EntryKind> = new Set([
  ...(["approved", "refused", "resolved", "applying", "applied", "observed", "compensated", "escalated", "expired"] as const),
]);

/** Opens it. */
export function openHearing({ database, policy, cases }: { database: Database; policy: Policy; cases: Cases }): Hearing {
  return {
    changes: ({ tenant, since }) => database.inSnapshot(tenant, (tx) => readChanges(tx, { tenant, since })),
    heard: ({ principal, changes, before }) => {
      const opens = (board: string) => policy.maySeeBoard(principal, board).kind === "permitted";
      const mayReview = policy.mayReview(principal).kind === "permitted";
      const seen = changes.decisions.filter(({ body }) => policy.sightOf(seeingOfBody(principal, body)) !== null);
      const isDecided = changes.isAnything || seen.some(({ kinds }) => kinds.length > 0);
      const isWorked = changes.isAnything || seen.some(({ kinds }) => kinds.some((kind) => ofOperations.has(kind)));
      const said: Readonly<Record<ChangeTopic, boolean>> = {
        decisions: isDecided,
        reviews: mayReview && (changes.isAnything || seen.length > 0),
        operations: isWorked && opens("operations"),
        cases: changes.isAnything || changes.cases.some((one) => cases.sees(principal, one)),
        // A new entry, a seal, or another word of the check.
        ledger: (isDecided || changes.ledger !== before) && opens("ledger"),
        // That something is stopped everybody is told.
        halts: changes.isAnything || changes.isStopChanged,
      };
      return (Object.keys(said) as ChangeTopic[]).filter((topic) => said[topic]); // keyed by the closed list
    },
  };
}
