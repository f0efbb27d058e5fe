import type { AnyCase } from "../../contract/case.ts";
import type { CaseLine, CaseRules, CaseSeeing, CaseView } from "../../contract/case-view.ts";
import { CountersignError } from "../../contract/errors.ts";
import { type Json, toFrozenJson } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import type { ReadPage } from "../../contract/page.ts";
import type { Ids } from "../../contract/ports.ts";
import type { Principal, Ruling } from "../../contract/principal.ts";
import { fitToSchema, type Schema } from "../../contract/schema.ts";
import type { Database, Tx } from "../../store/database.ts";
import { isId } from "../../store/ids.ts";
import type { CaseRunRow } from "../../store/tables.ts";
import type { StoreTime } from "../../store/time.ts";
import type { PayloadKeys } from "../payload.ts";
import { lineOf, viewCase } from "./case-views.ts";
import { listRuns } from "./list-runs.ts";
import { openRunBody } from "./run-body.ts";
import { startRun } from "./start-run.ts";
import { tellCase } from "./tell-case.ts";

/** What people do with cases at the desk. What one may not see is not found. */
export interface Cases {
  /**
   * Starts a case; with a key, once. Throws `unknown_case`, `input_invalid`, `too_large`, `key_conflict`, and `bad_request` for a key
   * that has not the form of one.
   */
  readonly start: (starting: {
    principal: Principal;
    case: string;
    key: string | null;
    input: unknown;
  }) => Promise<{ readonly view: CaseView; readonly isNew: boolean }>;
  /** Tells a case what happened. Throws `not_found`, `forbidden`, `case_ended`, `bad_request` for an event that it does not know, `input_invalid`. */
  readonly tell: (telling: {
    principal: Principal;
    id: string;
    event: string;
    body: unknown;
    key: string | null;
  }) => Promise<{ readonly view: CaseView; readonly isNew: boolean }>;
  /** Whether this principal sees anything of cases that were begun so. */
  readonly sees: (principal: Principal, one: BegunCase) => boolean;
  readonly one: (of: { principal: Principal; id: string }) => Promise<CaseView>;
  /** Newest first, those that are parts of others left out. A page may hold fewer than were asked for while there are more. */
  readonly list: (of: {
    principal: Principal;
    case?: string | null | undefined;
    state?: CaseLine["state"] | null | undefined;
    after?: string | null;
    limit: number;
  }) => Promise<ReadPage<CaseLine, [string]>>;
}

/** What of a case says who may see it. */
export type BegunCase = Pick<CaseRunRow, "case_name" | "version" | "started_by" | "on_behalf_of">;

/** What it takes to show cases, start them and tell them things, under the role `desk`. */
export interface CaseParts {
  readonly database: Database;
  readonly keys: PayloadKeys;
  readonly cases: readonly AnyCase[];
  readonly rules: CaseRules;
  readonly ids: Ids;
  readonly storeTime: StoreTime;
}

/** The event by which an owner has a step begun again, or looked at again; no case may name one of its own so. */
export const retryEvent = "retry";

/** Opens the cases of a project to people. */
export function openCases(parts: CaseParts): Cases {
  const { database, rules, cases } = parts;
  return {
    sees: (principal, one) => rules.caseSightOf(seeingOf(parts, principal, { ...one, tenant: principal.tenant })) !== null,
    start: (starting) => start(parts, starting),
    tell: (telling) => tell(parts, telling),
    one: ({ principal, id }) =>
      database.inSnapshot(principal.tenant, async (tx) =>
        viewFor(tx, parts, { principal, row: await seen(tx, parts, { principal, id }) }),
      ),
    list: ({ principal, case: name = null, state = null, after = null, limit }) =>
      database.inSnapshot(principal.tenant, async (tx) => {
        const isTeller = (one: AnyCase) => principal.onBehalfOf === null && sharesRole(principal, ["approver"], one);
        const told = [...new Set(cases.filter(isTeller).map((one) => one.name))];
        const asked = { principal, name, state, after, told: rules.seesEveryCase(principal) ? "all" : told } as const;
        const rows = await listRuns(tx, { ...asked, limit: limit + 1 });
        const page = rows.slice(0, limit);
        const last = page.at(-1);
        return {
          items: page.filter((row) => rules.caseSightOf(seeingOf(parts, principal, row)) !== null).map(lineOf),
          last: rows.length > limit && last !== undefined ? [last.id] : null,
        };
      }),
  };
}

async function start(parts: CaseParts, starting: Parameters<Cases["start"]>[0]): ReturnType<Cases["start"]> {
  const { principal, case: name, key } = starting;
  const one = parts.cases.find((known) => known.name === name && !known.isRetired);
  if (one === undefined || parts.rules.mayStart(principal, one).kind === "refused")
    throw new CountersignError("unknown_case", "no case of that name is open to you");
  if (key !== null) checkKey(key);
  const input = await fitted(one.input, starting.input, "the input does not fit");
  return parts.database.inTenant(principal.tenant, async (tx) => {
    const id = parts.ids.next();
    const begun = { principal, one, id, key: key ?? id, input, at: await parts.storeTime(tx) };
    const started = await startRun(tx, begun, parts.keys);
    const row = await seen(tx, parts, { principal, id: started.id });
    return { view: await viewFor(tx, parts, { principal, row }), isNew: started.isNew };
  });
}

async function tell(parts: CaseParts, telling: Parameters<Cases["tell"]>[0]): ReturnType<Cases["tell"]> {
  const { principal, id, event, key } = telling;
  if (key !== null && !/^[!-~]{1,200}$/.test(key))
    throw new CountersignError("bad_request", "the key of an event has 1 to 200 visible ASCII characters");
  return parts.database.inTenant(principal.tenant, async (tx) => {
    const row = await seen(tx, parts, { principal, id });
    const rule = definitionOf(parts, row)?.events[event];
    const seeing = seeingOf(parts, principal, row);
    if (event === retryEvent) permit(parts.rules.mayRetry(principal));
    else if (rule === undefined) throw new CountersignError("bad_request", `the case knows no event of that name`);
    else permit(parts.rules.mayTell(seeing, rule));
    const body = rule === undefined ? {} : await fitted(rule.body, telling.body, "the event does not fit");
    if (row.state === "ended") throw new CountersignError("case_ended", "the case has ended; nothing is told to it any more");
    if (event === retryEvent && row.stuck === null)
      throw new CountersignError("not_waiting", "the case does not wait for a person, so there is nothing to begin again");
    const at = await parts.storeTime(tx);
    const frame = { tenant: row.tenant, runId: row.id, id: parts.ids.next(), name: event, by: principal.id };
    const told = await tellCase(tx, { ...frame, body, key, at }, parts.keys);
    return { view: await viewFor(tx, parts, { principal, row }), isNew: told.isNew };
  });
}

type Of = { readonly principal: Principal; readonly id: string };

/** The row of a case that this principal may see, or `not_found`. */
async function seen(tx: Tx, parts: CaseParts, { principal, id }: Of): Promise<CaseRunRow> {
  const find = () =>
    tx.selectFrom("case_run").selectAll().where("tenant", "=", principal.tenant).where("id", "=", id).executeTakeFirst();
  const row = isId(id) ? await find() : undefined;
  if (row !== undefined && parts.rules.caseSightOf(seeingOf(parts, principal, row)) !== null) return row;
  throw new CountersignError("not_found", "no case of that id is open to you");
}

async function viewFor(
  tx: Tx,
  parts: CaseParts,
  { principal, row }: { readonly principal: Principal; readonly row: CaseRunRow },
): Promise<CaseView> {
  const sight = parts.rules.caseSightOf(seeingOf(parts, principal, row));
  return viewCase(tx, row, sight === "whole" ? dataOf(row, parts.keys) : null);
}

function dataOf(row: CaseRunRow, keys: PayloadKeys): Json {
  try {
    return openRunBody(row, { keys }).data;
  } catch {
    // What cannot be read costs its own data alone; the rest of the case is still to be seen.
    return null;
  }
}

function seeingOf(parts: CaseParts, principal: Principal, row: BegunCase & { readonly tenant: string }): CaseSeeing {
  const tellers = Object.values(definitionOf(parts, row)?.events ?? {}).flatMap(({ by }) => by);
  return { principal, tenant: row.tenant, startedBy: row.started_by, onBehalfOf: row.on_behalf_of, tellers };
}

function definitionOf({ cases }: CaseParts, { case_name, version }: BegunCase): AnyCase | undefined {
  const named = cases.filter(({ name }) => name === case_name);
  return named.find((one) => one.version === version) ?? named.find(({ isRetired }) => !isRetired);
}

function sharesRole({ roles }: Principal, more: readonly string[], { events }: AnyCase): boolean {
  const tellers = [...more, ...Object.values(events).flatMap(({ by }) => by)];
  return roles.some((role) => tellers.includes(role));
}

function permit(ruling: Ruling): void {
  if (ruling.kind === "refused") throw new CountersignError("forbidden", ruling.reason, { facts: { rule: ruling.rule } });
}

async function fitted(schema: Schema, value: unknown, what: string): Promise<Json> {
  const fit = await fitToSchema(schema, value);
  if (fit.kind === "misfits") throw new CountersignError("input_invalid", `${what}: ${fit.issues.slice(0, 5).join("; ")}`);
  try {
    return toFrozenJson(fit.value);
  } catch (cause) {
    throw new CountersignError("bad_text", `${what}: it holds characters or values that cannot be kept`, { cause });
  }
}

function checkKey(key: string): void {
  const isFit = key.length <= limits.caseKeyLength && /^[0-9A-Za-z][0-9A-Za-z_.:-]*$/.test(key);
  if (isFit) return;
  const form = "letters, digits and `_.:-`, a letter or digit first";
  throw new CountersignError("bad_request", `a key has 1 to ${limits.caseKeyLength} characters: ${form}`);
}
