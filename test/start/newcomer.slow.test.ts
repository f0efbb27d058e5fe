import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { patience } from "./installation.ts";
import { type Packed, packed } from "./packed.ts";

// The way of docs/getting-started.md, command by command, in a folder outside of the repository. `npm install` alone is left out: what it
// would fetch is linked, since the package under test is on no registry.
const exec = promisify(execFile);
const page = await readFile(fileURLToPath(new URL("../../docs/getting-started.md", import.meta.url)), "utf8");
const commands = [...page.matchAll(/^\$ (.+)$/gm)].map(([, line = ""]) => line.replace(/ +#.*$/, ""));

let one: Packed;
let start: ChildProcess | null = null;
beforeAll(async () => {
  one = await packed(["typescript", "@types/node", "@types/pg"]);
}, 2 * patience.timeout);
afterAll(async () => {
  if (start?.exitCode === null && start.signalCode === null) {
    const ended = once(start, "exit");
    start.kill("SIGTERM");
    await ended;
  }
  await one?.remove();
}, patience.timeout);

const walked: string[] = [];

/** Runs a command of the page, `as` it is with what the page leaves open. */
async function walk(command: string, as = command): Promise<string> {
  walked.push(command);
  const args = [...as.slice("npx countersign ".length).matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain = ""]) => quoted ?? plain,
  );
  return one.countersign(args, args[0] === "init" ? one.place : join(one.place, "library"));
}

it("leads from nothing to a change that was signed, made and seen", { timeout: 3 * patience.timeout }, async () => {
  expect(await walk("npx countersign init library")).toContain("npx countersign start");
  const folder = join(one.place, "library");
  expect(JSON.parse(await readFile(join(folder, "package.json"), "utf8"))).toMatchObject({ name: "library" });
  await exec(process.execPath, [join(one.place, "node_modules/typescript/bin/tsc"), "-p", folder]);
  expect(await walk("npx countersign check")).toMatch(/^library: 1 capabilities.*\n(?:hint: .*\n)*the halves stay apart/);
  start = await started(folder);
  const asked = await walk('npx countersign ask "Please renew the book about bees"');
  expect(asked).toMatch(/Renew loan-1 until \d{4}-\d\d-\d\d: proposed\n.*state waiting/);
  expect(asked).toContain("(scripted replies, no model)");
  const [, id = ""] = /^([0-9a-f-]{36}) {2}Renew The Life of Bees/m.exec(await walk("npx countersign review")) ?? [];
  await walk("npx countersign review <decision> --approve", `npx countersign review ${id} --approve`);
  await expect
    .poll(() => walk("npx countersign explain <decision>", `npx countersign explain ${id}`), { timeout: 60_000, interval: 500 })
    .toContain("done: seen by an independent read");
  expect(await walk("npx countersign eval run")).toContain("gate: passed");
  const { stdout } = await exec(process.execPath, ["--test", "--test-reporter=tap"], { cwd: folder });
  expect(stdout).toMatch(/^# pass 4$/m);
  expect(await walk("npx countersign stop")).toContain("nothing of them is left");
  const own = ["npx countersign start", "npm install", "npm test"];
  expect([...new Set(walked)]).toEqual(commands.filter((line) => !own.includes(line) && !line.startsWith("cd ")));
});

/** Starts the page's installation on a port that is free. */
async function started(cwd: string): Promise<ChildProcess> {
  const child = execFile(process.execPath, [one.program, "start", "--port", "0"], { cwd });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (text: string) => {
      said += text;
      if (/^ready http/m.test(said)) resolve();
    });
    child.once("exit", () => reject(new Error(`it ended: ${said}`)));
  });
  expect(said).toContain('Try "Please renew the book about bees"');
  return child;
}
