import { z } from "zod";
import { budgetPeriods, budgetScopes, budgetUnits } from "../../contract/budget.ts";
import { type BudgetView, type SpendView, spendGroups } from "../../contract/spend.ts";
import { components } from "./components.ts";

const micros = z.int().describe("Millionths of the currency that prices are in");
const count = z.int();

const spendLine = z.strictObject({
  group: z.string(),
  decisions: count,
  attempts: count,
  refused: count,
  inputTokens: count,
  cachedTokens: count,
  cacheWriteTokens: count,
  outputTokens: count,
  reasoningTokens: count,
  costMicros: micros,
  assumedMicros: micros,
});

/** What a tenant spent. */
export const spendReply = z
  .strictObject({
    by: z.enum(spendGroups),
    from: z.string(),
    before: z.string(),
    totalMicros: micros,
    lines: z.array(spendLine),
    forecast: z.strictObject({ month: z.string(), spentMicros: micros, forecastMicros: micros, elapsedPpm: z.int() }),
  })
  .register(components, {
    id: "Spend",
    description: "What the tenant spent in a range of days, with a forecast of the month",
  }) satisfies z.ZodType<SpendView>;

/** A budget of the tenant with what is used of it. */
export const budgetReply = z
  .strictObject({
    id: z.string(),
    scope: z.enum(budgetScopes),
    name: z.string(),
    unit: z.enum(budgetUnits),
    period: z.enum(budgetPeriods),
    cap: z.int(),
    uses: z.array(z.strictObject({ subject: z.string(), used: z.int(), drawn: z.int() })),
  })
  .register(components, {
    id: "Budget",
    description: "A budget of the tenant with what is used of it now",
  }) satisfies z.ZodType<BudgetView>;
