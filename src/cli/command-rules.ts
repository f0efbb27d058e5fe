import type { Command } from "commander";
import { CountersignError } from "../contract/errors.ts";
import type { KeyScope } from "../contract/identity.ts";

/** Who may give a command, by what it asks for. */
type CommandRule =
  /** It reads the project's own files and nothing of an installation. */
  | { readonly by: "project" }
  /** The operator: it needs the installation's own files, or the database logins that they hold. */
  | { readonly by: "operator" }
  /** It asks the desk with an API key that is for this, and the desk and policy say what that key's account may do. */
  | { readonly by: "key"; readonly scopes: readonly KeyScope[] };

const project: CommandRule = { by: "project" };
const operator: CommandRule = { by: "operator" };
const withKey = (...scopes: readonly KeyScope[]): CommandRule => ({ by: "key", scopes });

/** The table of commands: what each asks for. A command that is not in it does not start. */
const commandRules: Readonly<Record<string, CommandRule>> = {
  init: project,
  // It reads which settings and secrets are there, never what they are.
  config: operator,
  completion: project,
  start: operator,
  stop: operator,
  serve: operator,
  desk: operator,
  work: operator,
  ingest: operator,
  "database migrate": operator,
  "secret-names": project,
  "hand-names": project,
  ask: withKey("ask", "read"),
  decide: withKey("ask", "read"),
  review: withKey("read", "review", "sign"),
  explain: withKey("read"),
  halt: withKey("admin"),
  resume: withKey("admin"),
  halts: withKey("read"),
  resolve: withKey("sign"),
  "mcp serve": withKey("ask", "read"),
  "autonomy status": withKey("read"),
  "autonomy propose": withKey("read"),
  "autonomy sign": withKey("admin"),
  "autonomy close": withKey("admin"),
  "autonomy simulate": withKey("read"),
  "autonomy fit": withKey("read"),
  "case start": withKey("ask"),
  "case list": withKey("read"),
  "case show": withKey("read"),
  "case event": withKey("ask"),
  "tenant add": operator,
  "tenant list": operator,
  "tenant suspend": operator,
  "tenant resume": operator,
  "tenant close": operator,
  "person add": operator,
  "person list": operator,
  "person roles": operator,
  "person deactivate": operator,
  "person activate": operator,
  "agent add": operator,
  "key add": operator,
  "key list": operator,
  "key revoke": operator,
  "secret set": operator,
  "secret list": operator,
  "secret remove": operator,
  "secret rotate": operator,
  "budget set": operator,
  "budget list": operator,
  "budget remove": operator,
  "eval add": operator,
  "triage list": operator,
  "triage label": project,
  erase: operator,
  erasures: operator,
  "retention set": operator,
  "retention unset": operator,
  "retention show": operator,
  "retention hold": operator,
  "retention release": operator,
  "spend report": operator,
  "spend suggest": operator,
  "spend reconcile": operator,
  "redundancy analyze": project,
  "redundancy segments": project,
  "redundancy savings": project,
  // Over an export and with a key it needs nothing of an installation.
  "ledger verify": operator,
  "ledger checkpoint": operator,
  "ledger prove": operator,
  "ledger consistency": operator,
  "ledger export": operator,
  backup: operator,
  restore: operator,
  replay: operator,
  check: project,
  "effect test": operator,
  doctor: operator,
  // It needs the keys of models, and plays in a scratch installation of its own.
  "eval run": operator,
  "eval history": operator,
  // Over files alone, such as the JSON report of a run.
  "eval report": project,
  "eval labels": project,
  "eval agreement": project,
  "eval import": project,
  "eval export": project,
  "eval scores": project,
  "index add": operator,
  "index status": operator,
  "index remove": operator,
  "index rebuild": operator,
  // With --ask and in an installation it needs keys and logins; else the project's files alone.
  "models list": operator,
  "models check": operator,
  "migrate plan": operator,
  "migrate run": operator,
  "migrate shadow": operator,
  "migrate canary": operator,
  "migrate report": operator,
  "migrate roll-back": operator,
  "migrate retire": operator,
  "mcp diff": operator,
  "mcp accept": operator,
  "policy test": project,
  "privacy scan": project,
  "privacy report": operator,
  "privacy allow-off": operator,
  "policy explain": project,
};

/** Says in each command's help who may give it. Throws `definition_invalid` for a command that has no row in the table. */
export function addCommandRules(program: Command): void {
  for (const { name, command } of commandsOf(program)) {
    const rule = commandRules[name];
    if (rule === undefined)
      throw new CountersignError("definition_invalid", `the command \`${name}\` has no row in command-rules.ts`);
    command.addHelpText("after", `\n${wordsOf(rule)}`);
  }
}

/** Every command that does something, by its whole name. */
function commandsOf(program: Command, above = ""): readonly { readonly name: string; readonly command: Command }[] {
  return program.commands.flatMap((command) => {
    const name = `${above}${command.name()}`;
    return command.commands.length > 0 ? commandsOf(command, `${name} `) : [{ name, command }];
  });
}

function wordsOf(rule: CommandRule): string {
  if (rule.by === "project") return "Who may: everybody; it reads the project's files and nothing of an installation.";
  if (rule.by === "operator")
    return "Who may: whoever runs the installation; it needs the installation's own files or database logins.";
  return `Who may: whoever has an API key for ${rule.scopes.map((scope) => `\`${scope}\``).join(", ")}; policy says what its account may.`;
}
