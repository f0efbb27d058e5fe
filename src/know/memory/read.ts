// Memory that declared effects have kept: a session's, a person's or the tenant's. Whose it is, its labels and its age are part of the
// query. Never writes, not even that something was read.
import { type RawBuilder, sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import { isInstant } from "../../contract/instant.ts";
import { isKeepableText } from "../../contract/json.ts";
import { maxMemories, type Remembered, type RuledMemoryNeed } from "../../contract/memory.ts";
import type { Envelope } from "../../contract/principal.ts";
import type { Tx } from "../../store/database.ts";

/**
 * Reads what is kept within the rule of the capability: of the envelope's own session or principal, or of the tenant as far as its labels
 * permit; the last confirmed first. Outside a session there is no session memory. Throws `reference_time_missing`, `forbidden` (no labels
 * given), `bad_text` or `definition_invalid` (the limit).
 */
export async function readMemory({
  tx,
  need,
  envelope,
}: {
  tx: Tx;
  need: RuledMemoryNeed;
  envelope: Envelope;
}): Promise<readonly Remembered[]> {
  checkMemoryNeed(need, envelope);
  const { principal, at } = envelope;
  const about = need.about === undefined ? sql`true` : sql`about = ${need.about}`;
  const { rows } = await sql<Row>`
    select id, about, body as text, written_at::float8 as at, decision_id as "decisionId" from memory
    where tenant = ${principal.tenant} and kind = ${need.of} and scope = ${need.scope} and ${ownedBy(need, envelope)} and ${about}
      and expires_at > ${at} and confirmed_at > ${at - need.rule.keepMs}
    order by confirmed_at desc, id limit ${Math.min(need.limit, need.rule.most)}`.execute(tx);
  return rows.map(({ id, ...row }) =>
    Object.freeze({ kind: "memory", id: `memory:${id}`, need: need.name, of: need.of, scope: need.scope, ...row }),
  );
}

/** Refuses a question that is none, or that comes without what it is held to. */
export function checkMemoryNeed({ name, limit, about }: RuledMemoryNeed, { at, scopes }: Envelope): void {
  if (typeof at !== "number" || !isInstant(at))
    throw new CountersignError(
      "reference_time_missing",
      "memory is read as of the request's time, in milliseconds since the epoch",
    );
  if (!Array.isArray(scopes))
    throw new CountersignError("forbidden", "memory is read with the labels that the principal may see");
  if (about !== undefined && !isKeepableText(about))
    throw new CountersignError("bad_text", "an entity's id holds NUL or a lone surrogate; send plain text");
  if (!Number.isInteger(limit) || limit < 1 || limit > maxMemories)
    throw new CountersignError("definition_invalid", `need \`${name}\` may ask for 1 to ${maxMemories} pieces of memory`);
}

/** Says whether the account's list of record queries, where it has one, names this kind of memory. */
export function isMemoryListed({ of }: Pick<RuledMemoryNeed, "of">, { principal: { allow } }: Envelope): boolean {
  return allow.records === "all" || allow.records.includes(`memory.${of}`);
}

type Row = Pick<Remembered, "id" | "about" | "text" | "at" | "decisionId">;

function ownedBy(need: RuledMemoryNeed, envelope: Envelope): RawBuilder<unknown> {
  const { principal, scopes, runtime } = envelope;
  if (!isMemoryListed(need, envelope)) return sql`false`;
  const own = sql`owner = ${principal.id} and on_behalf_of is not distinct from ${principal.onBehalfOf}`;
  switch (need.scope) {
    case "session":
      return runtime?.session == null ? sql`false` : sql`${own} and session = ${runtime.session}`;
    case "user":
      return own;
    case "tenant":
      return sql`scopes && ${[...scopes]}::text[]`;
  }
}
