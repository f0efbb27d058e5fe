import { type Command, Option } from "commander";
import { redundancyUnits } from "../know/redundancy/tokens.ts";
import { examples, json } from "./options.ts";

/** Declares how a set of texts is looked through for what is said more than once. */
export function addRedundancy(program: Command): void {
  const redundancy = program.command("redundancy").description("find what a set of texts says more than once, without a model");
  const over = (name: string, description: string, example: string) =>
    redundancy
      .command(`${name} <files...>`)
      .description(description)
      .addOption(new Option("--unit <unit>", "what runs are made of").choices(redundancyUnits).default("words"))
      .addOption(new Option("--run <length>", "how many of them make a run").default("5"))
      .addOption(json)
      .addHelpText("after", examples(example))
      .action(async (files, options) => (await import("./redundancy.ts")).redundancy(name, files, options));
  over(
    "analyze",
    "the share of each text that had stood before; over 70 % is flagged",
    "countersign redundancy analyze handbook/*.md",
  );
  over(
    "segments",
    "each run that had stood before, and where it stood first",
    "countersign redundancy segments a.md b.md --json",
  );
  over("savings", "bytes and tokens that saying it once would save", "countersign redundancy savings --unit characters *.txt");
}
