import type { Command } from "commander";
import { CountersignError } from "../contract/errors.ts";

/** One command by its whole name, and the words that may follow it. */
export interface CommandWords {
  /** Empty for the program itself. */
  readonly path: string;
  /** Subcommands, and the choices of its first argument. */
  readonly words: readonly string[];
  readonly options: readonly { readonly name: string; readonly wantsValue: boolean; readonly choices: readonly string[] }[];
}

/** Every command that help shows, from the tree of commands itself. Throws `definition_invalid` for a name that a shell would not take as it stands. */
export function commandWords(program: Command, path = ""): readonly CommandWords[] {
  const help = program.createHelp();
  const below = help.visibleCommands(program).filter((one) => one.name() !== "help");
  const words = [...below.map((one) => one.name()), ...(program.registeredArguments[0]?.argChoices ?? [])];
  const options = help.visibleOptions(program).flatMap(({ long, required, optional, argChoices = [] }) => {
    return long === undefined || long === null ? [] : [{ name: long, wantsValue: required || optional, choices: argChoices }];
  });
  const own = { path, words, options };
  refuseOddWords(own);
  return [own, ...below.flatMap((one) => commandWords(one, `${path} ${one.name()}`.trim()))];
}

function refuseOddWords({ path, words, options }: CommandWords): void {
  const all = [...words, ...options.flatMap(({ name, choices }) => [name, ...choices])];
  const odd = all.find((word) => !/^[\w./:-]+$/.test(word));
  if (odd !== undefined)
    throw new CountersignError("definition_invalid", `\`${odd}\` of \`${path}\` cannot be completed by a shell`);
}
