import { sql } from "kysely";
import type { Json, JsonObject } from "../../contract/json.ts";
import type { RoutingRule, StopReason } from "../../contract/words.ts";
import { objectAt, textAt } from "../../ledger/fields.ts";
import type { PayloadKeys } from "../../ledger/payload.ts";
import { readDecision } from "../../ledger/read.ts";
import type { DecisionStory } from "../../ledger/story.ts";
import type { Database, Tx } from "../../store/database.ts";
import type { FailureTrace } from "./suggest.ts";

/** How a decision failed. */
export const failureKinds = ["rejected", "edited", "failed", "unknown", "escalated", "stopped"] as const;

/** A decision that went wrong, with what its trace tells; no words of anybody. */
export interface Failure {
  readonly id: string;
  readonly kind: (typeof failureKinds)[number];
  readonly capability: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly trace: FailureTrace;
}

/** What is read, under a role that reads the ledger. */
export interface ReadFailures {
  readonly database: Database;
  readonly keys: PayloadKeys;
  readonly tenant: string;
  /** The newest so many. */
  readonly limit: number;
}

/**
 * Reads the newest failures of a tenant: what people rejected or edited, what was not seen complete, what a person was called for, and
 * what stopped for a reason of the program's and not of whoever asked.
 */
export async function readFailures({ database, keys, tenant, limit }: ReadFailures): Promise<readonly Failure[]> {
  return database.inSnapshot(tenant, async (tx) => {
    const failures: Failure[] = [];
    for (const decisionId of await failedIds({ tx, tenant, limit })) {
      const story = await readDecision({ tx, tenant, decisionId, keys, unreadable: "mark" });
      if (story !== null) failures.push(failureOf(story));
    }
    return failures;
  });
}

// Bodies are looked at as text: one that is no JSON must not end the query, and a quotation mark within a text is escaped.
async function failedIds({ tx, tenant, limit }: { tx: Tx; tenant: string; limit: number }): Promise<readonly string[]> {
  const { rows } = await sql<{ decision_id: string }>`
    select decision_id from (
      select decision_id from countersign.entry
      where tenant = ${tenant} and kind in ('rejected', 'escalated', 'corrected', 'observed') and kind not in ('decided', 'stopped')
        and (kind in ('rejected', 'escalated')
          or (kind = 'corrected' and strpos(body, '"supersededBy":"') > 0)
          or (kind = 'observed' and strpos(body, '"verdict":"complete"') = 0 and exists (
            select from countersign.operation
            where operation.tenant = entry.tenant and operation.decision_id = entry.decision_id
              and operation.state in ('failed', 'unknown', 'escalated', 'compensated'))))
      union
      select decision_id from countersign.entry
      where tenant = ${tenant} and kind = 'stopped'
        and not exists (select from unnest(${notOurs}::text[]) as reason where strpos(body, '"reason":"' || reason || '"') > 0)
    ) failed where decision_id is not null order by decision_id desc limit ${limit}`.execute(tx);
  return rows.map(({ decision_id }) => decision_id);
}

/** Stops that say nothing of how the capability decides. */
const notOurs: readonly StopReason[] = [
  "input_invalid",
  "not_permitted",
  "budget_spent",
  "cancelled",
  "abandoned",
  "model_unavailable",
];

function failureOf(story: DecisionStory): Failure {
  const { body, ts } = story.outcome;
  return {
    id: story.decisionId,
    kind: kindOf(story),
    capability: textAt(body, "capability") ?? "",
    at: ts,
    trace: traceOf(story),
  };
}

function kindOf({ outcome, following, operations }: DecisionStory): Failure["kind"] {
  const kinds = new Set(following.map(({ kind }) => kind));
  if (kinds.has("rejected")) return "rejected";
  if (kinds.has("corrected")) return "edited";
  if (operations.some(({ state }) => state === "failed" || state === "compensated")) return "failed";
  if (kinds.has("escalated")) return "escalated";
  return outcome.kind === "stopped" ? "stopped" : "unknown";
}

/** Reads the signs of a trace; of a payload that was erased only what the entry says is left. */
function traceOf({ outcome: { body, bodies }, proposal }: DecisionStory): FailureTrace {
  return {
    stop: textAt(objectAt(body, "stop") ?? {}, "reason") as StopReason | null, // written from the closed list by the journal
    rule: textAt(body, "rule") as RoutingRule | null, // so is the rule
    refused: (proposal?.refusal ?? null) !== null,
    loaded: rowsOf(bodies["context"]).length,
    leftOut: rowsOf(objectAt(bodies, "activity")?.["leftOut"]).length,
    misfits: rowsOf(bodies["replies"]).filter((reply) => reply["outcome"] === "misfits").length,
    droppedClaims: proposal?.droppedClaims.length ?? 0,
    failedChecks: rowsOf(bodies["checks"]).flatMap((check) => (check["passed"] === false ? [String(check["name"])] : [])),
    metrics: [],
  };
}

function rowsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : []; // lists of plain objects, as the walk leaves them
}
