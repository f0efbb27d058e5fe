import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newFolder, remove, run } from "../start/installation.ts";
import { runJson } from "./command.ts";

// The vault file through the command line; the tests build on each other. No value and no key stands in any output.
let directory: string;
const canary = "CANARY-4be1";
const slow = { timeout: 60_000 };
const program = fileURLToPath(new URL("../../bin/countersign.mjs", import.meta.url));
beforeAll(async () => {
  directory = await newFolder();
});
afterAll(() => remove(directory), 60_000);

const inVault = (name: string) => join(directory, "secrets", name);
const secret = (...args: string[]) => runJson(["secret", ...args, "--directory", directory]);

/** Runs `secret set` with a value on stdin. */
async function set(args: readonly string[], value: string, env: Record<string, string> = {}) {
  const { PATH = "" } = process.env;
  const all = [program, "secret", "set", ...args, "--directory", directory, "--json"];
  const child = spawn(process.execPath, all, { env: { PATH, ...env }, stdio: "pipe" });
  child.stdin.on("error", () => {});
  child.stdin.end(value);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect(stdout + stderr).not.toContain("CANARY");
  return { code, json: JSON.parse(stdout), stderr };
}

test("keeps secrets whose values come from stdin, and makes a key for each process, for its owner alone", slow, async () => {
  const made = await set(["SHOP_READ", "--side", "reads"], `${canary} read\n`);
  expect(made).toMatchObject({ code: 0, json: { name: "SHOP_READ", side: "reads", process: "deciding", isNew: true } });
  expect((await set(["SHOP_READ", "--side", "reads"], `${canary} again`)).json).toMatchObject({ isNew: false });
  await Promise.all([
    set(["SHOP_WRITE", "--side", "writes"], canary),
    set(["COUNTERSIGN_DESK_KEY", "--side", "desk"], canary),
    set(["COUNTERSIGN_PAYLOAD_KEY", "--side", "desk"], canary),
    set(["COUNTERSIGN_PAYLOAD_KEY", "--side", "acting"], canary),
  ]);
  for (const name of ["vault.json", "vault-deciding.key", "vault-desk.key", "vault-acting.key"])
    expect((await stat(inVault(name))).mode & 0o777, name).toBe(0o600);
  expect(await readFile(inVault("vault.json"), "utf8")).not.toContain("CANARY");
});

test("lists names and sides, without any key", slow, async () => {
  const { json } = await secret("list");
  expect(json).toEqual({
    secrets: [
      { name: "SHOP_READ", side: "reads", process: "deciding" },
      { name: "COUNTERSIGN_DESK_KEY", side: "desk", process: "desk" },
      { name: "COUNTERSIGN_PAYLOAD_KEY", side: "desk", process: "desk" },
      { name: "COUNTERSIGN_PAYLOAD_KEY", side: "acting", process: "acting" },
      { name: "SHOP_WRITE", side: "writes", process: "acting" },
    ],
  });
});

test.each([
  ["a name on two sides", ["SHOP_READ", "--side", "writes"], canary],
  ["a name for two uses", ["SHOP_WRITE", "--side", "observes"], canary],
  ["a value in place of the name", [`${canary}-x`, "--side", "reads"], canary],
  ["a value beside the name", ["SHOP_KEY", canary, "--side", "reads"], canary],
  ["a value as an option", ["SHOP_KEY", "--side", "reads", `--value=${canary}`], canary],
  ["a key of Countersign as a project's secret", ["COUNTERSIGN_DESK_KEY", "--side", "reads"], canary],
  ["a key of Countersign on another process", ["COUNTERSIGN_DESK_KEY", "--side", "acting"], canary],
  ["a setting that is no secret", ["COUNTERSIGN_PROJECT", "--side", "desk"], canary],
  ["no value", ["SHOP_KEY", "--side", "reads"], "\n"],
  ["what is no text", ["SHOP_KEY", "--side", "reads"], "CANARY\0"],
  ["a side that there is not", ["SHOP_KEY", "--side", "all"], canary],
  ["no side", ["SHOP_KEY"], canary],
] as const)("refuses %s, and tells nothing back", slow, async (_what, args, value) => {
  const before = await readFile(inVault("vault.json"), "utf8");
  expect(await set(args, value)).toMatchObject({ code: 2, json: { error: { code: "bad_request" } } });
  expect(await readFile(inVault("vault.json"), "utf8")).toBe(before);
});

test("refuses a value that is too long", slow, async () => {
  expect(await set(["SHOP_KEY", "--side", "reads"], "x".repeat(70_000))).toMatchObject({
    json: { error: { code: "too_large" } },
  });
});

test("seals one process's secrets under a new key, and the old one opens them no more", slow, async () => {
  await copyFile(inVault("vault-acting.key"), inVault("old.key"));
  expect(await secret("rotate", "--process", "acting")).toMatchObject({ code: 0, json: { process: "acting", secrets: 2 } });
  expect(await readFile(inVault("vault-acting.key"), "utf8")).not.toBe(await readFile(inVault("old.key"), "utf8"));
  const withOld = await secret("remove", "SHOP_WRITE", "--key-file", inVault("old.key"));
  expect(withOld).toMatchObject({ code: 2, json: { error: { code: "configuration_invalid" } } });
  expect((await set(["SHOP_OBSERVE", "--side", "observes"], canary)).code).toBe(0);
  expect((await readdir(join(directory, "secrets"))).filter((name) => /draft|next/.test(name))).toEqual([]);
});

test("takes a key from the environment in place of a key file, and never both", slow, async () => {
  const key = (await readFile(inVault("vault-desk.key"), "utf8")).trim();
  const both = await set(["COUNTERSIGN_DESK_URL", "--side", "desk"], canary, { COUNTERSIGN_VAULT_KEY: key });
  expect(both).toMatchObject({ code: 2, json: { error: { code: "configuration_invalid" } } });
  const args = ["COUNTERSIGN_DESK_URL", "--side", "desk", "--key-file", inVault("none.key")];
  expect((await set(args, canary, { COUNTERSIGN_VAULT_KEY: key })).code).toBe(0);
});

test("forgets a secret, and asks which where two processes have it", slow, async () => {
  expect(await secret("remove", "COUNTERSIGN_PAYLOAD_KEY")).toMatchObject({ code: 2, json: { error: { code: "bad_request" } } });
  expect((await secret("remove", "COUNTERSIGN_PAYLOAD_KEY", "--process", "desk")).code).toBe(0);
  expect((await secret("remove", "SHOP_READ")).code).toBe(0);
  expect(await secret("remove", "SHOP_READ")).toMatchObject({ code: 2, json: { error: { code: "not_found" } } });
  const { json } = await secret("list");
  expect(JSON.stringify(json)).not.toContain("SHOP_READ");
});

test("does not read a key file that others may read", slow, async () => {
  await chmod(inVault("vault-acting.key"), 0o640);
  const refused = await secret("remove", "SHOP_WRITE");
  expect(refused).toMatchObject({ code: 2, json: { error: { message: expect.stringContaining("chmod 600") } } });
});

test("asks for a value at a terminal and does not show it", slow, async () => {
  // `script` gives the command a terminal, and writes down all that stands on it.
  const command = `${process.execPath} ${program} secret set TYPED_KEY --side models --directory '${directory}'`;
  const recorder = "script";
  const child = spawn(recorder, ["-qec", command, "/dev/null"], { stdio: "pipe" });
  let screen = "";
  child.stdout.on("data", (piece: Buffer) => {
    const isAsked = screen.includes("not shown");
    screen += piece.toString();
    if (!isAsked && screen.includes("not shown")) child.stdin.write(`${canary} typed\r`);
  });
  const [code] = await once(child, "close");
  expect(screen).toContain("kept TYPED_KEY");
  expect(screen).not.toContain("CANARY");
  expect(code).toBe(0);
  expect((await run(["secret", "list", "--directory", directory])).stdout).toContain(
    "TYPED_KEY (models, for the deciding process)",
  );
});
