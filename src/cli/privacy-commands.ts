import { type Command, Option } from "commander";
import { directory, examples, json, projectOption } from "./options.ts";

const project = projectOption("the folder with decide.ts, privacy.json and privacy-exemptions.json");

/** Declares how one looks at what the privacy boundary does, and how a person signs that it is off for a provider. */
export function addPrivacy(program: Command): void {
  const privacy = program
    .command("privacy")
    .description("look at what the privacy boundary finds and does, and sign what is exempt");
  privacy
    .command("scan <file>")
    .description("find personal data in a file as the boundary would; exit code 1 where there is some")
    .addOption(new Option("--show", "print the values themselves; they are masked otherwise"))
    .addOption(json)
    .addHelpText("after", examples("countersign privacy scan mail.txt", "countersign privacy scan mail.txt --show --json"))
    .action(async (file, options) => (await import("./privacy-scan.ts")).privacyScan(file, options));
  privacy
    .command("report")
    .description("tell what was sent to models, per capability and class of data: counts, and never a value")
    .option("--from <day>", "the first day, in UTC; the first of this month by default")
    .option("--to <day>", "the last day, in UTC; today by default")
    .option("--tenant <tenant>", "one tenant; all by default")
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples("countersign privacy report", "countersign privacy report --from 2026-03-01 --tenant acme --json"),
    )
    .action(async (options) => (await import("./privacy-report.ts")).privacyReport(options));
  privacy
    .command("allow-off <provider>")
    .description('sign the reason for which a provider with `boundary: "off"` is sent text as it is')
    .requiredOption("--reason <text>", "why, in 10 to 500 characters")
    .option("--by <name>", "whose reason it is; whoever runs the command by default")
    .addOption(project)
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples('countersign privacy allow-off local --reason "it runs on this machine, in the same room"'))
    .action(async (provider, options) => (await import("./privacy-allow-off.ts")).privacyAllowOff(provider, options));
}
