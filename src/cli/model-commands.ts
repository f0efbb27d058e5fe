import { type Command, Option } from "commander";
import { efforts } from "../contract/capability.ts";
import { directory, examples, json, projectOption } from "./options.ts";

const project = projectOption("the folder with project.ts and decide.ts");
const tenant = () => new Option("--tenant <tenant>", "whose decisions").makeOptionMandatory();

/** Declares how one looks at models and has a capability move from one to another. */
export function addModels(program: Command): void {
  addLooks(program.command("models").description("look at the models that a project names, and when they end"));
  addMigration(program.command("migrate").description("have a capability move from one model to another, step by step"));
}

function addLooks(models: Command): void {
  const looking = (command: Command) =>
    command
      .addOption(project)
      .addOption(directory)
      .addOption(new Option("--ask", "ask the providers for their lists, with the deciding half's own keys"))
      .addOption(json);
  looking(models.command("list").description("list every model that is named, where, and how each stands"))
    .addHelpText("after", examples("countersign models list", "countersign models list --project my-project --ask --json"))
    .action(async (options) => (await import("./models.ts")).modelsList(options));
  looking(
    models
      .command("check")
      .description("exit code 1 where a model ends within 90 days, or its id is no fixed version or on no list"),
  )
    .addHelpText("after", examples("countersign models check", "countersign models check --ask --json"))
    .action(async (options) => (await import("./models.ts")).modelsCheck(options));
}

function addMigration(migrate: Command): void {
  const step = (name: string, says: string) =>
    migrate
      .command(`${name} <capability>`)
      .description(says)
      .addOption(tenant())
      .addOption(project)
      .addOption(directory)
      .addOption(json);
  const share = (says: string, usual: string) => new Option("--share <part>", says).default(usual);
  step("plan", "write down which model is to take the place of which")
    .addOption(new Option("--to <model>", "the new model, as provider/id").makeOptionMandatory())
    .addOption(new Option("--from <model>", "the old one: the model that decides, which is taken by default"))
    .addOption(new Option("--effort <effort>", "another effort than the definition's").choices(efforts))
    .addOption(new Option("--temperature <number>", "another temperature; `none` for a model that takes none"))
    .addOption(
      new Option("--least-trials <n>", "so many before a share of failures or disagreements says something").default("50"),
    )
    .addOption(new Option("--most-failed <part>", "roll back where the new model fails in more").default("0.02"))
    .addOption(new Option("--most-disagree <part>", "roll back where the two disagree in more").default("0.05"))
    .addHelpText("after", examples("countersign migrate plan refund_order --tenant acme --to openai/gpt-6-luna-2026-09-10"))
    .action(async (capability, options) => (await import("./migrate-model.ts")).migratePlan(capability, options));
  step("run", "play the eval cases with both models; exit code 1 where something stands against going on")
    .addOption(new Option("--repeats <n>", "how often each case is played").default("3"))
    .addOption(new Option("--parallel <n>", "how many are played at once").default("4"))
    .addOption(
      new Option("--efforts <efforts...>", "further efforts, beside the planned one, which is always played").choices(efforts),
    )
    .addHelpText(
      "after",
      examples(
        "countersign migrate run refund_order --tenant acme",
        "countersign migrate run refund_order --tenant acme --efforts low high",
      ),
    )
    .action(async (capability, options) => (await import("./migrate-model-run.ts")).migrateRun(capability, options));
  step("shadow", "have live requests walked by the new model too, with nothing applied")
    .addOption(share("of decisions, the part that is tried", "1"))
    .addHelpText("after", examples("countersign migrate shadow refund_order --tenant acme --share 0.2"))
    .action(async (capability, options) => (await import("./migrate-model-stage.ts")).migrateShadow(capability, options));
  step("canary", "let the new model decide a share; it rolls back by itself where a bound is broken")
    .addOption(share("of decisions, the part that it decides", "0.05"))
    .requiredOption("--reason <text>", "why, in 10 to 500 characters; it is signed")
    .option("--by <name>", "who allows it; whoever runs the command by default")
    .addHelpText(
      "after",
      examples('countersign migrate canary refund_order --tenant acme --share 0.05 --reason "the old model ends in January"'),
    )
    .action(async (capability, options) => (await import("./migrate-model-stage.ts")).migrateCanary(capability, options));
  step("report", "tell how far it is, with both models in one report")
    .addHelpText("after", examples("countersign migrate report refund_order --tenant acme --json"))
    .action(async (capability, options) => (await import("./migrate-model.ts")).migrateReport(capability, options));
  step("roll-back", "have the old model decide everything again")
    .addHelpText("after", examples("countersign migrate roll-back refund_order --tenant acme"))
    .action(async (capability, options) => (await import("./migrate-model-stage.ts")).migrateRollBack(capability, options));
  step("retire", "end a migration whose share held, once the definition names the new model")
    .addHelpText("after", examples("countersign migrate retire refund_order --tenant acme"))
    .action(async (capability, options) => (await import("./migrate-model-stage.ts")).migrateRetire(capability, options));
}
