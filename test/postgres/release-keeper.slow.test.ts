import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineHands } from "../../src/act/hands.ts";
import { implementEffect, through } from "../../src/act/implement.ts";
import { keeper, keptSight } from "../../src/act/keeping.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { defineEffect } from "../../src/define/effect.ts";
import { defineProject } from "../../src/define/project.ts";
import type { ReleasePlace, ReleaseSamples } from "../../src/define/release.ts";
import { runRelease } from "../../src/release.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

// The matrix over an effect on what the house itself knows: its hands are handed the house's own clients there, as they are by a worker.
const move = z.strictObject({ employee: z.string(), department: z.string() });
type Move = z.infer<typeof move>;
const since = Date.UTC(2025, 0, 1);

const noteDepartment = defineEffect<Move>({
  ...{ name: "note_department", version: "1", owner: "people", params: move, sideEffect: "mutating", risk: "low" },
  reversible: true,
  paramRules: Object.fromEntries(["employee", "department"].map((name) => [name, { class: "param", sources: ["principal"] }])),
  describe: ({ employee, department }) => `Note that ${employee} works in ${department}`,
  key: ({ employee, department }) => `department:${employee}:${department}`,
  ...{ dedupe: "key", settleMs: 100 },
  before: {
    query: "knowledge.facts",
    params: ({ employee }) => ({ subject: employee, predicate: "department" }),
    project: (rows) => ({ department: rows[0]?.["object"] ?? null }),
  },
  expect: { state: ({ department }) => ({ department }), mayChange: [], deadlineMs: 60_000 },
});
const change = defineCapability<Move, Record<string, never>>({
  ...{ name: "move", version: "1", owner: "people", description: "Notes where somebody works.", openTo: ["employee"] },
  ...{ input: move, decision: z.strictObject({}), needs: () => [], checks: [], effects: [noteDepartment.erased] },
  deciding: { kind: "rule", version: "1", rule: () => ({}) },
  propose: () => ({ summary: "-" }),
});
const project = defineProject({ name: "people", capabilities: [change] });
const hands = defineHands({
  records: [],
  hands: [
    implementEffect(noteDepartment, {
      apply: through(keeper, async (kept, { employee: subject, department: object }, { tenant }) => {
        const fact = { subject, predicate: "department", object, validFrom: since, validTo: null, scopes: ["tenant:all"] };
        const { written, known } = await kept.succeedFact({ tenant, source: "hr" }, { mapping: 1, fact, reason: "moved" });
        return { targetId: written[0] ?? known[0] ?? null };
      }),
      observe: through(keptSight, async (kept, { employee: subject }, { tenant }) => {
        const [fact] = await kept.facts(tenant, { subject, predicate: "department", at: since });
        return { department: fact?.object ?? null };
      }),
    }),
  ],
});

let database: MigratedDatabase;
let admin: pg.Pool;
beforeAll(async () => {
  database = await createMigratedDatabase();
  admin = new pg.Pool({ connectionString: database.adminUrl, max: 1 });
});
afterAll(async () => {
  await admin?.end();
  await database?.drop();
});

async function nameWords({ tenant }: ReleasePlace): Promise<void> {
  await admin.query(
    "insert into countersign.fact_source values ($1, 'hr', 'Personnel register', 'UTC', 'system') on conflict do nothing",
    [tenant],
  );
  await admin.query(
    "insert into countersign.fact_predicate values ($1, 'department', 1, 'one', 'value') on conflict do nothing",
    [tenant],
  );
}

async function addFact({ tenant }: ReleasePlace, { employee }: Move): Promise<void> {
  await admin.query(
    `insert into countersign.fact (tenant, subject, predicate, object, valid_from, source, mapping_version, scopes)
     values ($1, $2, 'department', 'stores', 0, 'hr', 1, '{tenant:all}')`,
    [tenant, employee],
  );
}

const samples: ReleaseSamples = {
  permitted: async (place) => {
    await nameWords(place);
    return { params: { employee: `e:${randomUUID()}`, department: "sales" }, askedBy: { id: "erin", roles: ["employee"] } };
  },
  count: async ({ tenant }, params) => {
    const { employee, department } = move.parse(params);
    const text = "select from countersign.fact where tenant = $1 and subject = $2 and object = $3 and learnt_to is null";
    return (await admin.query(text, [tenant, employee, department])).rowCount ?? 0;
  },
  makeStale: (place, params) => addFact(place, move.parse(params)),
};

describe("the release matrix over an effect on what the house knows", () => {
  it("has its hands write and look, by the house's own clients", { timeout: 300_000 }, async () => {
    const { adminUrl, urls } = database;
    const secrets = {};
    const parts = { project, policy: shippedPolicy, hands, effect: noteDepartment.erased, samples, secrets, adminUrl, urls };
    const { cells } = await runRelease(parts);
    const unproven = cells.filter(({ state }) => state !== "passed").map(({ cell, state }) => `${cell} ${state}`);
    expect(unproven).toEqual([
      ...["target_denied not_applicable", "partial_failure not_applicable", "compensation_limits not_applicable"],
    ]);
  });
});
