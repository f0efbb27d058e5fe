import type { Reservation } from "../contract/budget.ts";
import type { DecisionRequest } from "../contract/decision.ts";
import { CountersignError } from "../contract/errors.ts";
import { idPattern, limits } from "../contract/limits.ts";
import type { Opened } from "../contract/ports.ts";
import { checkTenant } from "../store/database.ts";
import { isId } from "../store/ids.ts";
import type { PayloadKeys } from "./payload.ts";
import type { PipedCall } from "./pipe.ts";

/** A request as its intent will be stored. */
export interface Opening {
  readonly request: DecisionRequest;
  /** Keyed per tenant, over capability and inputs. */
  readonly digest: Buffer;
  /** What its run took of shared budgets. */
  readonly reservation: Reservation | null;
}

/** Checks a request's ids and digests it. Throws `bad_request`, or `unserialisable` for inputs that JSON would lose. */
export function openingOf({
  request,
  inputs,
  keys,
  reservation,
}: {
  request: DecisionRequest;
  inputs: string;
  keys: PayloadKeys;
  reservation: Reservation | null;
}): Opening {
  const { principal, capability, idempotencyKey } = request;
  checkTenant(principal.tenant);
  checkIds([request.decisionId, request.entryId, ...(request.cause === null ? [] : [request.cause])]);
  if (!idPattern.test(capability) || !idPattern.test(principal.id)) {
    throw new CountersignError("bad_request", "the id of the capability or the principal has not the form of an id");
  }
  if (idempotencyKey !== null) checkIdempotencyKey(idempotencyKey);
  const digest = keys.keyedHash({ tenant: principal.tenant, text: `${capability}\n${inputs}` });
  return { request, digest: Buffer.from(digest, "hex"), reservation };
}

/** The call that begins a group of decisions in one commit. */
export function openCall(openings: readonly Opening[], leaseMs: number): PipedCall {
  const column = (of: (request: DecisionRequest) => string): string => openings.map(({ request }) => of(request)).join("\n");
  return {
    name: "open_decisions",
    text: "select * from countersign.open_decisions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
    values: [
      tenantsOf(openings.map(({ request }) => request.principal.tenant)),
      openings.length,
      leaseMs,
      column((request) => request.principal.tenant),
      column((request) => request.decisionId),
      column((request) => request.entryId),
      column((request) => request.capability),
      column((request) => request.principal.id),
      column((request) => request.idempotencyKey ?? ""),
      column((request) => request.cause ?? ""),
      Buffer.concat(openings.map(({ digest }) => digest)),
      arrays(openings.map(({ reservation }) => reservation?.allotments ?? null)),
      arrays(openings.map(({ reservation }) => reservation?.amounts ?? null)),
    ],
  };
}

/** A line for each, as PostgreSQL writes arrays; empty for none. Ids and whole numbers need no quotes. */
function arrays(lists: readonly (readonly (string | number)[] | null)[]): string {
  return lists.map((list) => (list === null ? "" : `{${list.join(",")}}`)).join("\n");
}

/** What the rows of `openCall` say of each opening; no rows mean that all are new. */
export function openedBy(openings: readonly Opening[], rows: readonly (readonly unknown[])[]): readonly Opened[] {
  const found = new Map(rows.map(([place, id, isSame, isEnded]) => [Number(place), { id: String(id), isSame, isEnded }]));
  return openings.map(({ request }, i): Opened => {
    const standing = found.get(i + 1);
    if (standing === undefined) return { kind: "opened" };
    if (standing.isSame !== true) return { kind: "conflict" };
    // Its own row: written by this call, or by an earlier one whose answer was lost.
    if (standing.id === request.decisionId) return { kind: "opened" };
    return { kind: standing.isEnded === true ? "repeated" : "in_progress", decisionId: standing.id };
  });
}

/** The tenants of a group, each once, as the row policies read them. */
export function tenantsOf(tenants: readonly string[]): string {
  return [...new Set(tenants)].join(",");
}

/** Refuses what is not an id before it can fail a whole group. */
export function checkIds(ids: readonly string[]): void {
  if (!ids.every(isId)) throw new CountersignError("bad_request", "an id of the request is not a UUID in lower case");
}

function checkIdempotencyKey(key: string): void {
  const isFit = key.length > 0 && key.length <= limits.idempotencyKeyLength && /^[\x20-\x7e]+$/.test(key);
  if (!isFit) {
    const message = `an idempotency key has 1 to ${limits.idempotencyKeyLength} printable ASCII characters`;
    throw new CountersignError("bad_request", message);
  }
}
