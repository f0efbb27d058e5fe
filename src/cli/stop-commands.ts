import { Argument, type Command, Option } from "commander";
import { haltScopes, resolvedOutcomes } from "../contract/words.ts";
import { asking, examples } from "./options.ts";

/** Declares what people do when something went wrong: stop it, let it go on, and say what became of what was left to them. */
export function addStops(program: Command): void {
  const stopping = (command: Command, why: string) =>
    asking(command)
      .addArgument(new Argument("<scope>", "what is meant").choices(haltScopes))
      .addArgument(new Argument("[name]", "the effect or the capability; none for your tenant"))
      .addOption(new Option("--reason <reason>", why).makeOptionMandatory());
  stopping(program.command("halt").description("stop an effect, a capability or your tenant: nothing of it is sent"), "why")
    .addHelpText(
      "after",
      examples(
        'countersign halt effect issue_refund --reason "refunds are sent twice"',
        'countersign halt tenant --reason "the ledger of the shop is being restored" --json',
      ),
    )
    .action(async (scope, name, options) => (await import("./halt.ts")).halt({ scope, name }, options));
  stopping(program.command("resume").description("let go on what `halt` stopped"), "why it may go on")
    .addHelpText("after", examples('countersign resume effect issue_refund --reason "the shop has mended it"'))
    .action(async (scope, name, options) => (await import("./halt.ts")).resume({ scope, name }, options));
  asking(program.command("halts").description("list what is stopped, by whom, since when and why"))
    .addHelpText("after", examples("countersign halts", "countersign halts --json"))
    .action(async (options) => (await import("./halt.ts")).halts(options));
  asking(program.command("resolve <decision>").description("say what became of an effect that was left to people"))
    .addOption(new Option("--effect <number>", "which one, as `explain` lists them, from 1").makeOptionMandatory())
    .addOption(
      new Option("--outcome <outcome>", "it happened, it did not, or it is to be undone")
        .choices(resolvedOutcomes)
        .makeOptionMandatory(),
    )
    .addOption(new Option("--reason <reason>", "why it is ended so; whoever asked may read it").makeOptionMandatory())
    .addOption(new Option("--evidence <evidence>", "what you saw, and where").makeOptionMandatory())
    .addHelpText(
      "after",
      examples(
        'countersign resolve <decision> --effect 1 --outcome happened --reason "seen at the bank" --evidence "statement 14, line 3"',
        'countersign resolve <decision> --effect 2 --outcome not_happened --reason "no such order" --evidence "the shop, 14:02 UTC"',
      ),
    )
    .action(async (decision, options) => (await import("./resolve.ts")).resolve(decision, options));
}
