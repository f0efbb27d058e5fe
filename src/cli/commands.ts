import { Argument, type Command, Option } from "commander";
import { addAutonomy } from "./autonomy-commands.ts";
import { addBackups } from "./backup-commands.ts";
import { addBudgets } from "./budget-commands.ts";
import { addCases } from "./case-commands.ts";
import { addCommandRules } from "./command-rules.ts";
import { addErasure } from "./erasure-commands.ts";
import { addEvals } from "./eval-commands.ts";
import { addTriage } from "./failure-commands.ts";
import { addIndex } from "./index-commands.ts";
import { addLedger } from "./ledger-commands.ts";
import { addMcp } from "./mcp-commands.ts";
import { addModels } from "./model-commands.ts";
import { asking, directory, examples, json, projectOption } from "./options.ts";
import { addPeople } from "./people-commands.ts";
import { addPolicies } from "./policy-commands.ts";
import { addPrivacy } from "./privacy-commands.ts";
import { addBeginnings } from "./project-commands.ts";
import { addRedundancy } from "./redundancy-commands.ts";
import { addStops } from "./stop-commands.ts";

/** Declares every command; its file is loaded when it runs. */
export function addCommands(program: Command): void {
  addBeginnings(program);
  addProcesses(program);
  addDatabase(program);
  addRequests(program);
  addStops(program);
  addCases(program);
  addPeople(program);
  addSecrets(program);
  addBudgets(program);
  addAutonomy(program);
  addErasure(program);
  addTriage(program);
  addRedundancy(program);
  addPolicies(program);
  addPrivacy(program);
  addMcp(program);
  addModels(program);
  addIndex(program);
  addEvals(program);
  addLedger(program);
  addBackups(program);
  addLooks(program);
  addCommandRules(program);
}

const project = projectOption("the folder with project.ts, decide.ts and hands.ts");

function addProcesses(program: Command): void {
  program
    .command("start")
    .description("start the database, the decider, the desk and the worker on this machine (development strength)")
    .addOption(new Option("--port <port>", "the desk's port; 0 for any that is free").env("PORT").default("4600"))
    .addOption(directory)
    .addOption(project)
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        "countersign start",
        "PORT=8080 countersign start",
        "countersign start --project my-project --directory .my-data --json",
      ),
    )
    .action(async (options) => (await import("./start.ts")).start(options));
  program
    .command("stop")
    .description("stop everything that `start` started, the embedded database too")
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign stop", "countersign stop --json"))
    .action(async (options) => (await import("./stop.ts")).stop(options));
  program
    .command("serve")
    .description("run the decider alone; settings come from the environment")
    .addHelpText(
      "after",
      examples(
        "COUNTERSIGN_PROJECT=my-project COUNTERSIGN_DECIDER_PORT=4601 countersign serve",
        "COUNTERSIGN_CANARIES=heron-41,otter-7 countersign serve",
      ),
    )
    .action(async () => (await import("./serve.ts")).serve());
  program
    .command("desk")
    .description("run the desk alone; settings come from the environment")
    .addHelpText("after", examples("COUNTERSIGN_PROJECT=my-project PORT=4600 countersign desk"))
    .action(async () => (await import("./desk.ts")).desk());
  program
    .command("work")
    .description("run the acting half alone; settings come from the environment")
    .addHelpText("after", examples("COUNTERSIGN_PROJECT=my-project countersign work"))
    .action(async () => (await import("./work.ts")).work());
  program
    .command("ingest")
    .description("run the reader of documents alone; settings come from the environment")
    .addHelpText("after", examples("COUNTERSIGN_PROJECT=my-project countersign ingest"))
    .action(async () => (await import("./ingest.ts")).ingest());
  // What `check` and `start` run, once for each half, so that no process loads both.
  program
    .command("secret-names", { hidden: true })
    .addArgument(new Argument("<side>").choices(["deciding", "acting"]))
    .addOption(project)
    .addOption(json)
    .action(async (side, options) => (await import("./secret-names.ts")).secretNames(side, options));
  program
    .command("hand-names", { hidden: true })
    .addOption(project)
    .addOption(json)
    .action(async (options) => (await import("./hand-names.ts")).handNames(options));
}

function addDatabase(program: Command): void {
  program
    .command("database")
    .description("look after the database of an installation")
    .command("migrate")
    .description("bring the database at DATABASE_URL to the newest migration")
    .addOption(json)
    .addHelpText("after", examples("DATABASE_URL=postgresql://owner@db.example/countersign countersign database migrate"))
    .action(async (options) => (await import("./database-migrate.ts")).migrateDatabase(options));
}

function addRequests(program: Command): void {
  asking(program.command("ask <text>").description('ask in your own words, such as `countersign ask "my mouse is broken"`'))
    .addOption(new Option("--wait <seconds>", "wait for the verdict, in whole seconds").default("10"))
    .addHelpText(
      "after",
      examples(
        'countersign ask "My mouse is broken, please replace it"',
        'countersign ask --as emp-104 --json "How old may a laptop be?"',
      ),
    )
    .action(async (text, options) => (await import("./ask.ts")).ask(text, options));
  asking(program.command("decide <capability> <inputs>").description("decide by a named capability; inputs as JSON"))
    .addOption(new Option("--wait <seconds>", "wait for the verdict, in whole seconds").default("10"))
    .addHelpText("after", examples(`countersign decide answer_question '{"text":"How old may a laptop be?"}'`))
    .action(async (capability, inputs, options) => (await import("./decide.ts")).decide({ capability, inputs }, options));
  asking(program.command("review [decision]").description("list what waits for you; with an id show it, or answer it"))
    .addOption(new Option("--approve", "sign it"))
    .addOption(new Option("--reject <reason>", "reject it with a reason").conflicts("approve"))
    .addOption(
      new Option("--edit <decision>", "decide it yourself, as JSON; what comes of it stands in its place").conflicts([
        "approve",
        "reject",
      ]),
    )
    .addOption(
      new Option("--withdraw", "take your signature back, until it is being applied").conflicts(["approve", "reject", "edit"]),
    )
    .addOption(
      new Option("--take", "have it to yourself for a while, or a while more").conflicts([
        "approve",
        "reject",
        "edit",
        "withdraw",
      ]),
    )
    .addOption(new Option("--release", "let others answer it").conflicts(["approve", "reject", "edit", "withdraw", "take"]))
    .addHelpText(
      "after",
      examples(
        "countersign review",
        "countersign review <decision> --approve",
        'countersign review <decision> --reject "the device is under warranty"',
        `countersign review <decision> --edit '{"keep":true}'`,
        "countersign review <decision> --withdraw",
        "countersign review <decision> --take",
        "countersign review <decision> --release",
      ),
    )
    .action(async (decision, options) => (await import("./review.ts")).review(decision, options));
  asking(program.command("explain <decision>").description("tell the story of one decision from its entries"))
    .addHelpText("after", examples("countersign explain <decision>", "countersign explain <decision> --json"))
    .action(async (decision, options) => (await import("./explain.ts")).explain(decision, options));
}

function addSecrets(program: Command): void {
  const secret = program.command("secret").description("keep secrets in this installation's encrypted file");
  const keeping = (command: Command) =>
    command
      .addOption(directory)
      .addOption(new Option("--file <file>", "the vault file; by default the installation's own"))
      .addOption(new Option("--key-file <file>", "the key file of the process; by default the installation's own"))
      .addOption(json);
  const processes = ["deciding", "desk", "acting"];
  keeping(secret.command("set <name>").description("keep a secret; its value comes from stdin, or is asked for and not shown"))
    .addOption(
      new Option("--side <side>", "what the project uses it for, or the process whose own key it is")
        .choices(["reads", "models", "writes", "observes", ...processes])
        .makeOptionMandatory(),
    )
    .addHelpText(
      "after",
      examples(
        "countersign secret set OPENAI_API_KEY --side models",
        "countersign secret set SHOP_WRITE_URL --side writes < url.txt",
      ),
    )
    // What else stands there may be the value: the parser would quote it in its refusal.
    .allowExcessArguments()
    .allowUnknownOption()
    .action(async (name, options, { args }) => (await import("./secret-set.ts")).secretSet(name, options, args.slice(1)));
  secret
    .command("list")
    .description("list the names of the secrets that are kept, and what each is for; needs no key")
    .addOption(directory)
    .addOption(new Option("--file <file>", "the vault file; by default the installation's own"))
    .addOption(json)
    .addHelpText("after", examples("countersign secret list", "countersign secret list --json"))
    .action(async (options) => (await import("./secret-list.ts")).secretList(options));
  keeping(secret.command("remove <name>").description("forget a secret"))
    .addOption(new Option("--process <process>", "whose, where several processes have one of that name").choices(processes))
    .addHelpText("after", examples("countersign secret remove OPENAI_API_KEY"))
    .action(async (name, options) => (await import("./secret-remove.ts")).secretRemove(name, options));
  keeping(secret.command("rotate").description("seal the secrets of one process under a new key"))
    .addOption(new Option("--process <process>", "whose").choices(processes).makeOptionMandatory())
    .addHelpText("after", examples("countersign secret rotate --process acting"))
    .action(async (options) => (await import("./secret-rotate.ts")).secretRotate(options));
}

function addLooks(program: Command): void {
  program
    .command("replay <decision>")
    .description(
      "walk a kept decision again over its recorded context and replies: same proposal, or the first node that differs; or say what would change",
    )
    .addOption(
      new Option("--model <model>", "ask another model, as provider/id; it costs what it costs, and nothing else is kept"),
    )
    .addOption(new Option("--prompt <folder>", "ask with the capability's prompt of another project folder"))
    .addOption(new Option("--corpus <when>", "search and read as of now instead of the recorded context").choices(["now"]))
    .addOption(new Option("--policy <path>", "under another folder of policies, or one .cedar file"))
    .addOption(project)
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        "countersign replay <decision>",
        "countersign replay <decision> --project my-project --json",
        "countersign replay <decision> --model openai/gpt-4.1-2025-04-14",
        "countersign replay <decision> --prompt my-project-next --corpus now",
        "countersign replay <decision> --policy stricter/signing.cedar",
      ),
    )
    .action(async (decision, options) => (await import("./replay.ts")).replay(decision, options));
  program
    .command("check")
    .description("check a project: its definitions, its eval cases, that its halves stay apart and that its effects have hands")
    .addOption(project)
    .addOption(new Option("--strict", "fail for a hint as for an error"))
    .addOption(json)
    .addHelpText(
      "after",
      examples("countersign check", "countersign check --project my-project --strict", "countersign check --json"),
    )
    .action(async (options) => (await import("./check.ts")).check(options));
  program
    .command("effect")
    .description("put an effect of a project to the test")
    .command("test <name>")
    .description(
      "run the release matrix over an effect, against the project's sandbox; what fails a cell is never let through alone",
    )
    .addOption(project)
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples("countersign effect test create_ticket", "countersign effect test refund --project my-project --json"),
    )
    .action(async (name, options) => (await import("./effect-test.ts")).effectTest(name, options));
  program
    .command("doctor")
    .description("say what is wrong with this installation and how to mend it")
    .addOption(directory)
    .addOption(project)
    .addOption(json)
    .addHelpText("after", examples("countersign doctor", "countersign doctor --json"))
    .action(async (options) => (await import("./doctor.ts")).doctor(options));
}
