import { describe, expect, it, test } from "vitest";
import { loaded, passage, projector } from "../../test/decide/samples.ts";
import type { RecordRow } from "../contract/context.ts";
import { calculationsNamed, defineCalculation } from "../define/calculation.ts";
import { quantities } from "../define/quantities.ts";
import { renderClaim } from "./render.ts";

const order: RecordRow = {
  ...{ ...projector, id: "order:1", need: "order" },
  row: { net_minor: 100_400, currency: "EUR", tax: "19.5", placed_on: "2026-02-01", code: "15.500", return_days: 30 },
  labels: { net_minor: "system", currency: "system", tax: "system", placed_on: "system" },
  units: { net_minor: { unit: { field: "currency" }, minor: true }, tax: { unit: "percent" } },
};
const gross = defineCalculation({
  ...{ name: "gross", version: "3", description: "A price with its tax." },
  operands: { net: { type: "quantity" }, tax: { type: "quantity", unit: "percent" } },
  run: ({ net, tax }) => quantities.sum([net, quantities.times(tax, net)]),
});
const calculations = new Map([gross, ...calculationsNamed("divide", "add_days", "count")].map((one) => [one.name, one]));
const render = (text: string, source = order.id) =>
  renderClaim({ text, source }, loaded(order, { ...passage, kind: "passage", need: "rules" }), calculations);

describe("a claim with a calculation", () => {
  test.each([
    ["{{gross(order.net_minor, order.tax)}}", "1,199.78 EUR"],
    ["{{ gross(order.net_minor, order.tax) | money:1 }}", "1,199.8 EUR"],
    ["{{order.net_minor}}", "1,004.00 EUR"],
    ["{{order.tax | percent:2}}", "19.50%"],
    ["{{order.placed_on | date}}", "1 February 2026"],
    ["{{add_days(order.placed_on, order.return_days) | date}}", "3 March 2026"],
    ["{{add_days(order.placed_on, 30) | date}}", null],
    ["{{divide(order.tax, order.net_minor) | number:3}}", null],
    ["{{order.code}}", "15.500"],
  ])("%s is %s", (text, expected) => {
    const rendered = render(text);
    expect(rendered.kind === "claim" ? rendered.claim.text : null).toBe(expected);
  });

  it("carries what was run on what, inside what a person signs", () => {
    expect(render("It costs {{gross(order.net_minor, order.tax)}}.")).toMatchObject({
      claim: {
        text: "It costs 1,199.78 EUR.",
        workings: [
          {
            ...{ expression: "gross(order.net_minor, order.tax)", value: "1,199.78 EUR", by: ["gross@3"] },
            sources: [
              { item: "order:1", at: "net_minor" },
              { item: "order:1", at: "tax" },
            ],
          },
        ],
      },
    });
  });

  test.each([
    ["a number of the model's own", "{{gross(order.net_minor, 7)}}", /is in no source/],
    ["one that the capability does not register", "{{sum(order.net_minor)}}", /no calculation `sum`/],
    ["a quoted number that is not there", '{{divide(order.net_minor, "12")}}', /does not stand in its source/],
    ["money for what is none", "{{order.tax | money}}", /does not resolve/],
    ["a format that there is not", "{{order.tax | hex}}", /does not resolve/],
    ["words that stand alone", '{{"EUR"}}', /does not resolve/],
    ["a number that stands alone", "{{5}}", /does not resolve/],
    ["a date that is none", "{{order.code | date}}", /does not resolve/],
  ])("is dropped and named with %s", (_, text, reason) => {
    expect(render(text)).toEqual({ kind: "dropped", dropped: { text, reason: expect.stringMatching(reason) } });
  });
});
