/**
 * Decisions that the acting half wants made: it leaves a row in the transaction of what the decision follows from, and a deciding
 * process makes it. The row is the whole seam between the two: neither half calls the other.
 */
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import { canonicalJson, type Json, type JsonObject } from "../contract/json.ts";
import { idPattern } from "../contract/limits.ts";
import { allowListsSchema, type Principal } from "../contract/principal.ts";
import type { WorkflowStep } from "../contract/runtime.ts";
import type { Tx } from "../store/database.ts";
import { parseJson } from "./parse-entry.ts";
import type { PayloadKeys } from "./payload.ts";

/** A decision that is to be made: of which capability, for whom, on which inputs, and after which entry. */
export interface Wanted {
  readonly tenant: string;
  /** A UUID of the caller's. */
  readonly id: string;
  readonly capability: string;
  /** For whom it is decided; the deciding half does not ask again whether the capability is open to them. */
  readonly principal: Principal;
  readonly inputs: Json;
  /** What the principal gave themselves: only what stands in it may count as theirs in the inputs. Nothing where it is left out. */
  readonly given?: Json;
  /** The entry that it follows. */
  readonly cause: string | null;
  /** The step of a case that wants it. */
  readonly workflow?: WorkflowStep | null;
}

/** A wanted decision that a deciding process has taken up. */
export interface TakenWanted extends Omit<Wanted, "principal" | "inputs" | "given" | "workflow"> {
  readonly attempts: number;
  readonly round: number;
  /** `null` where what was kept does not decrypt or has not the form of it. */
  readonly asked: Required<Pick<Wanted, "principal" | "inputs" | "given" | "workflow">> | null;
}

/** What became of a wanted decision: made, given up, or to be tried again from `afterMs` on. */
export type WantedEnd =
  | { readonly state: "made"; readonly decisionId: string }
  | { readonly state: "failed"; readonly code: string; readonly decisionId: string | null }
  /** `isRecorded`: a decision was recorded and ended for want of something, so the next one is a new decision. */
  | { readonly state: "waiting"; readonly afterMs: number; readonly isRecorded: boolean; readonly isCounted: boolean };

/** How a wanted decision stands for who wanted it. */
export interface WantedStanding {
  readonly state: "waiting" | "made" | "failed";
  readonly decisionId: string | null;
  readonly code: string | null;
  /** What was asked for, by which a decision is known to be the one. */
  readonly capability: string;
  readonly cause: string | null;
}

/** Wants a decision, in the caller's transaction under the role `acting`; wanting the same id again changes nothing. */
export async function wantDecision(tx: Tx, wanted: Wanted, keys: PayloadKeys): Promise<void> {
  const { tenant, id, capability, principal, inputs, given = null, cause, workflow = null } = wanted;
  if (principal.tenant !== tenant) {
    throw new CountersignError("internal", "a decision is wanted for a principal of another tenant");
  }
  const text = canonicalJson({
    principal: { ...principal },
    inputs,
    given,
    workflow: workflow === null ? null : { ...workflow },
  });
  const salt = randomBytes(16).toString("hex");
  const body = keys.encrypt({ tenant, entryId: id, bodies: [{ name: "wanted", salt, text }] });
  await tx
    .insertInto("wanted")
    .values({ tenant, id, capability, body, cause })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The tenants that are at work and have decisions to be made now. */
export async function tenantsWithWanted(tx: Tx): Promise<readonly string[]> {
  const { rows } = await sql<{ tenant: string }>`
    select distinct wanted.tenant from countersign.wanted join countersign.tenant on tenant.id = wanted.tenant and tenant.state = 'active'
    where wanted.state = 'waiting' and wanted.due_at <= clock_timestamp() order by wanted.tenant`.execute(tx);
  return rows.map(({ tenant }) => tenant);
}

/** Takes up what waits, longest first, under the role `deciding`; nobody else takes it up within `leaseMs` milliseconds. */
export async function takeWanted(
  { tx, tenant, limit, leaseMs }: { tx: Tx; tenant: string; limit: number; leaseMs: number },
  keys: PayloadKeys,
): Promise<readonly TakenWanted[]> {
  const { rows } = await sql<TakenRow>`
    with due as materialized (
      select id from countersign.wanted where tenant = ${tenant} and state = 'waiting' and due_at <= clock_timestamp()
      order by due_at, id limit ${limit} for update skip locked)
    update countersign.wanted w
    set attempts = w.attempts + 1, due_at = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
    from due where w.tenant = ${tenant} and w.id = due.id
    returning w.id, w.capability, w.body, w.cause, w.attempts, w.round`.execute(tx);
  return rows.map(({ body, ...row }) => ({ tenant, ...row, asked: askedOf({ tenant, id: row.id, body, keys }) }));
}

/** Writes what became of a decision that was taken up; says whether it counted, which it does not where another process was first. */
export async function endWanted(tx: Tx, taken: Pick<TakenWanted, "tenant" | "id" | "round">, end: WantedEnd): Promise<boolean> {
  const ended = await tx
    .updateTable("wanted")
    .set(end.state === "waiting" ? again(end) : over(end))
    .where("tenant", "=", taken.tenant)
    .where("id", "=", taken.id)
    .where("state", "=", "waiting")
    .where("round", "=", taken.round)
    .executeTakeFirst();
  return ended.numUpdatedRows > 0n;
}

/** How a wanted decision stands; `null` where there is none of that id. */
export async function readWanted(tx: Tx, { tenant, id }: { tenant: string; id: string }): Promise<WantedStanding | null> {
  const row = await tx
    .selectFrom("wanted")
    .select(["state", "decision_id", "code", "capability", "cause"])
    .where("tenant", "=", tenant)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { state, decision_id: decisionId, code, capability, cause } = row;
  return { state, decisionId, code, capability, cause };
}

function again({ afterMs, isRecorded, isCounted }: Extract<WantedEnd, { state: "waiting" }>) {
  return {
    due_at: sql<Date>`clock_timestamp() + make_interval(secs => ${afterMs / 1000})`,
    round: sql<number>`round + ${isRecorded ? 1 : 0}`,
    attempts: sql<number>`greatest(0, attempts - ${isCounted ? 0 : 1})`,
  };
}

function over(end: Exclude<WantedEnd, { state: "waiting" }>) {
  const code = end.state === "failed" ? end.code : null;
  return { state: end.state, decision_id: end.decisionId, code, body: null };
}

interface TakenRow {
  readonly id: string;
  readonly capability: string;
  readonly body: Buffer;
  readonly cause: string | null;
  readonly attempts: number;
  readonly round: number;
}

function askedOf({ tenant, id, body, keys }: { tenant: string; id: string; body: Buffer; keys: PayloadKeys }) {
  try {
    const kept = keys.decrypt({ tenant, entryId: id, body }).find(({ name }) => name === "wanted");
    const parsed = askedSchema.safeParse(parseJson(kept?.text ?? ""));
    return parsed.success && parsed.data.principal.tenant === tenant ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Everything here came out of `JSON.parse`, so it is JSON already. */
const json = z.custom<Json>((value) => value !== undefined);
const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);
const askedSchema = z.strictObject({
  principal: z.strictObject({
    tenant: z.string(),
    id: z.string().regex(idPattern),
    roles: z.array(z.string()),
    attributes: z.custom<JsonObject>(isObject),
    onBehalfOf: z.string().nullable(),
    allow: allowListsSchema,
  }) satisfies z.ZodType<Principal>,
  inputs: json,
  given: json,
  workflow: z
    .strictObject({
      caseId: z.string(),
      case: z.string(),
      step: z.string(),
      handedFrom: z.string().nullable(),
      owner: z.string(),
    })
    .nullable()
    .default(null),
});
