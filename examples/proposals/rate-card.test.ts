import { quantities } from "countersign";
import { expect, it } from "vitest";
import { rateCard } from "./rate-card.ts";

const run = rateCard.run as (operands: object) => ReturnType<typeof quantities.of>; // its operands are held against its rules elsewhere

it.each([
  ["18", "400", "12", "10", "77760"],
  ["21.5", "50", "24", "0", "25800"],
  ["0.333", "1", "1", "50", "0.17"],
])("at %s for %s seats over %s months less %s percent is %s", (price, seats, months, discount, total) => {
  const given = { price: quantities.of(price, "EUR"), seats: quantities.of(seats), months: quantities.of(months) };
  const result = run({ ...given, discount: quantities.of(discount, "percent") });
  expect([quantities.text(result), result.unit]).toEqual([total, "EUR"]);
});
