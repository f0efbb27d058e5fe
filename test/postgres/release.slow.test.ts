import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Bench } from "../../src/act/release/bench.ts";
import { CountersignError } from "../../src/contract/errors.ts";
import { isReleased, type ReleaseCell, type ReleaseReport, releaseCells } from "../../src/contract/release.ts";
import type { ReleaseSamples } from "../../src/define/release.ts";
import { runRelease } from "../../src/release.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";
import { type Broken, halfway, type Item, itemSamples, itemsSql, mark, sampleRelease, unlocked } from "./release/sample.ts";

// The matrix over an effect that is well, and over one that is broken in one way: it fails the cells that are about that, and no other.
let database: MigratedDatabase;
let admin: pg.Pool;
const slow = { timeout: 300_000 };

beforeAll(async () => {
  database = await createMigratedDatabase();
  admin = new pg.Pool({ connectionString: database.adminUrl, max: 1 });
  await admin.query(itemsSql);
});
afterAll(async () => {
  await admin?.end();
  await database?.drop();
});

interface Variant extends Broken {
  readonly alter?: (bench: Bench) => Bench;
  /** `null` for a sandbox that has none. */
  readonly samples?: ReleaseSamples | null;
}

async function release({ alter, samples = itemSamples, ...broken }: Variant): Promise<ReleaseReport> {
  await admin.query("truncate items.item, items.change");
  const { project, effect, hands } = sampleRelease(broken);
  const { adminUrl, urls } = database;
  const secrets = { ITEMS_WRITE: adminUrl, ITEMS_OBSERVE: adminUrl };
  const parts = {
    project,
    policy: shippedPolicy,
    hands,
    effect: effect.erased,
    samples: samples ?? undefined,
    secrets,
    adminUrl,
    urls,
  };
  return runRelease(alter === undefined ? parts : { ...parts, alter });
}

function failedOf({ cells }: ReleaseReport): Readonly<Record<string, string>> {
  return Object.fromEntries(cells.filter(({ state }) => state !== "passed").map(({ cell, says }) => [cell, says]));
}

const looks = new Map<string, number>();
/** Sees nothing new in its first two looks at an item. */
async function lagging(look: () => ReturnType<NonNullable<Broken["observe"]>>, { name }: Item) {
  const nth = (looks.get(name) ?? 0) + 1;
  looks.set(name, nth);
  return nth <= 2 ? { status: "new", note: "mine" } : look();
}

const deadline = { state: () => ({ status: "marked" }), mayChange: [], deadlineMs: 1 };
const everywhere = Object.assign(["demo"], { includes: () => true });
const recovery = { maxSends: 3, partial: [halfway({ holds: () => false })] };

/** Each breaks one thing or several that have nothing to do with each other; what is said of each cell that fails names the break. */
const variants: readonly (readonly [string, () => Variant, Readonly<Partial<Record<ReleaseCell, RegExp>>>])[] = [
  [
    "a definition that lets everything through, for every environment, over half the state before, and tells whoever is called nothing",
    () => ({
      definition: { requires: [], environments: everywhere, recovery, describe: () => "" },
      undo: () => ({}),
      fields: ["status"],
    }),
    {
      target_denied: /the hand was called/,
      environment_denied: /the hand was called/,
      stale_state: /the hand was called/,
      partial_failure: /not recognised by its own `holds`/,
      compensation_limits: /does not fit/,
      hand_off: /lacks a sentence/,
    },
  ],
  [
    "a hand for one tenant, with a credential of its own, that ignores the key and whoever took over; approvals for ever, nobody in staging",
    () => ({
      writerUrl: database.adminUrl,
      apply: async (pool, item, options) => {
        if (options.tenant.startsWith("release-home") && options.fence === 1)
          await mark(pool, item, { ...options, idempotencyKey: randomUUID() });
      },
      alter: (bench) => ({
        ...bench,
        pass: (ms) => bench.pass(ms > 3_600_000 ? 0 : ms),
        sign: async (proposed) => {
          if (proposed.environment === "staging") throw new CountersignError("approver_not_permitted", "nobody signs here");
          await bench.sign(proposed);
        },
      }),
    }),
    {
      tenant_permitted: /not seen as done/,
      environment_permitted: /not seen as done.*approver_not_permitted/,
      approval_expired: /the hand was called/,
      credential_expired: /without the credential/,
      timeout_before: /not done by the second send/,
      duplicate_submit: /does not hold it once/,
    },
  ],
  [
    "a hand that asks for no tenant, and a deadline that leaves no time to look again",
    () => ({
      definition: { expect: deadline, requires: [unlocked] },
      apply: (pool, item, options) => mark(pool, item, { ...options, tenant: options.tenant.replace("other", "home") }),
    }),
    {
      tenant_permitted: /not seen as done/,
      tenant_denied: /changed the target of another/,
      verifier_failure: /not found to be done when looking worked again/,
    },
  ],
  [
    "a read that lags behind for longer than the settle time",
    () => ({
      definition: { dedupe: "observe" },
      observe: lagging,
      apply: (pool, item, options) => mark(pool, item, { ...options, idempotencyKey: randomUUID() }),
    }),
    { timeout_after: /does not hold it once/, partial_failure: /sent again over a part|not recognised/ },
  ],
  [
    "a read that returns what is expected and does not look",
    () => ({ observe: async () => ({ status: "marked", note: "mine" }) }),
    {
      credential_expired: /stands as done/,
      timeout_before: /without one send that arrived/,
      partial_failure: /not recognised/,
      verifier_looks: /does not look/,
    },
  ],
  [
    "a hand that changes a field besides",
    () => ({
      apply: async (pool, item, options) => {
        await mark(pool, item, options);
        await pool.query("update items.item set note = 'changed' where name = $1", [item.name]);
      },
    }),
    {
      target_permitted: /not seen as done/,
      tenant_permitted: /not seen as done/,
      tenant_denied: /sees the change of another tenant/,
      environment_permitted: /not seen as done/,
      timeout_before: /not done by the second send/,
      timeout_after: /not found/,
      duplicate_submit: /not done/,
      verifier_failure: /not found to be done/,
      compensation_limits: /was not done/,
    },
  ],
];

describe("the release matrix", () => {
  it("passes an effect that is well, in every cell", slow, async () => {
    const report = await release({});
    expect(report.cells.map(({ cell }) => cell)).toEqual(releaseCells);
    expect(report.cells.filter(({ state }) => state !== "passed")).toEqual([]);
    expect(report).toMatchObject({ effect: "mark_item", version: "1", environments: ["demo", "staging"], isPassed: true });
  });

  it.each(variants)("fails for %s in the cells that are about that, and in no other", slow, async (_what, variant, cells) => {
    const report = await release(variant());
    expect(failedOf(report)).toEqual(
      Object.fromEntries(Object.entries(cells).map(([cell, says]) => [cell, expect.stringMatching(says)])),
    );
    expect(report.isPassed).toBe(false);
  });

  it("has for every cell something that fails it", () => {
    const failing = new Set(variants.flatMap(([, , cells]) => Object.keys(cells)));
    expect(releaseCells.filter((cell) => !failing.has(cell))).toEqual([]);
  });

  it("is described in docs/release.md, cell by cell", async () => {
    const page = await readFile(new URL("../../docs/release.md", import.meta.url), "utf8");
    expect(releaseCells.filter((cell) => !page.includes(`\`${cell}\``))).toEqual([]);
  });

  it("passes nothing silently: a cell without a sample has not passed, nor one that cannot be run", slow, async () => {
    const { permitted, count } = itemSamples;
    const makeStale = async () => Promise.reject(new Error("no such table"));
    const bare = await release({ samples: { permitted, count, makeStale } });
    expect(bare.isPassed).toBe(false);
    expect(bare.cells.filter(({ state }) => state !== "passed")).toEqual([
      { cell: "target_denied", state: "no_sample", says: expect.stringContaining("`denied`") },
      { cell: "stale_state", state: "failed", says: "it could not be run: Error: no such table" },
      { cell: "partial_failure", state: "no_sample", says: expect.stringContaining("`makePartial`") },
    ]);
    const nothing = await release({ samples: null });
    expect(nothing.isPassed).toBe(false);
    expect(new Set(nothing.cells.map(({ state }) => state))).toEqual(new Set(["no_sample"]));
  });

  it("counts no run that lacks a cell", () => {
    const cells = releaseCells.map((cell) => ({ cell, state: "passed", says: "-" }) as const);
    expect(isReleased(cells)).toBe(true);
    expect(isReleased(cells.slice(1))).toBe(false);
  });
});
