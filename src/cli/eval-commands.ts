import type { Command } from "commander";
import { addEvalExchange } from "./eval-exchange-commands.ts";
import { addEvalAdd } from "./failure-commands.ts";
import { directory, examples, json, projectOption } from "./options.ts";

const project = projectOption("the folder with project.ts, sandbox.ts and the cases in evals");

/** Adds the commands that play eval cases and tell of runs. */
export function addEvals(program: Command): void {
  const evals = program.command("eval").description("play a project's eval cases and hold them against its gate");
  evals
    .command("run", { isDefault: true })
    .description("play the eval cases in a scratch installation; exit code 1 where the gate is not passed")
    .addOption(project)
    .addOption(directory)
    .option("--capability <names...>", "only the cases of these capabilities, or of intake")
    .option("--case <ids...>", "only the cases of these ids")
    .option("--repeats <n>", "how often each is played; by default as the gate says")
    .option("--parallel <n>", "how many are played at once", "4")
    .option("--judge-cost <micros>", "the most that its judges may cost together, in millionths; by default they are not capped")
    .option("--gate <file>", "what is demanded; by default evals/gate.yaml of the project")
    .option("--baseline <file>", "compare with the run that was pinned there")
    .option("--pin <file>", "keep this run there, to be compared with later ones; only where the gate is passed")
    .option("--report <files...>", "write reports, by their endings: .html, .xml for JUnit, .json, .txt")
    .option("--resume", "go on with the run that was killed")
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        "countersign eval run --project my-project",
        "countersign eval",
        "countersign eval --repeats 5 --report eval.html eval.xml",
        "countersign eval --case answer-laptop-age --json",
        "countersign eval --pin evals-baseline.json",
        "countersign eval --baseline evals-baseline.json",
        "countersign eval --resume",
      ),
    )
    .action(async (options) => (await import("./eval-run.ts")).evalRun(options));
  evals
    .command("history")
    .description("list the runs that this installation keeps, newest first")
    .addOption(project)
    .addOption(directory)
    .option("--limit <n>", "at most so many", "20")
    .addOption(json)
    .addHelpText("after", examples("countersign eval history", "countersign eval history --project my-project --json"))
    .action(async (options) => (await import("./eval-history.ts")).evalHistory(options));
  addEvalAdd(evals);
  addEvalExchange(evals);
}
