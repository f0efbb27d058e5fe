import type { BudgetPeriod } from "../../../../src/contract/budget.ts";
import type { BudgetView } from "../../../../src/contract/spend.ts";
import { plainMoney, plainName } from "../../words/plain.ts";

/** After which a budget begins anew. */
export const periodWords: Readonly<Record<BudgetPeriod, string>> = {
  day: "a day",
  month: "a month",
  ever: "once, for as long as a case runs",
};

/** Whom a budget is for, in words. */
export function budgetOf({ scope, name }: Pick<BudgetView, "scope" | "name">): string {
  if (scope === "tenant") return "Tenant";
  const kind = scope === "principal" ? "person" : scope;
  return name === "*" ? `Each ${kind}` : `${plainName(kind)} ${name}`;
}

const numbers = new Intl.NumberFormat("en-GB");

/** An amount of what a budget counts: money, tokens or requests. */
export function amountWords({ unit }: Pick<BudgetView, "unit">, amount: number): string {
  if (unit === "micros") return plainMoney(amount);
  return `${numbers.format(amount)} ${unit === "tokens" ? "tokens" : "requests"}`;
}

/** How much of a budget is used, with its unit once where that is a word. */
export function usedWords(budget: Pick<BudgetView, "unit" | "cap">, used: number): string {
  const amount = budget.unit === "micros" ? amountWords(budget, used) : numbers.format(used);
  return `${amount} of ${amountWords(budget, budget.cap)}`;
}
