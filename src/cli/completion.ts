import type { Command } from "commander";
import { type CommandWords, commandWords } from "./command-words.ts";

/** A shell that a script can be made for. */
type Shell = "bash" | "zsh" | "fish";

/** Prints the script by which a shell completes commands, options and their choices. It is made of the commands that are there. */
export function completion(shell: Shell, program: Command): void {
  console.log(scripts[shell](commandWords(program)));
}

const scripts: Readonly<Record<Shell, (words: readonly CommandWords[]) => string>> = { bash, zsh, fish };

/** Words hold nothing that a shell reads: `commandWords` lets no others through. */
function bash(words: readonly CommandWords[]): string {
  return `# bash: source <(countersign completion bash)
${walk(words)}
_countersign() {
  local cur=\${COMP_WORDS[COMP_CWORD]} IFS=$' \\t\\n'
  _countersign_words "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  COMPREPLY=($(compgen -W "$_countersign_reply" -- "$cur"))
}
complete -o bashdefault -o default -F _countersign countersign`;
}

function zsh(words: readonly CommandWords[]): string {
  return `#compdef countersign
# zsh: source <(countersign completion zsh), behind compinit
${walk(words)}
_countersign() {
  _countersign_words "\${(@)words[2,CURRENT-1]}"
  if [[ -n $_countersign_reply ]]; then compadd -- \${=_countersign_reply}; else _files; fi
}
compdef _countersign countersign`;
}

/** The part that bash and zsh share: which command was typed so far, and what may follow it. */
function walk(words: readonly CommandWords[]): string {
  const paths = words.map(({ path }) => path).filter((path) => path !== "");
  return `_countersign_words() {
  local path="" last="" word
  for word in "$@"; do
    last=$word
    case "$path $word" in
      ${paths.map((path) => `"${path.includes(" ") ? path : ` ${path}`}"`).join("|")}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path $last" in
${words.flatMap(choicesOf).join("\n")}
  esac
  case "$path" in
${words.map(({ path, words: own, options }) => `    "${path}") _countersign_reply="${[...own, ...options.map(({ name }) => name)].join(" ")}" ;;`).join("\n")}
    *) _countersign_reply="" ;;
  esac
}`;
}

/** Behind an option that wants a value come its choices alone; where it has none, what the shell offers by itself. */
function choicesOf({ path, options }: CommandWords): readonly string[] {
  return options
    .filter(({ wantsValue }) => wantsValue)
    .map(({ name, choices }) => `    "${path} ${name}") _countersign_reply="${choices.join(" ")}"; return ;;`);
}

function fish(words: readonly CommandWords[]): string {
  const lines = words.flatMap(({ path, words: own, options }) => {
    const when = `-n '__countersign_at "${path}"'`;
    return [
      ...(own.length === 0 ? [] : [`complete -c countersign -f ${when} -a '${own.join(" ")}'`]),
      ...options.map(({ name, wantsValue, choices }) => {
        const value = !wantsValue ? "" : choices.length === 0 ? " -r" : ` -x -a '${choices.join(" ")}'`;
        return `complete -c countersign ${when} -l ${name.slice(2)}${value}`;
      }),
    ];
  });
  const paths = words.map(({ path }) => `'${path}'`).join(" ");
  return `# fish: countersign completion fish | source
function __countersign_at
  set -l at ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$at $word")
    contains -- $next ${paths}; and set at $next
  end
  test "$at" = "$argv[1]"
end
${lines.join("\n")}`;
}
