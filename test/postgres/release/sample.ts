import { randomUUID } from "node:crypto";
import pg from "pg";
import { z } from "zod";
import { type ApplyOptions, defineHands, type Hands } from "../../../src/act/hands.ts";
import { implementEffect, through } from "../../../src/act/implement.ts";
import type { Effect, PartialState, Requirement, Snapshot } from "../../../src/contract/effect.ts";
import type { Json, JsonObject } from "../../../src/contract/json.ts";
import { defineCapability } from "../../../src/define/capability.ts";
import { defineConnector, recordSource } from "../../../src/define/connector.ts";
import { type DefinedEffect, defineEffect } from "../../../src/define/effect.ts";
import { defineProject, type Project } from "../../../src/define/project.ts";
import type { ReleasePlace, ReleaseSamples } from "../../../src/define/release.ts";

/** The system of record: items, and the changes made to them. A key may stand twice; what stops that is the hand. */
export const itemsSql = `
  create schema items;
  create table items.item (tenant text not null, name text not null, status text not null, note text not null, primary key (tenant, name));
  create table items.change (tenant text not null, name text not null, key text not null);`;

export type Item = { name: string };

/** The sample effect, the one that undoes it, and the hands of both; each part can be replaced by one that is broken. */
export interface Broken {
  readonly definition?: Partial<Effect<Item>>;
  /** Where it reads and what of it counts. */
  readonly fields?: readonly string[];
  readonly apply?: (pool: pg.Pool, item: Item, options: ApplyOptions) => Promise<void>;
  readonly observe?: (look: () => Promise<Snapshot>, item: Item) => Promise<Snapshot>;
  /** The params of the effect that undoes. */
  readonly undo?: (item: Item) => Json;
  /** Opens the writing connector whatever the secret is. */
  readonly writerUrl?: string;
}

const open = async (url: string) => {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("error", () => {});
  return pool;
};
const close = (pool: pg.Pool) => pool.end();

/** A project whose one capability marks items. */
export function sampleRelease({
  definition = {},
  fields = ["status", "note"],
  apply = mark,
  observe,
  undo = (item) => item,
  writerUrl,
}: Broken = {}): {
  project: Project;
  effect: DefinedEffect<Item>;
  hands: Hands;
} {
  const project = (rows: readonly JsonObject[]): Snapshot => pick(rows[0], fields);
  const unmarkItem = defineEffect<Item>({ ...common("unmark_item", project), ...undoing });
  const marking = { compensate: { effect: unmarkItem.erased, params: ({ params }: { params: Item }) => undo(params) } };
  const effect = defineEffect<Item>({ ...common("mark_item", project), ...markingTo, ...marking, ...definition });
  const writer = defineConnector({
    ...{ name: "items-writer", side: "writes", secret: "ITEMS_WRITE", close },
    open: (url: string) => open(writerUrl ?? url),
  });
  const observer = defineConnector({ name: "items-observer", side: "observes", secret: "ITEMS_OBSERVE", open, close });
  const look = async (pool: pg.Pool, tenant: string, { name }: Item) => project(await readItem(pool, tenant, name));
  const byName = {
    ...{
      name: "items.byName",
      key: (row: JsonObject) => String(row["name"]),
      labels: { status: "system", note: "system" } as const,
    },
    run: async (pool: pg.Pool, params: JsonObject, { principal }: { principal: { tenant: string } }) =>
      readItem(pool, principal.tenant, String(params["name"])),
  };
  const hands = defineHands({
    records: [recordSource(observer, [byName])],
    hands: [
      implementEffect(effect, {
        apply: through(writer, async (pool, item, options) => {
          await apply(pool, item, options);
          return { targetId: null };
        }),
        observe: through(observer, async (pool, item, { tenant }) => {
          const real = () => look(pool, tenant, item);
          return observe === undefined ? real() : observe(real, item);
        }),
      }),
      implementEffect(unmarkItem, {
        apply: through(writer, async (pool, { name }, { tenant }) => {
          await pool.query("update items.item set status = 'new' where tenant = $1 and name = $2", [tenant, name]);
          return { targetId: null };
        }),
        observe: through(observer, (pool, item, { tenant }) => look(pool, tenant, item)),
      }),
    ],
  });
  return { project: projectOf([effect, unmarkItem]), effect, hands };
}

/** What the matrix tries it on. */
export const itemSamples: ReleaseSamples = {
  permitted: (place) => add(place, "new"),
  denied: (place) => add(place, "locked"),
  count: async ({ tenant, adminUrl }, params) =>
    run(adminUrl, "select from items.change where tenant = $1 and name = $2", [tenant, (params as Item).name]), // by `add`
  makeStale: async ({ tenant, adminUrl }, params) => {
    await run(adminUrl, "update items.item set note = 'other' where tenant = $1 and name = $2", [tenant, (params as Item).name]);
  },
  makePartial: async ({ tenant, adminUrl }, { params }) => {
    await run(adminUrl, "update items.item set status = 'half' where tenant = $1 and name = $2", [tenant, (params as Item).name]);
  },
};

/** Marks an item once for each key, in one statement. */
export async function mark(pool: pg.Pool, { name }: Item, { tenant, idempotencyKey }: ApplyOptions): Promise<void> {
  await pool.query(
    `with placed as (
       insert into items.change (tenant, name, key)
       select tenant, name, $3 from items.item where tenant = $1 and name = $2
         and not exists (select from items.change where tenant = $1 and key = $3)
       returning name)
     update items.item set status = 'marked' where tenant = $1 and name in (select name from placed)`,
    [tenant, name, idempotencyKey],
  );
}

async function readItem(pool: pg.Pool, tenant: string, name: string): Promise<readonly JsonObject[]> {
  const { rows } = await pool.query<JsonObject & pg.QueryResultRow>(
    "select name, status, note from items.item where tenant = $1 and name = $2",
    [tenant, name],
  );
  return rows;
}

function pick(row: JsonObject | undefined, fields: readonly string[]): Snapshot {
  return row === undefined ? null : Object.fromEntries(fields.map((field) => [field, row[field] ?? null]));
}

async function add({ tenant, run: nth, adminUrl }: ReleasePlace, status: string) {
  // A run of its own for the target, and keys that no run before has used in the same database.
  const name = `item-${nth}-${randomUUID()}`;
  await run(adminUrl, "insert into items.item (tenant, name, status, note) values ($1, $2, $3, 'mine')", [tenant, name, status]);
  return { params: { name }, askedBy: { id: "erin", roles: ["employee"] } };
}

async function run(adminUrl: string, sql: string, values: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

function common(name: string, project: (rows: readonly JsonObject[]) => Snapshot) {
  return {
    ...({
      name,
      version: "1",
      owner: "items-desk",
      sideEffect: "mutating",
      risk: "low",
      reversible: true,
      settleMs: 100,
    } as const),
    params: z.strictObject({ name: z.string() }),
    paramRules: { name: { class: "target", sources: ["principal"] } } as const,
    key: (item: Item) => `${name}:${item.name}`,
    describe: (item: Item) => `${name} ${item.name}`,
    dedupe: "key" as const,
    before: { query: "items.byName", params: (item: Item) => ({ name: item.name }), project },
  };
}

/** The state in between; `holds` as it should be, or another. */
export function halfway({
  holds = (observed) => observed?.["status"] === "half",
}: {
  holds?: PartialState["holds"];
}): PartialState {
  const name = "half";
  return { name, holds, means: "escalate" };
}

/** What turns a target away. */
export const unlocked: Requirement<Item> = { name: "unlocked", holds: (_item, before) => before?.["status"] !== "locked" };

const markingTo = {
  environments: ["demo", "staging"],
  requires: [unlocked],
  expect: { state: () => ({ status: "marked" }), mayChange: [], deadlineMs: 60_000 },
  recovery: { maxSends: 3, partial: [halfway({})] },
};

const undoing = { expect: { state: () => ({ status: "new" }), mayChange: [], deadlineMs: 60_000 } };

function projectOf(effects: readonly DefinedEffect<Item>[]): Project {
  const capability = defineCapability({
    ...{ name: "items", version: "1", owner: "items-desk", description: "Marks items.", openTo: ["employee"] },
    input: z.strictObject({}),
    decision: z.strictObject({}),
    needs: () => [],
    deciding: { kind: "rule", version: "1", rule: () => ({}) },
    checks: [],
    effects: effects.map(({ erased }) => erased),
    propose: () => ({ summary: "-" }),
  });
  return defineProject({ name: "items", capabilities: [capability] });
}
