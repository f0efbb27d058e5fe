import { Argument, type Command, Option } from "commander";
import { directory, examples, json, projectOption } from "./options.ts";

/** Adds the commands with which one begins: a project, its settings, a shell that completes. */
export function addBeginnings(program: Command): void {
  program
    .command("init <folder>")
    .description(
      "make a project that runs at once in a new or an empty folder: a capability, an effect, hands, a sandbox, evals, a test",
    )
    .addOption(new Option("--name <name>", "the project's name; by default the folder's"))
    .addOption(json)
    .addHelpText("after", examples("countersign init my-project", "countersign init . --name my-project --json"))
    .action(async (folder, options) => (await import("./init.ts")).init(folder, options));
  program
    .command("config")
    .description("print every setting that is in force here and where it comes from; of secrets, whether they are set")
    .addOption(new Option("--port <port>", "the desk's port, as `start` takes it").env("PORT").default("4600"))
    .addOption(directory)
    .addOption(projectOption("the folder with project.ts"))
    .addOption(json)
    .addHelpText("after", examples("countersign config", "PORT=8080 countersign config --project my-project --json"))
    .action(async (options, command) => (await import("./config.ts")).config(options, command));
  program
    .command("completion")
    .description("print the script by which a shell completes commands and options")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", examples("countersign completion bash >> ~/.bashrc", "countersign completion fish | source"))
    .action(async (shell) => (await import("./completion.ts")).completion(shell, program));
}
