/**
 * Reads what a sandbox holds in the end of a trial: named record queries under the reading credentials of that sandbox alone. It decides,
 * writes and signs nothing.
 */
import { isCountersignError } from "./contract/errors.ts";
import type { JsonObject } from "./contract/json.ts";
import type { Permit, Vault } from "./contract/ports.ts";
import { everything, type Principal } from "./contract/principal.ts";
import type { DecidingParts } from "./define/deciding.ts";
import { openRecords } from "./know/records/records.ts";
import { systemClock, systemDeadline } from "./store/clock.ts";

/** What is read, as whom, and under which credentials. */
export interface FinalStateParts {
  readonly parts: Pick<DecidingParts, "records">;
  /** Resolves the reading credentials of the sandbox. */
  readonly vault: Vault;
  readonly permit: Pick<Permit, "mayRead" | "scopes">;
  /** As whom the queries are asked, which are scoped by who asks. */
  readonly asker: Pick<Principal, "tenant" | "id" | "roles">;
  readonly queries: readonly { readonly query: string; readonly params: JsonObject }[];
}

/** The rows of each query in the order in which they are asked; `null` where one could not be read. */
export async function readFinalState({
  parts,
  vault,
  permit,
  asker,
  queries,
}: FinalStateParts): Promise<readonly { readonly query: string; readonly rows: readonly JsonObject[] | null }[]> {
  const records = openRecords({ sources: parts.records, vault, clock: systemClock, deadline: systemDeadline, permit });
  const principal: Principal = { ...asker, attributes: {}, onBehalfOf: null, allow: everything };
  try {
    return await Promise.all(
      queries.map(async ({ query, params }) => {
        const envelope = { principal, scopes: permit.scopes(principal), environment: "demo", at: systemClock.now() };
        const need = { kind: "records", name: "final", query, params, maxAgeMs: 0 } as const;
        try {
          return { query, rows: (await records.readRecords(need, envelope)).map(({ row }) => row) };
        } catch (thrown) {
          if (isCountersignError(thrown)) return { query, rows: null };
          throw thrown;
        }
      }),
    );
  } finally {
    await records.close();
  }
}
