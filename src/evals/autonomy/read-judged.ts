/**
 * Evidence: what people decided of proposals that would have gone `auto`, and what was seen of their effects. It is read from entries alone,
 * never from payloads: nobody's data is needed to count agreement.
 */
import { sql } from "kysely";
import type { JsonObject } from "../../contract/json.ts";
import type { Signal } from "../../contract/signal.ts";
import { numberAt, textAt } from "../../ledger/fields.ts";
import { parseBody } from "../../ledger/parse-entry.ts";
import { readOr } from "../../ledger/read-entry.ts";
import { isByConfidence } from "../../ledger/slices/by-confidence.ts";
import type { Tx } from "../../store/database.ts";
import { firstIdOf } from "../../store/ids.ts";
import { type Judgement, judgementOf, type Said } from "./judgement.ts";

/** One decision that a threshold alone would have let through or kept back. */
export interface JudgedDecision {
  readonly decisionId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly slice: string;
  readonly basis: string;
  readonly model: string;
  readonly signals: readonly Signal[];
  /** It went alone, as policy signed it. */
  readonly isAuto: boolean;
  readonly judgement: Judgement;
}

/** Of which capability, in which environment and time; answers and results after `until` are not known yet. */
export interface Window {
  readonly tenant: string;
  readonly capability: string;
  readonly capabilityVersion: string;
  readonly environment: string;
  readonly from: number;
  readonly until: number;
}

/** The decisions of a window, and from when on they were read: later than asked where there are more than are read. */
export interface Judged {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Oldest first. */
  readonly decisions: readonly JudgedDecision[];
}

/** Most decisions of one window, the newest first: more prove hardly more. */
const mostDecisions = 20_000;
const batch = 2_000;

/** Reads the decisions of a window that would change something and passed all checks, of the newest `most` alone. */
export async function readJudged(tx: Tx, window: Window, most = mostDecisions): Promise<Judged> {
  const { tenant, capability, from, until } = window;
  // Ids grow with the time at which a decision began, which is before it ended: a day is more than any takes.
  const { rows } = await sql<{ decision_id: string; ts: string; body: string }>`
    select decision_id, ts, body from countersign.entry
    where tenant = ${tenant} and kind = 'decided' and capability = ${capability} and effects > 0
      and decision_id >= ${firstIdOf(from - dayMs)}::uuid and ts >= ${from} and ts < ${until}
    order by decision_id desc limit ${most}`.execute(tx);
  const decided = rows.flatMap(({ decision_id: id, ts, body }) => {
    const read = readOr("mark", () => parseBody(body));
    return read === null || !isByConfidence(read, window) ? [] : [{ id, at: Number(ts), body: read }];
  });
  const found: JudgedDecision[] = [];
  for (let i = 0; i < decided.length; i += batch) {
    const some = decided.slice(i, i + batch);
    const said = await readSaid(tx, { tenant, until, ids: some.map(({ id }) => id) });
    found.push(...some.map(({ id, at, body }) => judgedOf({ id, at, body, said: said.get(id) ?? [] })));
  }
  // Whatever of the capability was read counts here, also what is no evidence: of what is older nothing is known.
  const oldest = rows.reduce((least, { ts }) => Math.min(least, Number(ts)), until);
  return { from: rows.length < most ? from : oldest, decisions: found.reverse() };
}

const dayMs = 24 * 60 * 60 * 1_000;

function judgedOf({ id, at, body, said }: { id: string; at: number; body: JsonObject; said: readonly Said[] }): JudgedDecision {
  return {
    ...{ decisionId: id, at, slice: textAt(body, "slice") ?? "", basis: textAt(body, "basis") ?? "" },
    ...{ model: textAt(body, "model") ?? "", signals: signalsOf(body), isAuto: textAt(body, "route") === "auto" },
    judgement: judgementOf(said, numberAt(body, "effects") ?? 0),
  };
}

/** What follows the entries of some decisions, up to an instant, by their ids; each in the order of what was committed. */
export async function readSaid(
  tx: Tx,
  { tenant, until, ids }: { tenant: string; until: number; ids: readonly string[] },
): Promise<ReadonlyMap<string, readonly Said[]>> {
  const { rows } = await sql<{ decision_id: string; kind: string; body: string }>`
    select decision_id, kind, body from countersign.entry
    where tenant = ${tenant} and decision_id = any (${ids}::uuid[]) and kind not in ('decided', 'stopped') and ts < ${until}
    order by xid, n`.execute(tx);
  const said = new Map<string, Said[]>();
  for (const { decision_id: id, kind, body } of rows) {
    const read = readOr("mark", () => parseBody(body));
    if (read !== null) said.set(id, [...(said.get(id) ?? []), { kind, body: read }]);
  }
  return said;
}

const signalNames: ReadonlySet<string> = new Set(["verification", "evidence", "judge", "model"] satisfies Signal["name"][]);

/** The signals as the entry has them; none where one of them has not the form. */
function signalsOf({ signals }: JsonObject): readonly Signal[] {
  if (!Array.isArray(signals)) return [];
  const read = signals.filter((one) => isSignal(one));
  return read.length === signals.length ? read : [];
}

function isSignal(value: unknown): value is Signal {
  if (typeof value !== "object" || value === null) return false;
  const { name, ppm, weightPpm } = value as Record<string, unknown>; // an object's members may be asked for by any name
  return typeof name === "string" && signalNames.has(name) && Number.isInteger(ppm) && Number.isInteger(weightPpm);
}
