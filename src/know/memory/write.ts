// Keeps memory, by the rule of a capability, and forgets it. Reached by the acting half alone: what is remembered was declared as an
// effect, and was permitted.
import { sql } from "kysely";
import { CountersignError } from "../../contract/errors.ts";
import { isKeepableText } from "../../contract/json.ts";
import { keptKinds, type MemoryDraft, type MemoryRule, maxMemoryText } from "../../contract/memory.ts";
import { sessionPattern } from "../../contract/runtime.ts";
import type { Database, Tx } from "../../store/database.ts";
import { acrossTenants } from "../../store/every-tenant.ts";

/** For which decision memory is kept: of whom, and of which capability. */
export interface MemoryPlace {
  readonly tx: Tx;
  readonly tenant: string;
  readonly capability: string;
  readonly decisionId: string;
  readonly onBehalfOf: string | null;
}

/**
 * Keeps a piece of memory under the rule of its capability and returns its id. The same words again confirm what is there. Of what this
 * capability keeps, and for the tenant under these labels, goes what is too old by the rule and what is more than it allows: the one that
 * was confirmed longest ago first. Throws `bad_request` for a piece
 * that is none, `definition_invalid` where the capability has no such rule.
 */
export async function keepMemory(
  place: MemoryPlace,
  { draft, remembers }: { readonly draft: MemoryDraft; readonly remembers: readonly MemoryRule[] },
): Promise<string> {
  const rule = remembers.find(({ of, scope }) => of === draft.of && scope === draft.scope);
  if (rule === undefined)
    throw new CountersignError(
      "definition_invalid",
      `\`${place.capability}\` has no rule to remember \`${draft.of}\` of a ${draft.scope}`,
    );
  checkDraft(draft);
  await lockShelf(place, draft);
  const id = (await confirm(place, draft, rule)) ?? (await insert(place, draft, rule));
  await evict(place, draft, rule);
  return `memory:${id}`;
}

/** What is forgotten: all of a person, of one session, or about an entity. */
export type Forgotten = { readonly owner: string; readonly session?: string } | { readonly about: string };

/** Forgets memory for good, and returns how many pieces that were. */
export async function forgetMemory({ tx, tenant }: Pick<MemoryPlace, "tx" | "tenant">, forgotten: Forgotten): Promise<number> {
  const which =
    "about" in forgotten
      ? sql`about = ${forgotten.about}`
      : sql`(owner = ${forgotten.owner} or on_behalf_of = ${forgotten.owner})
          and ${forgotten.session === undefined ? sql`true` : sql`session = ${forgotten.session}`}`;
  const { numAffectedRows = 0n } = await sql`delete from memory where tenant = ${tenant} and ${which}`.execute(tx);
  return Number(numAffectedRows);
}

/** How much one transaction removes of what has expired. */
const batch = 1_000;

/** Removes some of what has expired by the database's clock, and returns how many pieces that were; none is left once it returns fewer than `most`. */
export async function expireMemory({ tx, tenant }: Pick<MemoryPlace, "tx" | "tenant">, most: number = batch): Promise<number> {
  // Materialised: a plan may run a subquery more than once, and each time it would lock and remove others.
  const { numAffectedRows = 0n } = await sql`
    with over as materialized (
      select id from memory where tenant = ${tenant} and expires_at <= statement_ms() limit ${most} for update skip locked
    )
    delete from memory using over where memory.tenant = ${tenant} and memory.id = over.id`.execute(tx);
  return Number(numAffectedRows);
}

/** Removes what has expired of every tenant, and returns how many pieces that were. One tenant's fault is told, and the next is gone on with. */
export async function expireAllMemory(database: Database, onError: (thrown: unknown) => void): Promise<number> {
  const look = (tx: Tx) =>
    sql<{ tenant: string }>`select distinct tenant from memory where expires_at <= statement_ms()`.execute(tx);
  let removed = 0;
  for (const { tenant } of (await acrossTenants({ database, look }))?.rows ?? []) {
    try {
      let last = batch;
      while (last === batch) {
        last = await database.inTenant(tenant, (tx) => expireMemory({ tx, tenant }));
        removed += last;
      }
    } catch (thrown) {
      onError(thrown);
    }
  }
  return removed;
}

function checkDraft({ of, scope, session, owner, about, text, scopes }: MemoryDraft): void {
  if (!keptKinds.includes(of)) throw bad(`\`${of}\` is not kept by effects; it stands in the ledger`);
  const isWord = (word: unknown) => typeof word === "string" && word !== "" && word.length <= 200 && isKeepableText(word);
  if (typeof text !== "string" || text.trim() === "" || text.length > maxMemoryText || !isKeepableText(text))
    throw bad(`a piece of memory is a text of 1 to ${maxMemoryText} characters`);
  if (!isWord(owner) || (about !== null && !isWord(about)))
    throw bad("memory has an owner, and an entity that it is about or none");
  if (of === "entity" && about === null) throw bad("memory of an entity says which");
  if ((scope === "session") !== (session !== null) || (session !== null && !sessionPattern.test(session)))
    throw bad("memory of a session says which, and no other does");
  if ((scope === "tenant") !== scopes.length > 0 || !scopes.every(isWord))
    throw bad("the tenant's memory has labels that may see it, and a person's has none");
}

type Kept = Parameters<typeof confirm>;

/** Those who keep on one shelf take turns: what one counts no other adds to. The tenant's memory is one's whoever it was decided for. */
async function lockShelf({ tx, tenant, capability }: MemoryPlace, { of, scope, owner }: MemoryDraft): Promise<void> {
  const shelf = ["memory", tenant, capability, of, scope, ...(scope === "tenant" ? [] : [owner])].join(" ");
  await sql`select pg_advisory_xact_lock(hashtextextended(${shelf}, 0))`.execute(tx);
}

/** Whose it is, what kind and who may see it: the same for all pieces that one rule of one capability counts together. */
function sameShelf({ tenant, onBehalfOf, capability }: MemoryPlace, { of, scope, session, owner, scopes }: MemoryDraft) {
  const labels = sql`${[...scopes]}::text[]`;
  const whose =
    scope === "tenant"
      ? sql`scopes @> ${labels} and scopes <@ ${labels}`
      : sql`owner = ${owner} and on_behalf_of is not distinct from ${onBehalfOf}`;
  return sql`tenant = ${tenant} and capability = ${capability} and kind = ${of} and scope = ${scope}
    and session is not distinct from ${session} and ${whose}`;
}

async function confirm(place: MemoryPlace, draft: MemoryDraft, { keepMs }: MemoryRule): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update memory set confirmed_at = statement_ms(), expires_at = statement_ms() + ${keepMs}
    where ${sameShelf(place, draft)} and about is not distinct from ${draft.about} and body = ${draft.text}
    returning id`.execute(place.tx);
  return rows[0]?.id;
}

async function insert(...[place, draft, { keepMs }]: Kept): Promise<string> {
  const { tenant, onBehalfOf, capability, decisionId } = place;
  const { of, scope, session, owner, about, text, scopes } = draft;
  const { rows } = await sql<{ id: string }>`
    insert into memory (tenant, kind, scope, owner, on_behalf_of, session, about, body, scopes, capability, decision_id, expires_at)
    values (${tenant}, ${of}, ${scope}, ${owner}, ${onBehalfOf}, ${session}, ${about}, ${text}, ${[...scopes]}::text[],
      ${capability}, ${decisionId}::uuid, statement_ms() + ${keepMs})
    returning id`.execute(place.tx);
  const [made] = rows;
  if (made === undefined) throw new CountersignError("internal", "a piece of memory was not kept, without a reason");
  return made.id;
}

async function evict(...[place, draft, { most, keepMs }]: Kept): Promise<void> {
  const shelf = sameShelf(place, draft);
  await sql`
    delete from memory where ${shelf} and (confirmed_at <= statement_ms() - ${keepMs} or id in (
      select id from memory where ${shelf} order by confirmed_at desc, id desc offset ${most}
    ))`.execute(place.tx);
}

function bad(message: string): CountersignError {
  return new CountersignError("bad_request", message);
}
