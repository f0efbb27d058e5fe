import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Command, Option } from "commander";

/** Adds the options of a command that asks the desk. */
export function asking(command: Command): Command {
  return command.addOption(url).addOption(key).addOption(as).addOption(directory).addOption(json);
}

/** The lines of examples below a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}

/** Which project a command is about; `holds` says what of its folder the command reads. */
export function projectOption(holds: string): Option {
  return new Option("--project <folder>", holds).env("COUNTERSIGN_PROJECT").default(usualProject());
}

/** The project that stands here, in a checkout the first example, elsewhere the example that the package brings. */
function usualProject(): string {
  if (existsSync("project.ts")) return ".";
  if (existsSync("examples/it-support/project.ts")) return "examples/it-support";
  return fileURLToPath(new URL("../examples/it-support", import.meta.url));
}

/** Where an installation keeps everything. */
export const directory = new Option("--directory <folder>", "where this installation keeps its database, keys and logs").default(
  ".countersign",
);
/** Prints one JSON object instead of lines for people. */
export const json = new Option("--json", "print one JSON object");
/** Where the desk is, for a command that asks it. */
export const url = new Option("--url <url>", "the desk's address").env("COUNTERSIGN_URL");
/** Whose command it is. */
export const key = new Option("--key <key>", "your API key").env("COUNTERSIGN_KEY");
/** Whose command it is in demo mode. */
export const as = new Option("--as <person>", "in demo mode: the person who asks, by id");
