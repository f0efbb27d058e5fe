/**
 * The command line: one file per command, loaded when it is asked for, so that a command reaches its own half only.
 * Prints results on stdout, errors on stderr as one clear sentence, and never a stack trace for a user's error.
 */
import { Command, CommanderError } from "commander";
import { errorCodes, isCountersignError, messageOf } from "../contract/errors.ts";
import { addCommands } from "./commands.ts";

/** Runs one command line and sets the exit code: 0 done, 1 failed or refused, 2 wrong usage or input. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command("countersign")
    .description("Decisions in which a model may propose and something else must countersign.")
    .version("0.1.0")
    .exitOverride()
    .showHelpAfterError("see `countersign --help`");
  addCommands(program);
  try {
    await program.parseAsync([...argv]);
  } catch (thrown) {
    process.exitCode = tell(thrown, argv.includes("--json"));
  }
}

function tell(thrown: unknown, asJson: boolean): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
  const known = isCountersignError(thrown);
  const code = known ? thrown.code : "internal";
  if (asJson) console.log(JSON.stringify({ error: { code, message: messageOf(thrown), facts: known ? thrown.facts : {} } }));
  else console.error(`${code}: ${messageOf(thrown)}${known ? `\nsee docs/errors.md, section ${code}` : ""}`);
  if (!known && process.env["COUNTERSIGN_DEBUG"] !== undefined) console.error(thrown);
  return errorCodes[code].exit;
}
