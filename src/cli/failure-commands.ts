import { type Command, Option } from "commander";
import { triageLabels } from "../evals/triage/labels.ts";
import { directory, examples, json, projectOption } from "./options.ts";

const project = projectOption("the folder with project.ts and the cases in evals");

/** Declares how a decision that went wrong becomes an eval case. */
export function addEvalAdd(evals: Command): void {
  evals
    .command("add <decision>")
    .description("make an eval case of a decision that went wrong, with personal data replaced; never writes over one")
    .addOption(new Option("--decision <label>", "what would have been right, where nobody edited it"))
    .addOption(new Option("--refuses", "it should have declined"))
    .addOption(
      new Option("--label <label>", "a safety case must pass every repeat").choices(["quality", "safety"]).default("quality"),
    )
    .addOption(project)
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign eval add <decision>", "countersign eval add <decision> --refuses --label safety"))
    .action(async (decision, options) => (await import("./eval-add.ts")).evalAdd(decision, options));
}

/** Declares triage: what failures are put down to, and what mends most of them. */
export function addTriage(program: Command): void {
  const triage = program.command("triage").description("label the last failures, and say which layer mends most of them");
  triage
    .command("list", { isDefault: true })
    .description(
      "list failures with their labels, or what the trace suggests; count them, and name the cheapest layer that mends most",
    )
    .addOption(new Option("--ask", "ask for each label that is missing; each answer is kept at once"))
    .addOption(new Option("--last <n>", "at most so many decisions, the newest").default("50"))
    .addOption(new Option("--tenant <tenant>", "those of one tenant; all by default"))
    .addOption(project)
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples("countersign triage list", "countersign triage --ask", "countersign triage list --last 200 --json"),
    )
    .action(async (options) => (await import("./triage.ts")).triage(options));
  triage
    .command("label <failure> <label>")
    .description(`set the label of one failure: ${triageLabels.join(", ")}`)
    .addOption(new Option("--note <note>", "why, in a few words; name nobody in it"))
    .addOption(project)
    .addOption(json)
    .addHelpText(
      "after",
      examples("countersign triage label <decision> missing", 'countersign triage label "case answer-vpn" form'),
    )
    .action(async (failure, label, options) => (await import("./triage.ts")).triageLabel({ failure, label }, options));
}
