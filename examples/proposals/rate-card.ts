import { defineCalculation, quantities } from "countersign";

/** The price of a proposal: seats times months at the card's price, less the discount that its number of seats earns. */
export const rateCard = defineCalculation({
  name: "rate_card",
  version: "1",
  description: "The price of so many seats for so many months by the rate card, its discount taken off, to the cent.",
  operands: {
    price: { type: "quantity", unit: "EUR" },
    seats: { type: "quantity" },
    months: { type: "quantity" },
    discount: { type: "quantity", unit: "percent" },
  },
  run: ({ price, seats, months, discount }) => {
    const full = quantities.times(quantities.times(price, seats), months);
    return quantities.round(quantities.minus(full, quantities.times(discount, full)), 2);
  },
});
