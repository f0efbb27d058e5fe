/**
 * The command line: one file per command, loaded when it is asked for, so that a command reaches its own half only.
 * Prints results on stdout, errors on stderr as one clear sentence, and never a stack trace for a user's error.
 */
import { Command, CommanderError } from "commander";
import { type ErrorCode, type ErrorFacts, errorCodes, isCountersignError, messageOf } from "../contract/errors.ts";
import { ownVersion } from "../server/own-version.ts";
import { addCommands } from "./commands.ts";

/** Runs one command line and sets the exit code: 0 done, 1 failed or refused, 2 wrong usage or input. */
export async function main(argv: readonly string[]): Promise<void> {
  // A reader that went away, such as `head`, is no fault.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosed);
  const program = new Command("countersign")
    .description("Decisions in which a model may propose and something else must countersign.")
    .version(ownVersion)
    .exitOverride()
    // The parser's own errors are told below, in the form of all others.
    .configureOutput({ outputError: () => {} });
  addCommands(program);
  try {
    await program.parseAsync([...argv]);
  } catch (thrown) {
    process.exitCode = tell(thrown, argv.slice(2).includes("--json"));
  }
}

function tell(thrown: unknown, asJson: boolean): number {
  if (thrown instanceof CommanderError && (thrown.exitCode === 0 || thrown.code === "commander.help"))
    return thrown.exitCode === 0 ? 0 : 2;
  const { code, message, facts } = told(thrown);
  if (asJson) console.log(JSON.stringify({ error: { code, message, facts, next: nextOf(code, thrown) } }));
  else console.error(`${code}: ${message}\n${nextOf(code, thrown)}`);
  if (code === "internal" && process.env["COUNTERSIGN_DEBUG"] !== undefined) console.error(thrown);
  return errorCodes[code].exit;
}

function told(thrown: unknown): { code: ErrorCode; message: string; facts: ErrorFacts } {
  if (isCountersignError(thrown)) return { code: thrown.code, message: thrown.message, facts: thrown.facts };
  if (thrown instanceof CommanderError)
    return { code: "bad_request", message: thrown.message.replace(/^error: /, "").replaceAll("\n", " "), facts: {} };
  return { code: "internal", message: messageOf(thrown), facts: {} };
}

function nextOf(code: ErrorCode, thrown: unknown): string {
  if (thrown instanceof CommanderError) return "see `countersign --help`, or `countersign <command> --help`";
  return `see docs/errors.md, section ${code}${code === "internal" ? "; COUNTERSIGN_DEBUG=1 shows where it happened" : ""}`;
}

function ignoreClosed(thrown: NodeJS.ErrnoException): void {
  if (thrown.code !== "EPIPE") throw thrown;
}
