import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { run } from "../start/installation.ts";

// What docs/evals.md shows of a build is run as it stands there, but for what a machine of its own is set up by.
const page = await readFile(fileURLToPath(new URL("../../docs/evals.md", import.meta.url)), "utf8");
const workflow = z.object({
  jobs: z.object({ evals: z.object({ steps: z.array(z.looseObject({ run: z.string().optional() })) }) }),
});

const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
const build = blocks.find((text) => text.startsWith("# .github"));
const commands = workflow.parse(parse(build ?? "")).jobs.evals.steps.flatMap(({ run: line }) => line ?? []);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-build-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the build installs, checks and gates", () => {
  expect(commands.map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual([
    "npm ci",
    "npx countersign check",
    "npx countersign eval",
  ]);
});

test.each(commands.filter((line) => line.startsWith("npx countersign ")))("`%s`", { timeout: 300_000 }, async (line) => {
  const words = line.split(" ").slice(2);
  // Into a folder of the test instead of the build's own.
  const args = words.map((word) => (/^eval\.(?:xml|html)$/.test(word) ? join(folder, word) : word));
  const { code, stdout, stderr } = await run(args[0] === "eval" ? [...args, "--directory", folder] : args);
  expect({ code, said: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, said: "" });
  if (args[0] !== "eval") return;
  expect(await readFile(join(folder, "eval.xml"), "utf8")).toMatch(/<testsuite/);
  expect(await readFile(join(folder, "eval.html"), "utf8")).toMatch(/^<!doctype html>/i);
});
