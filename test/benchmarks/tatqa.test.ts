import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

// The benchmark over a folder that was made up for each test.
let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "countersign-bench-"));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const slow = { timeout: 60_000 };
const context = {
  context_id: "c",
  table: [
    ["(in thousands)", "2019", "2018"],
    ["Sales", "$ 1,200", "$ 1,000"],
    ["Loss", "(30)", "\u2014"],
  ],
  paragraphs: [{ order: 1, text: "Of this 4.00% was abroad, and 17.5% in the year before." }],
};
const common = {
  context_id: "c",
  question: "How much?",
  answer_type: "arithmetic",
  derivation_matches_answer: true,
  derivation_scale: 1,
};
const questions = [
  { ...common, id: "q/1", derivation: "1,200-1,000", answer: 200, scale: "thousand" },
  { ...common, id: "q/2", derivation: "(1,200-1,000)/1,000", answer: 20, scale: "percent", derivation_scale: 100 },
  { ...common, id: "q/3", derivation: "($1,200 + $1,000) / 2", answer: 1100, scale: "thousand" },
  { ...common, id: "q/4", derivation: "(4.00% - 17.5%) * 100", answer: -13.5, scale: "percent" },
  { ...common, id: "q/5", derivation: "-(30 + 0) / 2", answer: -15, scale: "thousand" },
  { ...common, id: "q/6", derivation: "1,200+1", answer: 9, scale: "", derivation_matches_answer: false },
  { ...common, id: "q/7", derivation: "", answer: "none", scale: "", answer_type: "span" },
];

async function put(split: string, dev: readonly object[]): Promise<void> {
  const write = async (path: string, rows: readonly object[]) => {
    await mkdir(join(data, "tatqa", path, ".."), { recursive: true });
    await writeFile(join(data, "tatqa", path), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  };
  await write("common/contexts-dev.jsonl", [context]);
  await write("common/contexts-test.jsonl", []);
  await write(`${split}/dev.jsonl`, dev);
  await write(`${split}/test.jsonl`, []);
}

function bench(...args: readonly string[]): Promise<{ code: number; last: unknown }> {
  const env = { ...process.env, COUNTERSIGN_BENCH_DATA: undefined };
  return new Promise((resolve) => {
    execFile(process.execPath, ["benchmarks/run.ts", "tatqa", "--json", ...args], { env }, (failure, stdout) => {
      const line = stdout.trim().split("\n").at(-1) ?? "";
      resolve({ code: failure === null ? 0 : Number(failure.code), last: line === "" ? null : JSON.parse(line) });
    });
  });
}

describe("bench tatqa", () => {
  it("runs each derivation by calculations over numbers of the report, and refuses each with another digit", slow, async () => {
    await put("open", questions);
    const { code, last } = await bench("--data", data);
    expect(code).toBe(0);
    expect(last).toMatchObject({
      ...{ name: "tatqa", kind: expect.stringMatching(/^conformance/), split: "open", excluded: 1, operands: 10, passed: true },
      derivations: { count: 5, right: 5, share: 1, failing: [] },
      changedDigits: { share: 1, failing: [] },
      units: { failing: [] },
      scaleTold: { count: 3, right: 3 },
    });
  });

  it("names what fails, and has not passed then", slow, async () => {
    const invented = { ...common, id: "q/8", derivation: "1,200-999", answer: 201, scale: "thousand" };
    const misread = { ...common, id: "q/9", derivation: "1,200-1,000", answer: 300, scale: "thousand" };
    await put("held", [...questions, invented, misread]);
    const { last } = await bench("--data", data, "--split", "held");
    expect(last).toMatchObject({ split: "held", derivations: { count: 7, right: 5, failing: ["q/8", "q/9"] }, passed: false });
  });

  it("has not passed over an empty set, and says where it was skipped", slow, async () => {
    await put("open", []);
    expect((await bench("--data", data)).last).toMatchObject({ derivations: { count: 0, share: null }, passed: false });
    expect(await bench("--data", data, "--split", "held")).toMatchObject({
      code: 2,
      last: { skipped: expect.stringContaining("held") },
    });
    expect(await bench()).toMatchObject({ code: 2, last: { skipped: expect.stringMatching(/--data DIR/) } });
  });
});
