import { sql } from "kysely";
import type { Remembered, RuledMemoryNeed } from "../contract/memory.ts";
import type { Envelope } from "../contract/principal.ts";
import type { Tx } from "../store/database.ts";
import { objectAt, textAt } from "./fields.ts";
import { answersOf, isEnding, isUnanswered } from "./lists.ts";
import { parseBody } from "./parse-entry.ts";
import type { PayloadKeys } from "./payload.ts";
import { type EntryRow, readEntry } from "./read-entry.ts";

/** So far back among the principal's own decisions is looked for those of the session, or with effects. */
const mostScanned = 200;

/**
 * Reads the notes that the principal's own decisions left, newest first: those of the envelope's session (`turn`), all (`decision`) or
 * those that proposed an effect (`task`), within the rule's age and number. What a person still has to release, has rejected or corrected,
 * and what did not pass, is told by its state alone; what was erased, by that. Outside a session there are no turns.
 */
export async function readNotes({
  tx,
  need,
  envelope,
  keys,
}: {
  tx: Tx;
  need: RuledMemoryNeed;
  envelope: Envelope;
  keys: PayloadKeys;
}): Promise<readonly Remembered[]> {
  const { principal, at, runtime } = envelope;
  const session = runtime?.session ?? null;
  if (need.scope === "session" && session === null) return [];
  const rows = await readRows(tx, { tenant: principal.tenant, id: principal.id, since: at - need.rule.keepMs, until: at });
  const own = rows.filter(({ body, effects }) => {
    const facts = parseBody(body);
    if (textAt(facts, "onBehalfOf") !== principal.onBehalfOf) return false;
    if (need.scope === "session" && textAt(facts, "session") !== session) return false;
    return need.of !== "task" || (effects ?? 0) > 0;
  });
  return own
    .slice(0, Math.min(need.limit, need.rule.most))
    .map((row) => remembered(row, { need, tenant: principal.tenant, keys }));
}

type NoteRow = EntryRow & { readonly decision_id: string; readonly isOpen: boolean; readonly ending: string | null };

/** The principal's decisions that have ended, newest first, each with whether it waits and with what a person or the clock ended it. */
async function readRows(
  tx: Tx,
  { tenant, id, since, until }: { tenant: string; id: string; since: number; until: number },
): Promise<readonly NoteRow[]> {
  // A correction that put nothing in the place of what it corrects ends no waiting; but what it is of was found to be wrong.
  const { rows } = await sql<NoteRow>`
    select decided.id, decided.kind, decided.ts, decided.writer, decided.cause, decided.capability, decided.route, decided.effects,
      decided.body, null as seq, payload.body as payload, payload.entry_id is not null as has_payload, asked.decision_id,
      decided.route in ('hitl_recommended', 'hitl_required') and ${isUnanswered} as "isOpen",
      (select answer.kind ${answersOf} and (${isEnding} or answer.kind = 'corrected')
        order by answer.xid desc, answer.n desc limit 1) as ending
    from (
      select decision_id from intent where tenant = ${tenant} and principal = ${id} and ended
      order by decision_id desc limit ${mostScanned}
    ) as asked
    join entry decided on decided.tenant = ${tenant} and decided.decision_id = asked.decision_id
      and decided.kind in ('decided', 'stopped')
    left join payload on payload.tenant = ${tenant} and payload.entry_id = decided.id
    where decided.capability <> 'intake' and decided.ts > ${since} and decided.ts <= ${until}
    order by decided.ts desc, asked.decision_id desc`.execute(tx);
  return rows;
}

interface Noting {
  readonly need: RuledMemoryNeed;
  readonly tenant: string;
  readonly keys: PayloadKeys;
}

function remembered(row: NoteRow, { need, tenant, keys }: Noting): Remembered {
  return Object.freeze({
    kind: "memory",
    id: `memory:${row.id}`,
    need: need.name,
    of: need.of,
    scope: need.scope,
    about: null,
    text: `${row.capability ?? "unknown"}: ${standingOf(row, { need, tenant, keys })}`,
    at: Number(row.ts),
    decisionId: row.decision_id,
  });
}

/** What its own asker may be told of it. Invariant: no words that nobody has released, that did not pass the checks, or that were corrected. */
function standingOf(row: NoteRow, { tenant, keys }: Noting): string {
  const { kind, route, isOpen, ending } = row;
  if (kind === "stopped") return `stopped (${stopReason(row)})`;
  if (route === "reject") return "did not pass the checks";
  if (isOpen) return "waits for a person";
  if (ending === "expired") return "expired before it was answered";
  if (ending !== null) return `a person answered: ${ending}`;
  const read = readEntry({ row, tenant, keys, unreadable: "mark", bodies: ["notes"] });
  const { notes } = read.bodies;
  const said = Array.isArray(notes) ? notes.filter((note) => typeof note === "string").join(" ") : "";
  if (said !== "") return said;
  return read.isErased ? "its note was erased" : "its note cannot be read";
}

function stopReason({ body }: NoteRow): string {
  return textAt(objectAt(parseBody(body), "stop") ?? {}, "reason") ?? "no reason";
}
