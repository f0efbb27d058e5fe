import { type Command, Option } from "commander";
import { asking, examples } from "./options.ts";

/** Declares what people do with cases: start one, tell it what happened, look how far it is. */
export function addCases(program: Command): void {
  const cases = program.command("case").description("start cases, tell them what happened, and look how far they are");
  asking(cases.command("start <case> <input>").description("start a case; its input as JSON"))
    .addOption(new Option("--id <id>", "your own id for it: the same start under the same id is one case"))
    .addHelpText("after", examples(`countersign case start replacement '{"text":"LT-1045 is worn out"}' --id request-17`))
    .action(async (name, input, options) => (await import("./case.ts")).caseStart({ name, input }, options));
  asking(cases.command("list").description("list the cases that you may see, newest first"))
    .addOption(new Option("--case <case>", "those of one name"))
    .addHelpText("after", examples("countersign case list", "countersign case list --case replacement --json"))
    .action(async (options) => (await import("./case.ts")).caseList(options));
  asking(cases.command("show <id>").description("tell how a case came where it is, and what it waits for"))
    .addHelpText("after", examples("countersign case show <id>", "countersign case show <id> --json"))
    .action(async (id, options) => (await import("./case.ts")).caseShow(id, options));
  asking(cases.command("event <id> <event> [body]").description("tell a case what happened; the event's body as JSON"))
    .addOption(new Option("--once <key>", "your own key for what you tell: told twice under one key, it is told once"))
    .addHelpText("after", examples(`countersign case event <id> delivered '{"shelf":"B4"}'`, "countersign case event <id> retry"))
    .action(async (id, event, body, options) => (await import("./case.ts")).caseEvent({ id, event, body }, options));
}
