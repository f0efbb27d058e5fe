import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { arithmetic } from "../contract/arithmetic.ts";
import { calculationsNamed, checkCalculations, defineCalculation } from "./calculation.ts";
import { defineHttpQuery } from "./http-query.ts";
import { quantities } from "./quantities.ts";
import { defineAggregateView, defineSqlQuery } from "./sql-query.ts";

const row = z.strictObject({ id: z.string(), pay: z.string(), currency: z.string(), team: z.string() });
const common = { name: "q.one", key: "id", labels: { id: "system" } as const, params: z.strictObject({ id: z.string() }), row };
const sqlOf = (sql: string, given: object = {}) => defineSqlQuery({ ...common, ...given, sql });
const wrong = (message: RegExp) =>
  expect.objectContaining({ code: "definition_invalid", message: expect.stringMatching(message) });
const good = "select id, pay, currency, team from t where tenant = :tenant and id = :id";

describe("a query over PostgreSQL", () => {
  it("has places for its placeholders, once for each, and none in what only looks like one", () => {
    const { text, slots } = sqlOf(
      `/* :a */ select id, ':b', E'\\':c', ":d", $x$:e$x$, t.list[1:2], pay::text -- :f
      from t where tenant = :tenant and id = :id and other = :id;`,
    );
    expect(text).toBe(
      `/* :a */ select id, ':b', E'\\':c', ":d", $x$:e$x$, t.list[1:2], pay::text -- :f
      from t where tenant = $1 and id = $2 and other = $2`,
    );
    expect(slots).toEqual([{ kind: "tenant" }, { kind: "param", name: "id" }]);
  });

  test.each<[string, string, object, RegExp]>([
    ["names no tenant", "select id from t where id = :id", {}, /does not name `:tenant`/],
    ["says without a reason that it needs none", "select id from t where id = :id", { unscoped: " " }, /without a reason/],
    ["names what is no param", good.replace(":id", ":order"), {}, /`:order`/],
    ["uses not all of its params", "select id from t where tenant = :tenant", {}, /`:id` nowhere/],
    ["has places of its own", good.replace(":id", "$2"), {}, /`\$2`/],
    ["changes something", "delete from t where tenant = :tenant and id = :id", {}, /is no query/],
    ["holds two statements", `${good}; drop table t`, {}, /more than one statement/],
    [
      "gives the tenant another meaning",
      good,
      { params: z.strictObject({ id: z.string(), tenant: z.string() }) },
      /a meaning of its own/,
    ],
    ["has params without names", good, { params: z.record(z.string(), z.string()) }, /no schema of an object/],
    ["has rows that change in their schema", good, { row: row.transform((one) => one) }, /no transforms/],
    ["labels what is no field", good, { labels: { nothing: "system" } }, /`nothing`, which is no field/],
    ["hides what its rows are known by", good, { fields: { id: "exclude" } }, /in each row's id/],
    ["takes more rows than anybody reads", good, { limit: 10_001 }, /`limit` of 1 to/],
    ["takes longer than the reading of records", good, { timeoutMs: 9_001 }, /`timeoutMs` of 1 to/],
    [
      "groups by whose data it is",
      good,
      { aggregate: { by: ["id"], subject: "id", minimumGroup: 3, measures: { n: { as: "count" } } } },
      /groups by `id`/,
    ],
    [
      "tells of one",
      good,
      { aggregate: { by: ["team"], subject: "id", minimumGroup: 1, measures: { n: { as: "count" } } } },
      /2 or more/,
    ],
    [
      "adds pounds to euros",
      good,
      {
        aggregate: { by: ["team"], subject: "id", minimumGroup: 3, measures: { n: { as: "sum", of: "pay" } } },
        units: { pay: { unit: { field: "currency" } } },
      },
      /over several `currency`/,
    ],
    [
      "shows rows and totals at once",
      good,
      { fields: { pay: "exclude" }, aggregate: { by: [], subject: "id", minimumGroup: 3, measures: { n: { as: "count" } } } },
      /no other rule/,
    ],
  ])("is refused where it %s", (_, sql, given, message) => {
    expect(() => sqlOf(sql, given)).toThrow(wrong(message));
  });

  test.each([
    ["2026-05-16T09:30:00Z", Date.UTC(2026, 4, 16, 9, 30)],
    ["2026-05-16 11:30:00.250+02:00", Date.UTC(2026, 4, 16, 9, 30, 0, 250)],
    [1_000, 1_000],
    ["2026-05-16T09:30:00", Number.NaN],
    ["2026-05-16 09:30", Number.NaN],
    ["2026-05-16", Number.NaN],
    ["16 May 2026", Number.NaN],
    [null, Number.NaN],
  ])("knows of a row that left its system at %j: %d", (at, expected) => {
    expect(sqlOf(good, { readAt: "pay" }).readAt?.({ id: "a", pay: at })).toBe(expected);
  });

  it("may be over all tenants where it says why", () => {
    expect(sqlOf("select id from prices where id = :id", { unscoped: "prices are the same for all" }).slots).toHaveLength(1);
  });
});

describe("an aggregate view", () => {
  const view = { ...common, view: "shop.totals", tenantColumn: "tenant" } as const;

  it("is one query over its columns, whose conditions are params", () => {
    const { text, view: place } = defineAggregateView({ ...view, orderBy: ["id"] });
    expect(text).toBe(
      `select "id", "pay", "currency", "team" from "shop"."totals" where "tenant" = $1 and "id" = $2 order by "id"`,
    );
    expect(place).toEqual({ schema: "shop", name: "totals", refreshedAt: null, refreshEveryMs: null });
  });

  test.each<[string, object, RegExp]>([
    ["has no schema", { view: "totals" }, /with its schema/],
    ["has a name that is more than one", { view: 'shop.totals" t' }, /with its schema/],
    ["is ordered by an expression", { orderBy: ["1; drop"] }, /no name of a column/],
    ["says nothing of its tenant", { tenantColumn: undefined }, /does not name `:tenant`/],
    ["is refreshed all the time", { refresh: { at: "team", everyMs: 999 } }, /every 1000/],
    ["does not show its refresh", { refresh: { at: "as_of", everyMs: 1_000 } }, /`as_of` among the fields/],
  ])("is refused where it %s", (_, given, message) => {
    expect(() => defineAggregateView({ ...view, ...given } as Parameters<typeof defineAggregateView>[0])).toThrow(wrong(message));
  });
});

describe("a query over HTTP", () => {
  test.each<[string, object, RegExp]>([
    ["has a search in its path", { path: "/:tenant/:id?all=1" }, /without a search/],
    ["leads out of its path", { path: "/:tenant/../:id" }, /leads out/],
    ["sets the credential's header", { path: "/:tenant/:id", headers: { authorization: ":id" } }, /`authorization`/],
    ["names no tenant", { path: "/:id" }, /does not name `:tenant`/],
    ["has rows at no pointer", { path: "/:tenant/:id", rows: "items" }, /pointer/],
    ["takes any amount", { path: "/:tenant/:id", maxBytes: 1e9 }, /at most/],
  ])("is refused where it %s", (_, given, message) => {
    expect(() => defineHttpQuery({ ...common, path: "/", ...given })).toThrow(wrong(message));
  });
});

describe("a calculation", () => {
  const definition = {
    ...{ name: "with_tax", version: "1", description: "A price with its tax." },
    operands: { rate: { type: "quantity", unit: "percent" }, net: { type: "quantity", many: true } },
    run: ({ rate, net }: { rate: ReturnType<typeof quantities.of>; net: readonly ReturnType<typeof quantities.of>[] }) =>
      quantities.round(quantities.sum([quantities.sum(net), quantities.times(rate, quantities.sum(net))]), 2),
  } as const;

  test.each<[string, object, RegExp]>([
    ["a name that no binding can hold", { name: "withTax" }, /lower-case/],
    ["the name of one that is always there", { name: "sum" }, /always there/],
    ["no version", { version: "" }, /version/],
    ["no description", { description: " " }, /description/],
    ["no operands", { operands: {} }, /operands/],
    [
      "many operands before the last",
      { operands: { net: { type: "quantity", many: true }, rate: { type: "quantity" } } },
      /last operand/,
    ],
  ])("is refused with %s", (_, given, message) => {
    expect(() => defineCalculation({ ...definition, ...given })).toThrow(wrong(message));
  });

  it("is on a capability's list once, and hides none", () => {
    const own = defineCalculation(definition);
    expect(() => checkCalculations("it", [own, ...calculationsNamed("sum", "mean")])).not.toThrow();
    expect(() => checkCalculations("it", [own, own])).toThrow(wrong(/two calculations/));
    const [sum] = arithmetic;
    if (sum === undefined) throw new Error("there are some");
    expect(() => checkCalculations("it", [{ ...sum, version: "2" }])).toThrow(wrong(/another meaning/));
    expect(() => calculationsNamed("total")).toThrow(wrong(/no calculation/));
  });

  it("counts with what is on paper", () => {
    const price = quantities.times(quantities.of("19.5", "percent"), quantities.of("1004", "EUR"));
    expect(quantities.text(price)).toBe("195.78");
    expect(quantities.text(quantities.through(quantities.of(1), quantities.of(3)), 4)).toBe("0.3333");
    expect(() => quantities.text(quantities.through(quantities.of(1), quantities.of(3)))).toThrow(/no end/);
    expect(() => quantities.sum([quantities.of(1, "EUR"), quantities.of(1, "GBP")])).toThrow(
      expect.objectContaining({ code: "calculation_refused" }),
    );
  });
});
