/** Reads, as the owner, what the judge compares: operations, ends and approvals of one stretch of a run. */
import pg from "pg";
import { idempotencyKeyOf } from "../../src/act/idempotency-key.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import type { EndFact, Evidence, OperationFact } from "./judge.ts";
import { type TargetKind, targetKinds } from "./plan.ts";
import { effectName, keyOf } from "./project/effects.ts";

/** The owner's way to a database whose server dies now and then. Close it. */
export interface Owner {
  /** Asks until there is an answer; for a minute at most. */
  readonly ask: <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
  readonly close: () => Promise<void>;
}

/** Opens the owner's way. */
export function openOwner(adminUrl: string): Owner {
  const pool = new pg.Pool({ connectionString: adminUrl, max: 2, connectionTimeoutMillis: 10_000 });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    async ask<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
      const end = performance.now() + 60_000;
      for (;;) {
        try {
          return (await pool.query<Row>(text, [...values])).rows;
        } catch (thrown) {
          if (performance.now() > end || isOurs(thrown)) throw thrown;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    },
    close: () => pool.end(),
  };
}

/** How much there is, and how much of it is still to be done. */
export interface Progress {
  readonly operations: number;
  readonly open: number;
}

const openStates = "('applying', 'applied', 'incomplete', 'unknown', 'retrying', 'compensating')";
/** Effects with all their signatures that are not answered, unless one of the same decision waits for a signature yet. */
const unanswered = `(
  with signed as (
    select decision_id, effect_index, max(needs) as needs, count(*) as given, bool_or(state = 'granted') as is_open,
      string_agg(state, ' ') as states
    from countersign.approval where decision_id is not null group by decision_id, effect_index)
  select * from signed s where s.is_open and s.given >= s.needs
    and not exists (select from signed w where w.decision_id = s.decision_id and w.given < w.needs)) unanswered`;
const inWork = `(select count(*)::int from countersign.operation where state in ${openStates})`;
/** What policy has not looked at yet: neither signed nor refused. */
const unadmitted = `countersign.entry e where e.kind = 'decided' and e.route = 'auto' and e.effects > 0 and not exists (
  select from countersign.entry f where f.tenant = e.tenant and f.decision_id = e.decision_id and f.kind in ('approved', 'refused'))`;

/** Counts the operations of a stretch, and what the workers have in hand or before them. */
export async function readProgress(owner: Owner, prefix: string): Promise<Progress> {
  const [row] = await owner.ask<{ operations: number; open: number }>(
    `select (select count(*)::int from countersign.operation where key like $1) as operations,
      ${inWork} + (select count(*)::int from countersign.approval where state = 'granted') as open`,
    [`${keyOf(prefix)}%`],
  );
  return { operations: row?.operations ?? 0, open: row?.open ?? 0 };
}

/** Counts everything that is not over, what policy has not looked at included. */
export async function countOpen(owner: Owner): Promise<number> {
  const [row] = await owner.ask<{ open: number }>(
    `select ${inWork} + (select count(*)::int from ${unanswered}) + (select count(*)::int from ${unadmitted}) as open`,
  );
  return row?.open ?? 0;
}

/** Everything of a stretch but what its clients and its target noted. `prefix` is what the names of its things begin with. */
export async function readBook(owner: Owner, prefix: string): Promise<Omit<Evidence, "acknowledged" | "applied" | "slackMs">> {
  const [clock] = await owner.ask<{ now: string }>("select (extract(epoch from clock_timestamp()) * 1000)::bigint as now");
  const begun = await owner.ask<{ decision_id: string }>(
    "select decision_id from countersign.intent where not ended and lease_until < now() - interval '60 seconds'",
  );
  return {
    now: Number(clock?.now),
    decided: new Set((await readEntries(owner, ["decided", "stopped"])).map((one) => one.decision_id)),
    operations: await readOperations(owner, prefix),
    ends: (await readEntries(owner, ["refused", "expired", "rejected", "withdrawn", "observed"])).flatMap(endsOf),
    unanswered: await readUnanswered(owner),
    undecided: begun.map((row) => row.decision_id),
  };
}

interface EntryRow {
  readonly decision_id: string;
  readonly kind: string;
  readonly body: { readonly [field: string]: unknown };
}

function readEntries(owner: Owner, of: readonly string[]): Promise<readonly EntryRow[]> {
  // What became of an operation is read from its row: of looks only those that joined another operation count here. What the desk
  // refuses is somebody's attempt, and the end of nothing.
  return owner.ask<EntryRow>(
    `select decision_id, kind, body::json as body from countersign.entry where kind = any ($1) and decision_id is not null
      and (kind <> 'observed' or body like '%"joins":%') and (kind <> 'refused' or writer = 'acting')`,
    [of],
  );
}

function endsOf({ decision_id: decisionId, kind, body }: EntryRow): readonly EndFact[] {
  const index = body["effectIndex"];
  const effectIndex = typeof index === "number" ? index : null;
  const code = typeof body["code"] === "string" ? `${body["code"]}/${body["rule"]}` : null;
  // A refusal of an approval that was used before says nothing of the effect.
  if (code?.startsWith("approval_used")) return [];
  return [{ decisionId, effectIndex, code, what: kind === "observed" ? "joined" : (kind as EndFact["what"]) }]; // of those asked for
}

async function readUnanswered(owner: Owner): Promise<Evidence["unanswered"]> {
  const rows = await owner.ask<{ decision_id: string; effect_index: number; states: string }>(`select * from ${unanswered}`);
  return rows.map((row) => ({ decisionId: row.decision_id, effectIndex: row.effect_index, states: row.states }));
}

interface OperationRow {
  readonly tenant: string;
  readonly id: string;
  readonly effect: string;
  readonly key: string;
  readonly generation: number;
  readonly decision_id: string;
  readonly effect_index: number;
  readonly state: OperationFact["state"];
  readonly deadline_at: Date;
  readonly attempts: number;
  readonly reason: string | null;
}

async function readOperations(owner: Owner, prefix: string): Promise<readonly OperationFact[]> {
  const rows = await owner.ask<OperationRow>(
    `select o.tenant, o.id, o.effect, o.key, o.generation, o.decision_id, o.effect_index, o.state, o.deadline_at, o.attempts,
      (select e.body::json ->> 'reason' from countersign.entry e where e.tenant = o.tenant and e.decision_id = o.decision_id
        and e.kind = 'escalated' and e.body::json ->> 'operationId' = o.id::text order by e.xid desc, e.n desc limit 1) as reason
      from countersign.operation o where o.key like $1`,
    [`${keyOf(prefix)}%`],
  );
  return rows.map((row) => ({
    id: row.id,
    kind: kindOf(row.effect),
    thing: row.key.slice(keyOf("").length),
    decisionId: row.decision_id,
    effectIndex: row.effect_index,
    state: row.state,
    idempotencyKey: idempotencyKeyOf(row, sha256Digest),
    reason: row.reason,
    deadlineAt: row.deadline_at.getTime(),
    sends: row.attempts,
  }));
}

function kindOf(effect: string): TargetKind {
  const kind = targetKinds.find((one) => effectName(one) === effect);
  if (kind === undefined) throw new RangeError(`the effect ${effect} is none of this project`);
  return kind;
}

/** What the server itself refuses to understand: asking again would not help. */
function isOurs(thrown: unknown): boolean {
  const code = thrown instanceof pg.DatabaseError ? (thrown.code ?? "") : "";
  return code.startsWith("42");
}
