import { describe, expect, it, test } from "vitest";
import type { LoadedContext, Passage, RecordRow } from "../../contract/context.ts";
import { decimalText } from "../../contract/exact.ts";
import { isQuantity } from "../../contract/run-calculation.ts";
import { calculate } from "./calculate.ts";
import { calculationsWith } from "./calculations.ts";
import { readExpression } from "./expression.ts";

const line = (n: number, total_minor: number): RecordRow => ({
  ...({ kind: "record", id: `lines:${n}`, need: "lines", query: "orders.lines", readAt: 0 } as const),
  row: { id: n, total_minor, currency: "EUR", pin: 7, note: "15.500", card: "***5000", tags: ["a", "b"] },
  labels: { id: "system", total_minor: "system", currency: "system", pin: "secret", note: "third" },
  units: { total_minor: { unit: { field: "currency" }, minor: true }, card: { written: "english" } },
  masked: ["card"],
});
const order: RecordRow = {
  ...line(9, 5),
  id: "order:1",
  need: "order",
  row: {
    total: "19.90",
    placed_on: "2026-02-01",
    starts_at: "2026-02-01 09:30",
    missing: null,
    return_days: 30,
    return_minutes: 15,
    rate: "0.8",
    weight: 2,
    seen: "at 09:45 on 3 May 2026",
  },
  units: { return_days: { unit: "days" }, rate: { unit: "GBP" }, weight: { unit: "kg" } },
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
const prices: Passage = {
  ...report,
  id: "p2",
  text: "Paid EUR 100 and GBP 50, then 100 USD; R$ 7, $ 1.5 trillion and 8 XYZ. Again EUR 40 or EUR 40. Due 31 December 2026 at 16:20, within 14 days.",
};
const context: LoadedContext = { items: [line(1, 1005), line(2, 2010), order, report, prices], digest: "" };
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
    ["add_days(order.placed_on, order.return_days)", "2026-03-03"],
    ['add_days(order.placed_on, "14"@[p2])', "2026-02-15"],
    ["add_minutes(order.starts_at, order.return_minutes)", "2026-02-01 09:45"],
    ['add("EUR 100"@[p2], "EUR 40"@[p2])', "140.00 EUR"],
    ['add("EUR 40"@[p2], "40"@[p2])', "80.00 EUR"],
    ["sum(lines.total_minor, lines.total_minor)", "60.30 EUR"],
    ["mean(sum(lines.total_minor), lines.total_minor)", "20.10 EUR"],
    ["text(order.total)", "19.90"],
    ["join(order.placed_on, order.total)", "2026-02-0119.90"],
    ["inverse(order.total)", "0.05"],
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
    ["a source that was not loaded", 'add("5"@[p3], "5"@[p3])', "not_loaded"],
    ["a number that stands in two units", 'add("100"@[p2], "100"@[p2])', "not_in_source"],
    ["two currencies by their codes", 'add("EUR 100"@[p2], "GBP 50"@[p2])', "not_calculable"],
    ["a currency that is not read", 'add("7"@[p2], "7"@[p2])', "not_in_source"],
    ["a scale that is not read", 'add("1.5"@[p2], "$ 1.5"@[p2])', "not_in_source"],
    ["a code that nobody knows", 'add("8"@[p2], "8"@[p2])', "not_in_source"],
    ["the day of a date", 'add("31"@[p2], "31"@[p2])', "not_in_source"],
    ["the year of a date", 'add("2026"@[p1], "2026"@[p1])', "not_in_source"],
    ["the minute of a time", 'add("20"@[p2], "20"@[p2])', "not_in_source"],
    ["a part of a date in a field", 'add("2026", "2026")', "not_in_source", "order:1"],
    ["a part of a time in a field", 'add("45", "45")', "not_in_source", "order:1"],
    ["what is shown in part", "sum(lines.card)", "secret"],
    ["words of what is shown in part", 'text("***5000")', "not_in_source"],
    ["digits of what is shown in part", 'add("5000", "5000")', "not_in_source"],
    ["days of its own", "add_days(order.placed_on, 30)", "not_in_source"],
    ["minutes of its own", "add_minutes(order.starts_at, 30)", "not_in_source"],
    ["days that are no days", "add_days(order.placed_on, order.weight)", "not_calculable"],
    ["the inverse of money", "inverse(order.rate)", "not_calculable"],
    ["money as a text", "text(order.rate)", "not_calculable"],
    ["money among texts", "join(order.placed_on, lines.total_minor)", "not_calculable"],
    ["the digits of money in words", 'text("1,496.5"@[p1])', "not_in_source"],
    ["a list for one of many", "join(order.placed_on, lines.tags)", "not_calculable"],
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
