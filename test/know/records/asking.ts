import type { RecordSource } from "../../../src/contract/connector.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import { everything, type Principal } from "../../../src/contract/principal.ts";
import { openRecords, type Records } from "../../../src/know/records/records.ts";
import { systemClock, systemDeadline } from "../../../src/store/clock.ts";
import { shippedPolicy } from "../../setup/policy.ts";

/** Somebody who asks, in one decision. */
export function asking(given: Partial<Principal> & { at?: number } = {}) {
  const { at = 1, ...own } = given;
  const principal = { tenant: "acme", id: "emp-1", roles: [], attributes: {}, onBehalfOf: null, allow: everything, ...own };
  return { principal, scopes: [], environment: "test", at };
}

/** Opens record sources as the deciding half does, all under one secret. */
export function opened(secret: string, ...sources: readonly RecordSource[]): Records {
  return openRecords({
    sources,
    vault: { secret: () => secret },
    clock: systemClock,
    deadline: systemDeadline,
    permit: shippedPolicy,
  });
}

/** Reads a query with a greatest age of an hour. */
export async function read(
  records: Records,
  query: string,
  {
    params = {},
    envelope = asking(),
    maxAgeMs = 3_600_000,
  }: { params?: JsonObject; envelope?: ReturnType<typeof asking>; maxAgeMs?: number } = {},
) {
  return records.readRecords({ kind: "records", name: "n", query, params, maxAgeMs }, envelope);
}

/** The rows alone. */
export async function rows(...asked: Parameters<typeof read>): Promise<readonly JsonObject[]> {
  return (await read(...asked)).map(({ row }) => row);
}
