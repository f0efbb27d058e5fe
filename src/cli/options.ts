import { type Command, Option } from "commander";

/** Adds the options of a command that asks the desk. */
export function asking(command: Command): Command {
  return command.addOption(url).addOption(key).addOption(as).addOption(directory).addOption(json);
}

/** The lines of examples below a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}

/** Where an installation keeps everything. */
export const directory = new Option("--directory <folder>", "where this installation keeps its database, keys and logs").default(
  ".countersign",
);
/** Prints one JSON object instead of lines for people. */
export const json = new Option("--json", "print one JSON object");
const url = new Option("--url <url>", "the desk's address").env("COUNTERSIGN_URL");
const key = new Option("--key <key>", "your API key").env("COUNTERSIGN_KEY");
const as = new Option("--as <person>", "in demo mode: the person who asks, by id");
