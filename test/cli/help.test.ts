import { Command } from "commander";
import { expect, test } from "vitest";
import { addCommandRules } from "../../src/cli/command-rules.ts";
import { addCommands } from "../../src/cli/commands.ts";
import { run } from "../start/installation.ts";
import { runJson } from "./command.ts";

// What the command line says of itself, and of what it does not understand. Nothing here needs an installation.
const commands = [
  "init",
  "config",
  "completion",
  "start",
  "stop",
  "serve",
  "desk",
  "work",
  "ingest",
  "database migrate",
  "models list",
  "models check",
  "migrate plan",
  "migrate run",
  "migrate shadow",
  "migrate canary",
  "migrate report",
  "migrate roll-back",
  "migrate retire",
  "ask",
  "decide",
  "review",
  "explain",
  "halt",
  "resume",
  "halts",
  "resolve",
  "case start",
  "case list",
  "case show",
  "case event",
  "tenant add",
  "tenant list",
  "tenant suspend",
  "tenant resume",
  "tenant close",
  "person add",
  "person list",
  "person roles",
  "person deactivate",
  "person activate",
  "agent add",
  "key add",
  "key list",
  "key revoke",
  "secret set",
  "secret list",
  "secret remove",
  "secret rotate",
  "redundancy analyze",
  "redundancy segments",
  "redundancy savings",
  "budget set",
  "budget list",
  "budget remove",
  "spend report",
  "spend suggest",
  "spend reconcile",
  "index add",
  "index status",
  "index remove",
  "mcp diff",
  "mcp accept",
  "policy test",
  "policy explain",
  "ledger verify",
  "ledger checkpoint",
  "ledger prove",
  "ledger consistency",
  "ledger export",
  "check",
  "effect test",
  "doctor",
  "eval run",
  "eval history",
  "eval report",
  "eval labels",
  "eval agreement",
  "eval import",
  "eval export",
  "eval scores",
];
const slow = { timeout: 60_000 };

test("lists every command, and none that is for itself", slow, async () => {
  const { code, stdout, stderr } = await run(["--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command.split(" ")[0]}\\b`, "m"));
  expect(stdout).not.toContain("secret-names");
});

test("has a rule for every command that says who may give it, and starts no command without one", () => {
  const program = new Command();
  addCommands(program);
  const leaves = (command: Command): readonly Command[] =>
    command.commands.flatMap((one) => (one.commands.length > 0 ? leaves(one) : one));
  const told = leaves(program).map((command) => {
    let text = "";
    command.configureOutput({ writeOut: (words) => (text += words) }).outputHelp();
    return /^Who may: \S/m.test(text);
  });
  expect(told.length).toBeGreaterThan(commands.length);
  expect(told).not.toContain(false);
  const other = new Command();
  other.command("ledger").command("rewrite");
  expect(() => addCommandRules(other)).toThrow(/`ledger rewrite` has no row/);
});

test.each(commands)("explains `%s` with an example that begins with it", slow, async (command) => {
  const { code, stdout, stderr } = await run([...command.split(" "), "--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`\\nExamples:\\n  \\$ (?:[A-Z_]+=\\S+ )*countersign ${command}\\b`));
  expect(stdout.includes("\u001b[")).toBe(false);
});

test.each([
  ["a command that does not exist", ["strat"], /^bad_request: unknown command 'strat' \(Did you mean start\?\)$/m],
  [
    "an option that does not exist",
    ["start", "--prot", "1"],
    /^bad_request: unknown option '--prot' \(Did you mean --port\?\)$/m,
  ],
  ["an option without its value", ["start", "--port"], /^bad_request: option '--port <port>' argument missing$/m],
  ["a missing argument", ["ask"], /^bad_request: missing required argument 'text'$/m],
  ["too many arguments", ["explain", "a", "b"], /^bad_request: too many arguments/m],
  [
    "two options that exclude each other",
    ["review", "x", "--approve", "--reject", "no"],
    /^bad_request: .*cannot be used with option/m,
  ],
  ["a subcommand that does not exist", ["ledger", "burn"], /^bad_request: unknown command 'burn'/m],
] as const)("refuses %s in one sentence and says where to look", slow, async (_what, args, sentence) => {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(sentence);
  expect(stderr).toMatch(/\nsee `countersign --help`.*\n$/);
  expect(stderr.split("\n")).toHaveLength(3);
});

test("refuses in the form of one object where JSON is asked for", slow, async () => {
  for (const args of [["strat"], ["start", "--prot", "1"], ["ask"]]) {
    expect(await runJson(args)).toMatchObject({ code: 2, json: { error: { code: "bad_request" } } });
  }
});

test("shows the help, with exit code 2, where no command is given", slow, async () => {
  for (const args of [[], ["ledger"]]) {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^Usage: countersign/);
  }
});

test("says its version", slow, async () => {
  expect(await run(["--version"])).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" });
});
