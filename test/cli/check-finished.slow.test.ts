import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connector, handsWith, putProject, source } from "./check-project.ts";
import { runJson } from "./command.ts";

// What `check` says of a project that works and is not finished, or is finished and would not work.
let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "countersign-check-"));
});
afterEach(() => rm(project, { recursive: true, force: true }));

const slow = { timeout: 60_000 };
const put = (files: Readonly<Record<string, string>>) => putProject(project, files);
const check = () => runJson(["check", "--project", project]);

describe("check of what a finished project has", () => {
  const definition = `{
    name: "close_ticket", version: "1", owner: "service-desk", description: "Close a ticket.", openTo: ["employee"],
    input: z.strictObject({ text: z.string().min(1) }), decision: z.strictObject({ close: z.boolean() }), needs: () => [],
    deciding: { kind: "rule", version: "1", rule: () => ({ close: true }) },
    checks: [{ name: "solved", run: () => ({ passed: true, evidence: "" }) }],
    propose: () => ({ summary: "Closed" }),
    refuses: "The ticket is not solved.",
    examples: Array.from({ length: 4 }, () => ({ inputs: { text: "It works" }, given: "", decision: { close: true } })),
  }`;
  const effect = `defineEffect({
    name: "close", version: "1", owner: "service-desk", params: z.strictObject({ id: z.string() }), paramRules: {},
    sideEffect: "mutating", risk: "low", reversible: true, describe: () => "Close it", key: ({ id }) => id, dedupe: "key", settleMs: 1,
    before: { query: "tickets", params: () => ({}), project: () => null },
    expect: { state: () => ({ status: "closed" }), mayChange: [], deadlineMs: 1000 },
  }).erased`;
  const projectOf = (capability: string) => `import { defineCapability, defineEffect, defineProject } from ${source("index")};
import { z } from ${JSON.stringify(import.meta.resolve("zod"))};
export default defineProject({ name: "sample", capabilities: [defineCapability(${capability})] });\n`;
  const caseOf = (id: number, part: object = {}) =>
    JSON.stringify({
      ...{ id: `case-${id}`, request: "It works", envelope: { principal: "emp-1", roles: ["employee"] } },
      ...{ fixtures: { seed: "sandbox" }, expectations: { decision: "decided" }, label: "quality", kind: "single" },
      ...{ slice: "all", source: "written by hand", ...part },
    });
  const casesOf = (count: number) => Array.from({ length: count }, (_, id) => caseOf(id)).join("\n");
  const finished = { "project.ts": projectOf(definition), "evals/close_ticket.jsonl": casesOf(20) };
  const without = (member: RegExp) => ({ "project.ts": projectOf(definition.replace(member, "")) });
  const strict = () => runJson(["check", "--project", project, "--strict"]);

  test("finds nothing in a finished project, strict or not", slow, async () => {
    await put(finished);
    const expected = { code: 0, json: { cases: { close_ticket: 20 }, findings: [] } };
    expect(await check()).toMatchObject(expected);
    expect(await strict()).toMatchObject(expected);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ["no refusal condition", without(/refuses: .*,/), /does not say when it declines; say it in `refuses`/],
    ["three examples", { "project.ts": projectOf(definition.replace("length: 4", "length: 3")) }, /3 of 4 worked examples; add/],
    [
      "no check",
      { "project.ts": projectOf(definition.replace(/checks: .*,/, "checks: [],")) },
      /no checks of its own; add a check/,
    ],
    [
      "soft checks alone",
      { "project.ts": projectOf(definition.replace('"solved",', '"solved", soft: { reason: "a wish" },')) },
      /soft checks alone; add a check/,
    ],
    ["nobody to whom it is open", { "project.ts": projectOf(definition.replace('["employee"]', "[]")) }, /open to nobody/],
    ["nineteen eval cases", { "evals/close_ticket.jsonl": casesOf(19) }, /19 of 20 eval cases; add some to `evals\/close_ticket/],
  ])("hints at %s, which fails a strict check", slow, async (_what, files, message) => {
    await put({ ...finished, ...files });
    const findings = [expect.objectContaining({ level: "hint", message: expect.stringMatching(message) })];
    expect(await strict()).toMatchObject({ code: 1, json: { findings } });
  });

  test("does not fail for a hint without `--strict`", slow, async () => {
    await put({ ...finished, ...without(/refuses: .*,/) });
    expect(await check()).toMatchObject({ code: 0, json: { findings: [{ level: "hint" }] } });
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      "an effect without hands",
      { "project.ts": projectOf(definition.replace("refuses:", `effects: [${effect}], refuses:`)) },
      /effect `close` has no hands, .*; add `implementEffect` for it to hands.ts/,
    ],
    [
      "an effect that does not say what is true afterwards",
      {
        "project.ts": projectOf(
          definition.replace("refuses:", `effects: [${effect.replace(/state: [^,]*,/, 'state: "closed",')}], refuses:`),
        ),
      },
      /effect `close` does not say what is true afterwards; give the exact state in `expect.state`/,
    ],
    [
      "an example whose inputs do not fit",
      { "project.ts": projectOf(definition.replace('{ text: "It works" }', '{ text: "" }')) },
      /inputs in example 1 that do not fit: \/text/,
    ],
    [
      "an example whose decision does not fit",
      { "project.ts": projectOf(definition.replace("decision: { close: true }", 'decision: { close: "yes" }')) },
      /decision in example 1 that does not fit: \/close/,
    ],
    [
      "an eval case that is broken",
      { "evals/close_ticket.jsonl": `${casesOf(20)}\n${caseOf(20, { label: "nice" })}` },
      /`evals\/close_ticket.jsonl` is broken at `line 21\/label`/,
    ],
    [
      "eval cases of nothing",
      { "evals/open_ticket.jsonl": caseOf(30) },
      /is for `open_ticket`, which is no capability of this project; name the file after a capability/,
    ],
    [
      "an eval case that is turned away at the door",
      { "evals/close_ticket.jsonl": `${casesOf(20)}\n${caseOf(20, { request: "" })}` },
      /case `case-20` has a request that does not fit the capability's inputs/,
    ],
  ])("fails for %s", slow, async (_what, files, message) => {
    await put({ ...finished, ...files });
    const { code, json } = await check();
    expect(code).toBe(1);
    expect(json).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ level: "error", message: expect.stringMatching(message) })]),
    });
  });

  test("hints at hands that nothing proposes, and fails for hands that cannot act", slow, async () => {
    const hands = `[{ effect: { name: "close" }, apply: { connector: ${connector("writes", "SYSTEM_WRITE")} }, observe: { connector: ${connector("observes", "SYSTEM_OBSERVE")} } }]`;
    const handsFile = (list: string) => handsWith("[]", list).replace("defineConnector, recordSource", "defineConnector");
    await put({ ...finished, "hands.ts": handsFile(hands) });
    const stray = { level: "hint", message: expect.stringMatching(/effect `close` has hands, and no capability proposes it/) };
    expect(await check()).toMatchObject({ code: 0, json: { findings: [stray] } });
    await put({ ...finished, "hands.ts": handsFile(hands.replace('side: "observes"', 'side: "writes"')) });
    expect(await check()).toMatchObject({
      code: 1,
      json: {
        findings: [stray, { level: "error", message: expect.stringMatching(/hands.ts connector .* is used against its side/) }],
      },
    });
  });
});
