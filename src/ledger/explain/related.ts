import { sql } from "kysely";
import type { RelatedDecision } from "../../contract/explanation.ts";
import type { Seeing } from "../../contract/ports.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Route } from "../../contract/words.ts";
import type { Tx } from "../../store/database.ts";
import { editorOf } from "../asker.ts";
import { successorOf } from "../ends.ts";
import { textAt } from "../fields.ts";
import { parseBody } from "../parse-entry.ts";
import { readOr } from "../read-entry.ts";
import type { DecisionStory } from "../story.ts";

/**
 * The decisions that one came from or led to: whose outcome follows one of its entries, what stands in its place, what undid it. Others
 * than the one that it follows are named to whom `sees` says.
 */
export async function readRelated(
  { tx, principal, story }: { tx: Tx; principal: Principal; story: DecisionStory },
  sees: (seeing: Seeing) => boolean,
): Promise<readonly RelatedDecision[]> {
  const { tenant, decisionId, outcome, following, follows } = story;
  const entries = [outcome.id, ...following.map(({ id }) => id)];
  const { rows } = await sql<{ decision_id: string; body: string }>`
    select decision_id, body from countersign.entry
    where tenant = ${tenant} and cause = any (${entries}::uuid[]) and kind in ('decided', 'stopped') and decision_id <> ${decisionId}
    order by xid, n limit 100`.execute(tx);
  const seen = rows.filter(({ body }) => sees(seeingOfBody(principal, body)));
  const undoing = new Set(following.filter(({ kind }) => kind === "compensated").map(({ body }) => textAt(body, "by")));
  const successor = successorOf(story);
  const led = seen.map(({ decision_id }): RelatedDecision => {
    const how = undoing.has(decision_id) ? "undone_by" : decision_id === successor ? "superseded_by" : "followed_by";
    return { how, decisionId: decision_id };
  });
  if (follows === null) return led;
  return [{ how: editorOf(story) === null ? "follows" : "supersedes", decisionId: follows }, ...led];
}

/** What an entry's body says of who may see its decision; one that cannot be read is somebody else's. */
export function seeingOfBody(principal: Principal, bytes: string): Seeing {
  const body = readOr("mark", () => parseBody(bytes)) ?? {};
  const { route, effects } = body;
  return {
    principal,
    // Read in the principal's own tenant.
    tenant: principal.tenant,
    requestedBy: textAt(body, "principal") ?? "",
    onBehalfOf: textAt(body, "onBehalfOf"),
    // Parsed from the closed list.
    route: typeof route === "string" ? (route as Route) : null,
    effects: typeof effects === "number" ? effects : 0,
  };
}
