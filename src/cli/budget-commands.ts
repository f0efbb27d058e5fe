import { type Command, Option } from "commander";
import { budgetPeriods, budgetScopes, budgetUnits } from "../contract/budget.ts";
import { spendGroups } from "../contract/spend.ts";
import { billForms } from "../guard/budget/read-bill.ts";
import { directory, examples, json } from "./options.ts";

/** Declares what the installation's operator does with budgets, and how what was spent is looked at: it needs the owner's login. */
export function addBudgets(program: Command): void {
  addBudget(program.command("budget").description("set, list and remove budgets that many runs share"));
  addSpend(program.command("spend").description("what was spent, what caps would hold, and whether the bill agrees"));
}

const tenantOf = () => new Option("--tenant <tenant>", "the tenant, by id").makeOptionMandatory();

function addBudget(budget: Command): void {
  budget
    .command("set <id> <cap>")
    .description("set a budget, or its cap anew; money as 12.50, tokens and requests as whole numbers")
    .addOption(tenantOf())
    .addOption(new Option("--scope <scope>", "whom it is for").choices(budgetScopes).default("tenant"))
    .addOption(new Option("--of <name>", "the capability, principal or kind of case; * is each of them for itself"))
    .addOption(new Option("--unit <unit>", "what it counts").choices(budgetUnits).default("micros"))
    .addOption(new Option("--period <period>", "after which it begins anew, in UTC").choices(budgetPeriods).default("month"))
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        "countersign budget set all 500 --tenant acme",
        "countersign budget set each-person 2000000 --tenant acme --scope principal --of '*' --unit tokens --period day",
      ),
    )
    .action(async (id, cap, options) => (await import("./budget.ts")).budgetSet({ id, cap }, options));
  budget
    .command("list")
    .description("list budgets, what is used of each, and what processes have drawn")
    .option("--tenant <tenant>", "those of one tenant; all by default")
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign budget list", "countersign budget list --tenant acme --json"))
    .action(async (options) => (await import("./budget.ts")).budgetList(options));
  budget
    .command("remove <id>")
    .description("remove a budget; what has begun on it goes on")
    .addOption(tenantOf())
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign budget remove all --tenant acme"))
    .action(async (id, options) => (await import("./budget.ts")).budgetRemove(id, options));
}

function addSpend(spend: Command): void {
  const ranged = (command: Command): Command =>
    command
      .addOption(new Option("--from <day>", "the first day, in UTC; the first of this month by default"))
      .addOption(new Option("--to <day>", "the last day; today by default"))
      .addOption(new Option("--tenant <tenant>", "one tenant; all by default"))
      .addOption(directory)
      .addOption(json);
  ranged(spend.command("report").description("add up what was spent, and forecast the month"))
    .addOption(new Option("--by <group>", "by what").choices(spendGroups).default("capability"))
    .addHelpText(
      "after",
      examples("countersign spend report", "countersign spend report --by model --from 2026-01-01 --to 2026-01-31 --json"),
    )
    .action(async (options) => (await import("./spend.ts")).spendReport(options));
  ranged(spend.command("suggest").description("suggest caps for each capability, from runs that have ended"))
    .addHelpText("after", examples("countersign spend suggest", "countersign spend suggest --from 2026-01-01"))
    .action(async (options) => (await import("./spend.ts")).spendSuggest(options));
  spend
    .command("reconcile <file>")
    .description(`compare a provider's bill with the ledger; a CSV of the form ${billForms.join(", ")}`)
    .addOption(new Option("--provider <name>", "the provider's name in the ledger, where it is not that of the form"))
    .addOption(new Option("--tenant <tenant>", "one tenant; all by default"))
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples("countersign spend reconcile costs-march.csv", "countersign spend reconcile bill.csv --provider anthropic --json"),
    )
    .action(async (file, options) => (await import("./spend.ts")).spendReconcile(file, options));
}
