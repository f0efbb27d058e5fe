import { resolve } from "node:path";
import type { BudgetPeriod, BudgetScope, BudgetUnit } from "../contract/budget.ts";
import { CountersignError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { type ListedBudget, listBudgets, removeBudget, setBudget } from "../guard/budget/manage-budgets.ts";
import { money, wholeNumber } from "./amounts.ts";
import { withOwner } from "./owner.ts";
import { checkedId } from "./people-form.ts";
import { print } from "./print.ts";

interface BudgetOptions {
  readonly tenant: string;
  readonly scope: BudgetScope;
  readonly of?: string;
  readonly unit: BudgetUnit;
  readonly period: BudgetPeriod;
  readonly directory: string;
  readonly json?: true;
}

/** Sets a budget, in force within seconds. Throws `bad_request` for what cannot be one, `not_found` where the tenant is not there. */
export async function budgetSet({ id, cap }: { id: string; cap: string }, options: BudgetOptions): Promise<void> {
  const { scope, of, unit, period } = options;
  if ((scope === "tenant") !== (of === undefined))
    throw new CountersignError(
      "bad_request",
      "a budget of capabilities, principals or cases says whose by --of; one of the tenant does not",
    );
  if (period === "ever" && scope !== "case")
    throw new CountersignError("bad_request", "only a budget of cases is for ever; name a day or a month");
  const budget = {
    ...{ tenant: checkedId("the tenant's id", options.tenant), id: checkedId("the budget's id", id), scope, unit, period },
    name: of === undefined || of === "*" ? (of ?? "") : checkedId("the name", of),
    cap: unit === "micros" ? money(cap) : wholeNumber(cap),
  };
  await withOwner(resolve(options.directory), (adminUrl) => setBudget(adminUrl, budget));
  const usual = { micros: limits.sharedRun.costMicros, tokens: limits.sharedRun.tokens, turns: limits.sharedRun.turns }[unit];
  const note = `a run whose capability sets no cap takes ${amountOf(usual, unit)} of it at once, so such runs are refused; give the capability \`caps\``;
  print({
    json: options.json,
    value: budget,
    lines: [`budget ${id} of ${budget.tenant}: ${lineOf(budget)}`, ...(budget.cap < usual ? [note] : [])],
  });
}

/** Lists budgets with what is used of them now. */
export async function budgetList({
  tenant,
  directory,
  json,
}: {
  tenant?: string;
  directory: string;
  json?: true;
}): Promise<void> {
  const budgets = await withOwner(resolve(directory), (adminUrl) => listBudgets(adminUrl, tenant ?? null));
  const lines = budgets.flatMap((budget) => [
    `${budget.tenant} ${budget.id}: ${lineOf(budget)}`,
    ...budget.uses.map(
      ({ subject, used, drawn }) =>
        `  ${subject === "" ? "used" : `${subject}: used`} ${amountOf(used, budget.unit)}, drawn and not used ${amountOf(drawn, budget.unit)}`,
    ),
  ]);
  print({
    json,
    value: { budgets },
    lines: lines.length === 0 ? ["there is no budget; set one with `countersign budget set`"] : lines,
  });
}

/** Removes a budget. Throws `not_found`. */
export async function budgetRemove(
  id: string,
  { tenant, directory, json }: Pick<BudgetOptions, "tenant" | "directory" | "json">,
): Promise<void> {
  const which = { tenant: checkedId("the tenant's id", tenant), id: checkedId("the budget's id", id) };
  await withOwner(resolve(directory), (adminUrl) => removeBudget(adminUrl, which));
  print({ json, value: which, lines: [`removed budget ${id} of ${tenant}`] });
}

function lineOf({ scope, name, unit, period, cap }: Omit<ListedBudget, "uses" | "tenant" | "id">): string {
  const whose = {
    tenant: "all of the tenant",
    capability: `capability ${name}`,
    principal: `principal ${name}`,
    case: name === "*" ? "each case" : `each case of ${name}`,
  }[scope];
  return `${amountOf(cap, unit)}${period === "ever" ? "" : ` a ${period}`} for ${name === "*" && scope !== "case" ? `each ${scope}` : whose}`;
}

function amountOf(amount: number, unit: BudgetUnit): string {
  if (unit === "micros") return `$${(amount / 1_000_000).toFixed(2)}`;
  return `${amount} ${unit === "tokens" ? "tokens" : "requests"}`;
}
