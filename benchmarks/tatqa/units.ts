import type { LoadedContext, RecordRow } from "../../src/contract/context.ts";
import { decimalText } from "../../src/contract/exact.ts";
import type { FieldUnit } from "../../src/contract/quantity.ts";
import { isQuantity } from "../../src/contract/run-calculation.ts";
import { evaluate } from "./score.ts";

/** How many sums over two units and two scales came out as they must. */
export interface Crossed {
  readonly count: number;
  readonly right: number;
  readonly failing: readonly string[];
}

type Cell = readonly [value: string, unit: FieldUnit];

const inMillions: Cell = ["1.5", { unit: "USD", scale: "million" }];
const crossings: readonly (readonly [name: string, expression: string, cells: readonly [Cell, Cell], expected: string | null])[] =
  [
    ["million and thousand", "add(row.a, row.b)", [inMillions, ["500", { unit: "USD", scale: "thousand" }]], "2.0 USD million"],
    [
      "thousand and million",
      "subtract(row.b, row.a)",
      [inMillions, ["1700", { unit: "USD", scale: "thousand" }]],
      "200.0 USD thousand",
    ],
    ["two currencies", "add(row.a, row.b)", [inMillions, ["1", { unit: "EUR", scale: "million" }]], null],
    ["money and a percentage", "add(row.a, row.b)", [inMillions, ["4", { unit: "percent" }]], null],
    ["money and a bare number", "subtract(row.a, row.b)", [inMillions, ["4", {}]], null],
    ["money times money", "multiply(row.a, row.b)", [inMillions, inMillions], null],
    ["a share of money", "multiply(row.b, row.a)", [inMillions, ["4", { unit: "percent" }]], "0.1 USD million"],
    ["a ratio over two scales", "divide(row.a, row.b)", [inMillions, ["500", { unit: "USD", scale: "thousand" }]], "3.0"],
    ["a ratio of two currencies", "ratio_percent(row.a, row.b)", [inMillions, ["1", { unit: "EUR", scale: "million" }]], null],
    [
      "a change of percentages",
      "subtract(row.a, row.b)",
      [
        ["4.5", { unit: "percent" }],
        ["4", { unit: "percent" }],
      ],
      "0.5 percent",
    ],
    ["nothing to divide by", "divide(row.a, row.b)", [inMillions, ["0", { unit: "USD", scale: "million" }]], null],
  ];

/** Runs sums that must be refused, or be converted exactly. */
export function crossUnits(): Crossed {
  const failing = crossings.flatMap(([name, expression, cells, expected]) =>
    outcomeOf(expression, cells) === expected ? [] : [name],
  );
  return { count: crossings.length, right: crossings.length - failing.length, failing };
}

function outcomeOf(expression: string, [a, b]: readonly [Cell, Cell]): string | null {
  const row: RecordRow = {
    ...({ kind: "record", id: "row:1", need: "row", query: "row", readAt: 0, labels: { a: "system", b: "system" } } as const),
    row: { a: a[0], b: b[0] },
    units: { a: a[1], b: b[1] },
  };
  const context: LoadedContext = { items: [row], digest: "" };
  const calculated = evaluate(expression, context);
  if (calculated.kind === "refused" || !isQuantity(calculated.value)) return null;
  const { value, unit, scale } = calculated.value;
  return [decimalText(value, 1), unit, scale].filter((part) => part !== "" && part !== "one").join(" ");
}
