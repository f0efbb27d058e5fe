import { describe, expect, it, test } from "vitest";
import type { LoadedContext, Passage, RecordRow } from "../../contract/context.ts";
import { decimalText } from "../../contract/exact.ts";
import { isQuantity } from "../../contract/run-calculation.ts";
import { calculate } from "./calculate.ts";
import { calculationsWith } from "./calculations.ts";
import { readExpression } from "./expression.ts";

const line = (n: number, total_minor: number): RecordRow => ({
  ...({ kind: "record", id: `lines:${n}`, need: "lines", query: "orders.lines", readAt: 0 } as const),
  row: { id: n, total_minor, currency: "EUR", pin: 7, note: "15.500" },
  labels: { id: "system", total_minor: "system", currency: "system", pin: "secret", note: "third" },
  units: { total_minor: { unit: { field: "currency" }, minor: true } },
});
const order: RecordRow = {
  ...line(9, 5),
  id: "order:1",
  need: "order",
  row: { total: "19.90", placed_on: "2026-02-01", missing: null },
};
const report: Passage = {
  ...({
    kind: "passage",
    id: "p1",
    need: "rules",
    document: "d",
    title: "Report",
    version: "1",
    section: "One",
    score: 1,
  } as const),
  text: "Sales were $1,496.5 million, of which 4.00% abroad; a loss of (12.6) on 2026-05-16. Ticket dev-2004 took 15.500 hours.",
};
const context: LoadedContext = { items: [line(1, 1005), line(2, 2010), order, report], digest: "" };
const run = (text: string, source = "lines:1") => {
  const expression = readExpression(text);
  if (expression === undefined) throw new Error(`${text} is no expression`);
  return calculate(expression, { context, calculations: calculationsWith([]), source });
};
const said = (text: string, source?: string) => {
  const calculated = run(text, source);
  if (calculated.kind === "refused") return calculated.rule;
  const { value } = calculated;
  return isQuantity(value)
    ? [decimalText(value.value, 2), value.unit, value.scale].filter((part) => part !== "" && part !== "one").join(" ")
    : value;
};

describe("a calculation that a model names", () => {
  test.each([
    ["sum(lines.total_minor)", "30.15 EUR"],
    ["mean(lines.total_minor)", "15.08 EUR"],
    ["count(lines.id)", "2.00"],
    ["add(lines.total_minor, lines.total_minor)", "20.10 EUR"],
    ['percent_of("4.00%"@[p1], "1,496.5"@[p1])', "59.86 USD million"],
    ['percent_of("4%"@[p1], "$1496.5 million"@[p1])', "59.86 USD million"],
    ['add("(12.6)"@[p1], "-12.6"@[p1])', "-25.20"],
    ["round(lines.total_minor, 1)", "10.10 EUR"],
    ["add_days(order.placed_on, 30)", "2026-03-03"],
    ['days_between(order.placed_on, "2026-05-16"@[p1])', "104.00"],
    ["round2(percent_change(sum(lines.total_minor), mean(lines.total_minor)))", "100.00 percent"],
  ])("%s is %s", (text, expected) => {
    expect(said(text)).toBe(expected);
  });

  test.each([
    ["a number of its own", "add(order.total, 5)", "not_in_source"],
    ["a number with another digit", 'add("1,496.6"@[p1], "1,496.5"@[p1])', "not_in_source"],
    ["a part of a number", 'add("496.5"@[p1], "496.5"@[p1])', "not_in_source"],
    ["a part of an id", 'add("2004"@[p1], "2004"@[p1])', "not_in_source"],
    ["another sign", 'add("12.6"@[p1], "12.6"@[p1])', "not_in_source"],
    ["another unit than its source's", 'add("€1,496.5"@[p1], "€1,496.5"@[p1])', "not_in_source"],
    ["a number that can be read in two ways", 'add("15.500"@[p1], "15.500"@[p1])', "not_in_source"],
    ["words of another source than the claim's", 'add("4.00%", "4.00%")', "not_in_source"],
    ["a source that was not loaded", 'add("5"@[p2], "5"@[p2])', "not_loaded"],
    ["a need that was not loaded", "sum(parcels.weight)", "not_loaded"],
    ["a field without a value", "add(order.missing, order.total)", "not_loaded"],
    ["an inherited member", "count(lines.constructor)", "not_loaded"],
    ["a secret", "sum(lines.pin)", "secret"],
    ["a name that nobody registered", "constructor(order.total)", "unknown_calculation"],
    ["too few operands", "subtract(order.total)", "not_calculable"],
    ["money and a bare number", "add(lines.total_minor, order.total)", "not_calculable"],
    ["a text for a number", "sum(lines.note)", "not_calculable"],
    ["one of several rows", "add(lines.total_minor, lines.total_minor)", "not_loaded", "order:1"],
  ])("is refused with %s", (_, text, rule, source = "lines:1") => {
    expect(said(text, source)).toBe(rule);
  });

  it("tells where each operand was taken from, and what was run", () => {
    expect(run('percent_of("4.00%"@[p1], sum(lines.total_minor))')).toMatchObject({
      kind: "value",
      by: ["sum@1", "percent_of@1"],
      sources: [
        { item: "p1", at: { from: report.text.indexOf("4.00%"), to: report.text.indexOf("4.00%") + 5 } },
        { item: "lines:1", at: "total_minor" },
        { item: "lines:2", at: "total_minor" },
      ],
    });
  });
});

describe("an expression", () => {
  test.each([
    "",
    "5 + 5",
    "sum(",
    "sum()",
    "sum(a.b))",
    "sum(a.b) x",
    "a.b.c",
    "sum(a.b,)",
    "Sum.x(a.b)",
    '"open',
    "sum(a b)",
    "sum(1e5)",
    "f(".repeat(50),
  ])("is not `%s`", (text) => {
    expect(readExpression(text)).toBeUndefined();
  });

  it("takes quoted words for words, whatever they are", () => {
    expect(readExpression('sum("sum(a.b), |x", a.b)')).toMatchObject({
      of: [{ kind: "quote", text: "sum(a.b), |x" }, { kind: "field" }],
    });
  });
});
