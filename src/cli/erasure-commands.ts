import { type Command, Option } from "commander";
import { directory, examples, json } from "./options.ts";

/** Declares how bodies are erased and how long they are kept: the operator's, since it needs the owner's login. */
export function addErasure(program: Command): void {
  program
    .command("erase [decision]")
    .description("erase the bodies of a decision, or everything that is kept of a person; the ledger stays and verifies")
    .addOption(new Option("--person <person>", "everything that they asked for, was asked for them, or is remembered of them"))
    .addOption(new Option("--tenant <tenant>", "the tenant, by id"))
    .addOption(new Option("--reason <reason>", "why; it stands on record, so name nobody in it").makeOptionMandatory())
    .addOption(new Option("--yes", "you mean it: it cannot be undone"))
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        'countersign erase <decision> --reason "letter 12" --yes',
        'countersign erase --person emp-104 --tenant acme --reason "letter 12" --yes',
      ),
    )
    .action(async (decision, options) => (await import("./erase.ts")).erase(decision, options));
  program
    .command("erasures")
    .description("list what is to be erased and waits, and what for")
    .option("--tenant <tenant>", "those of one tenant; all by default")
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign erasures", "countersign erasures --tenant acme --json"))
    .action(async (options) => (await import("./erase.ts")).erasures(options));
  addRetention(program.command("retention").description("say how long bodies are kept, and hold back what must not be erased"));
}

function addRetention(retention: Command): void {
  const of = (command: Command): Command =>
    command
      .addOption(new Option("--tenant <tenant>", "the tenant, by id").makeOptionMandatory())
      .addOption(directory)
      .addOption(json);
  of(retention.command("set").description("set how many days a tenant keeps inputs, and everything else that is encrypted"))
    .addOption(new Option("--capability <capability>", "of one capability; of all that have no rule by default").default("*"))
    .addOption(new Option("--inputs-days <days>", "inputs, where a capability keeps them"))
    .addOption(new Option("--payload-days <days>", "everything that is encrypted beside an entry"))
    .addHelpText("after", examples("countersign retention set --tenant acme --inputs-days 14 --payload-days 3650"))
    .action(async (options) => (await import("./retention.ts")).retentionSet(options));
  of(retention.command("unset").description("take back what a tenant set for a capability, or for all"))
    .addOption(new Option("--capability <capability>", "of one capability; the rule for all by default").default("*"))
    .addOption(new Option("--inputs", "what it says of inputs; both where neither is named"))
    .addOption(new Option("--payload", "what it says of everything else that is encrypted"))
    .addHelpText("after", examples("countersign retention unset --tenant acme --capability claims --inputs"))
    .action(async (options) => (await import("./retention.ts")).retentionUnset(options));
  retention
    .command("show")
    .description("list what tenants have set, and what is held")
    .option("--tenant <tenant>", "one tenant; all by default")
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign retention show", "countersign retention show --tenant acme --json"))
    .action(async (options) => (await import("./retention.ts")).retentionShow(options));
  const held = (command: Command): Command =>
    of(command)
      .addOption(new Option("--person <person>", "what they asked for or was asked for them"))
      .addOption(new Option("--decision <decision>", "one decision"));
  held(retention.command("hold").description("have nothing erased of a tenant, a person or a decision until it is released"))
    .addOption(new Option("--reason <reason>", "why").makeOptionMandatory())
    .addHelpText("after", examples('countersign retention hold --tenant acme --person emp-104 --reason "dispute 7"'))
    .action(async (options) => (await import("./retention.ts")).retentionHold(options));
  held(retention.command("release").description("let what was held be erased again"))
    .addHelpText("after", examples("countersign retention release --tenant acme --person emp-104"))
    .action(async (options) => (await import("./retention.ts")).retentionRelease(options));
}
