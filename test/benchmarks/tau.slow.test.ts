import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { arithmetic } from "../../benchmarks/tau/arithmetic.ts";
import { hashOf, putSet, retail, retailTasks } from "./tau-set.ts";

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "countersign-bench-"));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const slow = { timeout: 180_000 };

function bench(...args: readonly string[]): Promise<{ code: number; last: unknown; stderr: string }> {
  const env = { ...process.env, COUNTERSIGN_BENCH_DATA: undefined };
  return new Promise((resolve) => {
    execFile(process.execPath, ["benchmarks/run.ts", "tau", "--json", ...args], { env }, (failure, stdout, stderr) => {
      const code = failure === null ? 0 : Number(failure.code);
      const line = stdout.trim().split("\n").at(-1) ?? "";
      resolve({ code, last: line === "" ? null : JSON.parse(line), stderr });
    });
  });
}

const all = (count: number) => ({ count, right: count, share: count === 0 ? null : 1, failing: [] });
const safe = (count: number) => ({
  stale: all(count),
  sameClientKey: all(count),
  sameBusinessKey: all(count),
  again: all(count),
});
const none = { applied: 0 };

describe("bench tau", () => {
  it("replays tasks by the port alone and through the whole of Countersign, and tries what must not be", slow, async () => {
    await putSet(data);
    const { code, last, stderr } = await bench("--data", data);
    expect(code, stderr).toBe(0);
    expect(last).toMatchObject({
      name: "tau",
      split: "open",
      domains: {
        retail: {
          conformance: { initialState: true, tasks: all(2), tasksWithoutFault: all(2), outcomes: all(4), calls: all(1) },
          governed: { tasks: all(2), writes: all(3), refused: 1, approvalsAsked: 2, signed: 2, notComplete: 0, reads: all(1) },
          safety: { ...safe(2), againRefused: 2, againAsked: 0, tasks: all(2) },
          strangers: {
            honest: { tried: 2, refused: 2, signed: 0, ...none },
            takenOver: { tried: 2, signed: 2, refusedWhenSigned: { stale_before_state: 2 }, ...none },
            takenOverAsOwner: { tried: 2, signed: 2, refusedWhenSigned: { stale_before_state: 2 }, ...none },
          },
          recorded: null,
          faultySystem: { noticed: all(1), unharmed: 0 },
        },
        airline: {
          conformance: { tasks: all(2), calls: all(1) },
          governed: { tasks: all(2), writes: all(1) },
          safety: { ...safe(1), againRefused: 0, againAsked: 1 },
          recorded: { writes: 1, wanted: 0, unwanted: 1, unwantedRejected: 1, unwantedApplied: 0, changedUnsigned: [] },
        },
      },
      passed: true,
    });
  });

  it("names what does not conform, and has not passed then", slow, async () => {
    const [first, ...rest] = retailTasks;
    const wrong = { ...first, expected: { changed: false, final_state_hash: hashOf(retail()) } };
    await putSet(data, { tasks: [wrong, ...rest] });
    const { last } = await bench("--data", data);
    const failing = { count: 2, right: 1, failing: ["shop/1"] };
    expect(last).toMatchObject({
      domains: { retail: { conformance: { tasks: failing }, governed: { tasks: failing }, safety: { tasks: failing } } },
      passed: false,
    });
  });

  it("says that it was skipped where no folder is named or the set is absent, with exit code 2", slow, async () => {
    expect(await bench()).toMatchObject({ code: 2, last: { name: "tau", skipped: expect.stringMatching(/--data DIR/) } });
    await putSet(data);
    expect(await bench("--data", data, "--split", "held")).toMatchObject({
      code: 2,
      last: { skipped: expect.stringContaining("held/") },
    });
  });
});

describe("calculating", () => {
  it.each([
    ["2 * ((350 - 122) + (499 - 127))", 1200],
    ["-3 + 10 / 4", -0.5],
    [".5 * 4.", 2],
  ])("reads `%s`", (expression, value) => {
    expect(arithmetic(expression)).toBe(value);
  });

  it.each(["", "1 +", "(1", "1)", "1 2", "1 / 0", "process.exit()", "2 ** 3", "."])("refuses `%s`", (expression) => {
    expect(arithmetic(expression)).toBeNull();
  });
});
