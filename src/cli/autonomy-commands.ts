import { type Command, Option } from "commander";
import { asking, examples } from "./options.ts";

/** Declares what is said, proposed and signed of what goes through without a person. */
export function addAutonomy(program: Command): void {
  const autonomy = program
    .command("autonomy")
    .description("what may go through without a person, slice by slice, and what it has earned");
  asking(autonomy.command("status").description("where every slice stands, what its evidence says, and what was taken back"))
    .addHelpText("after", examples("countersign autonomy status", "countersign autonomy status --json"))
    .action(async (options) => (await import("./autonomy.ts")).autonomyStatus(options));
  asking(autonomy.command("propose").description("the thresholds that the evidence bears out; nothing is signed"))
    .addHelpText("after", examples("countersign autonomy propose", "countersign autonomy propose --json"))
    .action(async (options) => (await import("./autonomy.ts")).autonomyPropose(options));
  asking(
    autonomy
      .command("sign <capability> <slice> <proposal>")
      .description("sign a threshold as it was proposed, with its evidence"),
  )
    .addHelpText("after", examples("countersign autonomy sign refund_order small <proposal>"))
    .action(async (capability, slice, proposal, options) =>
      (await import("./autonomy.ts")).autonomySign({ capability, slice, proposal }, options),
    );
  asking(autonomy.command("close <capability> <slice>").description("sign that everything of a slice goes to a person again"))
    .addHelpText("after", examples("countersign autonomy close refund_order small"))
    .action(async (capability, slice, options) => (await import("./autonomy.ts")).autonomyClose({ capability, slice }, options));
  asking(
    autonomy.command("simulate <capability> <slice>").description("what a threshold would have let through over its own history"),
  )
    .addOption(new Option("--at <threshold>", "the threshold, from 0 to 1").makeOptionMandatory())
    .addHelpText("after", examples("countersign autonomy simulate refund_order small --at 0.93"))
    .action(async (capability, slice, options) =>
      (await import("./autonomy.ts")).autonomySimulate({ capability, slice }, options),
    );
  asking(
    autonomy
      .command("fit <capability>")
      .description("fit a calibration from what people decided, into a file for its definition"),
  )
    .addOption(new Option("--out <file>", "where to keep it").makeOptionMandatory())
    .addHelpText("after", examples("countersign autonomy fit refund_order --out examples/refunds/refund-order.calibration.json"))
    .action(async (capability, options) => (await import("./autonomy.ts")).autonomyFit(capability, options));
}
