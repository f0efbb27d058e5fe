import { type Command, Option } from "commander";
import { exchangeFormats } from "./exchange-formats.ts";
import { examples, json, projectOption } from "./options.ts";

const project = projectOption("the folder with project.ts and evals");

/** Adds to `eval` what is made of its results, and what comes from and goes to other programs. */
export function addEvalExchange(evaluation: Command): void {
  addReports(evaluation);
  addJudges(evaluation);
  addExchange(evaluation);
}

function addReports(evaluation: Command): void {
  evaluation
    .command("report <report>")
    .description("make further reports of a run from its JSON report; nothing is run")
    .addOption(new Option("--to <files...>", "what to write: files that end in .html, .xml (JUnit), .json or .txt"))
    .addOption(new Option("--baseline <report>", "the JSON report of a run to compare with"))
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        "countersign eval report run.json --to run.html run.xml",
        "countersign eval report run.json --baseline before.json --to run.html",
      ),
    )
    .action(async (report, options) => (await import("./eval-report.ts")).evalReport(report, options));
}

function addJudges(evaluation: Command): void {
  const judge = new Option("--judge <name>", "the judge, by the name of its rubric").makeOptionMandatory();
  evaluation
    .command("labels <report>")
    .description("write a sheet for people to read the answers of a run on, by the criteria of a judge")
    .addOption(judge)
    .addOption(new Option("--to <file>", "the CSV file to make").makeOptionMandatory())
    .addOption(project)
    .addOption(json)
    .addHelpText("after", examples("countersign eval labels run.json --judge helpful_answer --to labels.csv"))
    .action(async (report, options) => (await import("./eval-agreement.ts")).evalLabels(report, options));
  evaluation
    .command("agreement <labels>")
    .description("say how far a judge agrees with people's labels; exit code 1 where no gate may go by it")
    .addOption(judge)
    .addOption(new Option("--run <report>", "the JSON report of the run that the labels were made over").makeOptionMandatory())
    .addOption(new Option("--write", "keep it beside the rubric, where gates look it up"))
    .addOption(project)
    .addOption(json)
    .addHelpText("after", examples("countersign eval agreement labels.csv --judge helpful_answer --run run.json --write"))
    .action(async (labels, options) => (await import("./eval-agreement.ts")).evalAgreement(labels, options));
}

function addExchange(evaluation: Command): void {
  const format = new Option("--format <format>", "whose form it has").choices(exchangeFormats).makeOptionMandatory();
  evaluation
    .command("import <file>")
    .description("make a file of eval cases from a promptfoo configuration or the items of a Langfuse dataset")
    .addOption(format)
    .addOption(
      new Option("--to <file>", "the file of eval cases to make, such as evals/answer_question.yaml").makeOptionMandatory(),
    )
    .addOption(new Option("--principal <id>", "who asks, where the file does not say it").makeOptionMandatory())
    .addOption(new Option("--roles <roles>", "their roles, joined by commas").default("employee"))
    .addOption(new Option("--slice <slice>", "the slice of the cases").default("imported"))
    .addOption(new Option("--partial", "write the rest where something has no place here"))
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        "countersign eval import promptfooconfig.yaml --format promptfoo --principal emp-104 --to evals/answer_question.yaml",
        "countersign eval import items.csv --format langfuse --principal emp-104 --to cases.jsonl --partial",
      ),
    )
    .action(async (file, options) => (await import("./eval-exchange.ts")).evalImport(file, options));
  evaluation
    .command("export <capability>")
    .description("write the eval cases of a capability for promptfoo or Langfuse")
    .addOption(format)
    .addOption(new Option("--to <file>", "the file to write").makeOptionMandatory())
    .addOption(project)
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        "countersign eval export answer_question --format promptfoo --to promptfooconfig.yaml",
        "countersign eval export answer_question --format langfuse --to items.json",
      ),
    )
    .action(async (capability, options) => (await import("./eval-exchange.ts")).evalExport(capability, options));
  evaluation
    .command("scores <report>")
    .description("write the scores of a run, from its JSON report, as Langfuse takes them")
    .addOption(new Option("--to <file>", "the JSON file to write").makeOptionMandatory())
    .addOption(json)
    .addHelpText("after", examples("countersign eval scores run.json --to scores.json"))
    .action(async (report, options) => (await import("./eval-exchange.ts")).evalScores(report, options));
}
