import { z } from "zod";

/** Millionths for a million tokens of each kind: a price of $1.25 a million is 1,250,000. Reasoning is billed as output. */
const rates = z.strictObject({
  input: z.int().min(0),
  cached: z.int().min(0),
  cacheWrite: z.int().min(0),
  output: z.int().min(0),
});
/** What tokens of each kind cost. */
export type Rates = z.infer<typeof rates>;

const price = z.strictObject({
  model: z.string().regex(/^[a-z0-9][a-z0-9-]*\/\S{1,200}$/, "a model is `provider/id`"),
  /** The day in UTC from which it holds. */
  from: z.iso.date(),
  ...rates.shape,
  /** Rates of a whole request whose input of all kinds is longer than `above` tokens. */
  long: z.strictObject({ above: z.int().min(1), ...rates.shape }).optional(),
});
/** One line of a table. */
export type Price = z.infer<typeof price>;

/** The form of a table of prices. */
export const priceTable = z.strictObject({
  version: z.string().regex(/^[A-Za-z0-9._-]{1,60}$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** The day on which the prices were last compared with the providers' pages. */
  checked: z.iso.date(),
  prices: z.array(price),
});
/** A table of prices, as it is shipped or stands in a file. */
export type PriceTable = z.infer<typeof priceTable>;
