import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/contract/json.ts";
import { everything } from "../../src/contract/principal.ts";
import { defineConnector, recordSource } from "../../src/define/connector.ts";
import { openRecords } from "../../src/know/records/records.ts";
import { systemDeadline } from "../../src/store/clock.ts";
import { fixedClock } from "../../src/testing/fixed.ts";
import { shippedPolicy } from "../setup/policy.ts";

const now = Date.UTC(2026, 2, 2, 9);
const principal = { tenant: "acme", id: "emp-1", roles: ["employee"], attributes: {}, onBehalfOf: null, allow: everything };
const envelope = { principal, scopes: [], environment: "demo", at: now };
const device = { id: "dev-1", state: "in_use" };

describe("the age of a row", () => {
  it("is counted from the start of its query where the connector asks the system itself, however long the answer takes", async () => {
    const { read } = recordsOf({ takesMs: 5_000 });
    expect(await read(0)).toMatchObject([{ id: "devices.all:dev-1", row: device, readAt: now }]);
  });

  it.each([
    ["as old as is good enough", now - 30_000, 30_000],
    ["read while the query ran", now + 5, 0],
    ["read by a clock that is a little ahead", now + 5_000, 0],
  ])("is taken where a cache says that it is %s", async (_, readAt, maxAgeMs) => {
    expect(await recordsOf({ readAt: () => readAt }).read(maxAgeMs)).toMatchObject([{ readAt }]);
  });

  it.each([
    ["older than is good enough", now - 30_001, 30_000],
    ["older than a query that takes nothing from a cache", now - 1, 0],
    ["of an unknown age", Number.NaN, 30_000],
    ["read in an hour, as a clock in another zone has it", now + 3_600_000, 30_000],
  ])("is refused where a cache says that it is %s", async (_, readAt, maxAgeMs) => {
    const { read } = recordsOf({ readAt: () => readAt });
    await expect(read(maxAgeMs)).rejects.toMatchObject({
      code: "record_unavailable",
      facts: { query: "devices.all", maxAgeMs },
    });
  });
});

/** Records over a connector that answers from memory. */
function recordsOf({ readAt, takesMs = 0 }: { readAt?: (row: JsonObject) => number; takesMs?: number }) {
  const clock = fixedClock(now);
  const connector = defineConnector({
    ...{ name: "inventory", side: "reads", secret: "INVENTORY_URL" },
    open: async () => [device],
    close: async () => {},
  });
  const query = {
    ...{ name: "devices.all", key: (row: JsonObject) => String(row["id"]), labels: { id: "system", state: "system" } as const },
    ...(readAt === undefined ? {} : { readAt }),
    run: async (rows: readonly JsonObject[]) => {
      clock.advance(takesMs);
      return rows;
    },
  };
  const records = openRecords({
    permit: shippedPolicy,
    sources: [recordSource(connector, [query])],
    vault: { secret: () => "memory" },
    clock,
    deadline: systemDeadline,
  });
  const need = { kind: "records", name: "device", query: "devices.all", params: {} } as const;
  return { read: (maxAgeMs: number) => records.readRecords({ ...need, maxAgeMs }, envelope) };
}
