import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Command, Option } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandWords } from "../../src/cli/command-words.ts";
import { addCommands } from "../../src/cli/commands.ts";
import { run } from "../start/installation.ts";

const exec = promisify(execFile);
let folder: string;
let script: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-completion-"));
  script = join(folder, "completion.bash");
  await writeFile(script, (await run(["completion", "bash"])).stdout);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What bash itself offers for a line, of which the last word is being typed. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const typed = ["countersign", ...words];
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _countersign; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await exec("bash", ["--norc", "-uc", program, "bash", script, ...typed]);
  expect(stderr).toBe("");
  return stdout.split("\n").filter((word) => word !== "");
}

describe("completion in bash", () => {
  it.each([
    [["le"], ["ledger"]],
    [["ledger", "ver"], ["verify"]],
    [["init", "lib", "--n"], ["--name"]],
    [["start", "--por"], ["--port"]],
    [["secret", "set", "KEY", "--side", "wr"], ["writes"]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish", "--help"],
    ],
    [["start", "--port", ""], []],
    // Words of a request are no commands.
    [["ask", "please stop", "--js"], ["--json"]],
    [["start", "--directory", "doctor", "--pro"], ["--project"]],
    [["secret-n"], []],
  ])("offers for %j: %j", async (typed, words) => {
    expect(await offered(...typed)).toEqual(words);
  });

  it("offers every command that help shows, and every long option of each", async () => {
    const program = new Command("countersign");
    addCommands(program);
    const visible = program
      .createHelp()
      .visibleCommands(program)
      .filter((one) => one.name() !== "help");
    expect(await offered("")).toEqual(expect.arrayContaining(visible.map((one) => one.name())));
    const check = program.commands.find((one) => one.name() === "check");
    expect(await offered("check", "--")).toEqual([...(check?.options ?? []).map(({ long }) => long), "--help"]);
  });
});

describe("completion", () => {
  it.each(["zsh", "fish"])("has a script for %s with the same words", async (shell) => {
    const { code, stdout } = await run(["completion", shell]);
    expect(code).toBe(0);
    for (const word of ["ledger", "verify", "reads models"]) expect(stdout).toContain(word);
    expect(stdout).not.toContain("secret-names");
  });

  it("refuses another shell", async () => {
    expect(await run(["completion", "tcsh"])).toMatchObject({ code: 2, stdout: "" });
  });

  it("refuses a word that a shell would read as more than a word", () => {
    const program = new Command("countersign");
    program.command("go").addOption(new Option("--way <way>").choices(["$(reboot)"]));
    expect(() => commandWords(program)).toThrow(/cannot be completed/);
  });
});
