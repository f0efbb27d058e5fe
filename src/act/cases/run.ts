import type { RolesFrom } from "../../approve/accounts.ts";
import type { AnyCase, At, CaseStep, StepDecision } from "../../contract/case.ts";
import type { CaseRules } from "../../contract/case-view.ts";
import { CountersignError } from "../../contract/errors.ts";
import { type Json, toFrozenJson } from "../../contract/json.ts";
import type { Ids } from "../../contract/ports.ts";
import type { Principal } from "../../contract/principal.ts";
import { fitToSchema, type Schema } from "../../contract/schema.ts";
import type { RunBody } from "../../ledger/cases/run-body.ts";
import type { PayloadKeys } from "../../ledger/payload.ts";
import type { Database, Tx } from "../../store/database.ts";
import type { CaseRunRow } from "../../store/tables.ts";
import type { StoreTime } from "../../store/time.ts";
import type { Definitions } from "./definitions.ts";

/** What moving cases needs. */
export interface Casing {
  readonly rules: Pick<CaseRules, "mayStart">;
  readonly database: Database;
  readonly keys: PayloadKeys;
  readonly definitions: Definitions;
  readonly ids: Ids;
  readonly storeTime: StoreTime;
  readonly rolesFrom: RolesFrom;
}

/** A case under this worker's lock, with what it holds; `now` in milliseconds since the epoch, by the store's clock. */
export interface Run {
  readonly tx: Tx;
  readonly casing: Casing;
  readonly row: CaseRunRow;
  readonly body: RunBody;
  /** Who started it, with the roles and lists of their account by now; where that is gone, as they were. */
  readonly starter: Principal;
  readonly now: number;
}

/**
 * Runs a definition's own code. Whatever it throws becomes `definition_invalid`: then the case is left to its owner, and the worker goes
 * on with others.
 */
export function byDefinition<T>(compute: () => T): T {
  try {
    return compute();
  } catch (cause) {
    throw invalid("a function of a case threw", cause);
  }
}

/** A value of a definition's own as plain data that fits a schema. Throws `definition_invalid` where it does not. */
export async function fitted(schema: Schema, value: unknown): Promise<Json> {
  const fit = await fitToSchema(schema, value);
  if (fit.kind === "misfits") throw invalid(`what a case computed does not fit: ${fit.issues.slice(0, 5).join("; ")}`);
  return byDefinition(() => toFrozenJson(fit.value));
}

/** The step of that name. Throws `definition_invalid` where the case has none. */
export function stepNamed(one: AnyCase, name: string): CaseStep<Json, string> {
  const step = Object.hasOwn(one.steps, name) ? one.steps[name] : undefined;
  if (step === undefined) throw invalid(`case \`${one.name}\` ${one.version} has no step \`${name}\``);
  return step;
}

/** What a step's functions are given. */
export function atOf({ row, body, now }: Run, read: { readonly [step: string]: StepDecision }): At<Json> {
  return { data: body.data, at: now, key: row.key, startedBy: row.started_by, read };
}

function invalid(message: string, cause?: unknown): CountersignError {
  return new CountersignError("definition_invalid", message, { cause });
}
