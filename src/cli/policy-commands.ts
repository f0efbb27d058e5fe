import { Argument, type Command, Option } from "commander";
import { actions } from "../guard/policy/actions.ts";
import { examples, json } from "./options.ts";

const project = new Option("--project <folder>", "the project, whose folder `policies` stands beside the shipped one").env(
  "COUNTERSIGN_PROJECT",
);

/** Adds the commands that try policies. They read files alone: no database, no process, no key. */
export function addPolicies(program: Command): void {
  const policy = program.command("policy").description("try the policies of a project");
  policy
    .command("test")
    .description("run the tests of the policies; exit code 1 where one fails")
    .addOption(project)
    .addOption(json)
    .addHelpText("after", examples("countersign policy test", "countersign policy test --project my-project --json"))
    .action(async (options) => (await import("./policy-test.ts")).policyTest(options));
  policy
    .command("explain")
    .description("ask one question and say which policies decide it, and what was missing where the answer is no")
    .addArgument(new Argument("<action>", "what would be done").choices(Object.keys(actions)))
    .requiredOption("--principal <id>", "who would do it")
    .option("--roles <roles>", "their roles, joined by commas", "")
    .option("--tenant <tenant>", "their tenant", "acme")
    .option("--on-behalf-of <id>", "of an agent: the person it acts for")
    .option("--attributes <json>", "their attributes, as JSON", "{}")
    .option("--resource <json>", "what it is about, as JSON: the attributes that the schema names", "{}")
    .option("--not-listed", "the account's allow-lists leave it out")
    .addOption(project)
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        `countersign policy explain sign --principal ada --roles approver --resource '{"requestedBy":"erin","risk":"high","effects":1}'`,
        `countersign policy explain passAlone --principal erin --resource '{"name":"refund","risk":"medium"}' --json`,
      ),
    )
    .action(async (action, options) => (await import("./policy-explain.ts")).policyExplain(action, options));
}
