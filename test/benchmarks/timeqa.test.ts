import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

// The benchmark over a set that was made up for this test.
let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "countersign-bench-"));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const slow = { timeout: 60_000 };
const asked = (place: number, years: readonly number[], answers: readonly string[]) => ({
  ...{ id: `made/${place}`, doc_id: "/wiki/Made", property: "P1", years_in_question: years },
  ...{ answerable: answers.length > 0, answers: answers.map((text) => ({ text })) },
});

describe("bench timeqa", () => {
  it("finds what held in each year, nothing in gaps, and tells where the set contradicts itself", slow, async () => {
    await mkdir(join(data, "timeqa", "open"), { recursive: true });
    const lines = [
      asked(0, [1999, 2001], ["one"]),
      asked(1, [2001, 2003], ["two", "beside two"]),
      asked(2, [2006, 2006], ["three"]),
      asked(3, [2004, 2005], []),
      asked(4, [2001, 2002], []),
      asked(5, [2010], ["no window"]),
      asked(6, [2012, 2011], ["no window either"]),
    ];
    await writeFile(join(data, "timeqa", "open", "questions.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
    const report = await run(["timeqa", "--json", "--data", data]);
    expect(JSON.parse(report.stdout)).toEqual({
      ...{ name: "timeqa", split: "open", questions: 7, leftOut: 2, statements: 4 },
      asOf: { asked: 6, exact: 6, accuracy: 1, stale: 0, missed: 0 },
      gaps: { asked: 6, unknown: 6 },
      unanswerable: { asked: 2, refused: 1, contradicted: ["made/4"] },
      newestWins: { accuracy: 0.1667, stale: 5 },
      ...{ seenByOthers: 0, passed: true },
    });
  });

  it("says that it was skipped where the set is not there", slow, async () => {
    const report = await run(["timeqa", "--json", "--data", data, "--split", "held"]);
    expect(JSON.parse(report.stdout)).toMatchObject({ skipped: expect.stringContaining("no split `held`") });
    expect(report.code).toBe(2);
  });
});

function run(args: readonly string[]): Promise<{ stdout: string; code: number }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["benchmarks/run.ts", ...args], (failed, stdout) =>
      resolve({ stdout, code: failed === null ? 0 : Number(failed.code) }),
    );
  });
}
