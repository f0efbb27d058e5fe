/**
 * Do contracts from elsewhere accept and reject what they must? The official tests of draft 2020-12 and draft 7, and calls of some
 * hundred tools with a good call and bad ones each. The material is somebody else's and lies in a folder that is named; nothing of it
 * is here.
 */
import { type CallsScore, scoreCalls, toolCalls } from "./calls.ts";
import { readLines, setFile } from "./read-lines.ts";
import { type SuiteScore, scoreSuite, suiteTest } from "./suite.ts";
import { type Timing, timeOf } from "./timing.ts";

/** What was measured, or why nothing was. */
export type SchemaReport =
  | { readonly name: "schema"; readonly skipped: string }
  | {
      readonly name: "schema";
      readonly split: "open" | "held";
      readonly suite: readonly SuiteScore[];
      readonly suiteTiming: Timing | null;
      readonly calls: CallsScore;
      readonly callsTiming: Timing | null;
      /** Every required test and every call is as it must be. */
      readonly passed: boolean;
    };

/** Runs the benchmark over the folder of all sets; says that it was skipped where a set is absent. */
export async function schema({ data, split }: { data: string | null; split: "open" | "held" }): Promise<SchemaReport> {
  if (data === null) return skipped("no folder of test material was named; use `--data DIR` or COUNTERSIGN_BENCH_DATA");
  const suiteFile = setFile(data, { set: "json-schema-suite", split, file: "tests.jsonl" });
  const callsFile = setFile(data, { set: "bfcl-contracts", split, file: "calls.jsonl" });
  const tests = await readLines(suiteFile, suiteTest);
  const tools = await readLines(callsFile, toolCalls);
  if (tests === null || tools === null) return skipped(`\`${tests === null ? suiteFile : callsFile}\` is not there`);
  const suite = scoreSuite(tests);
  const calls = scoreCalls(tools);
  return {
    name: "schema",
    split,
    suite: suite.scores,
    suiteTiming: timeOf(suite.measured),
    calls: calls.score,
    callsTiming: timeOf(calls.measured),
    passed: hasPassed(suite.scores, calls.score),
  };
}

/** An empty set proves nothing, so its share is no 1. */
function hasPassed(suite: readonly SuiteScore[], { registered, goldAccepted, invalidRejected }: CallsScore): boolean {
  const all = [...suite.map(({ required }) => required), registered, goldAccepted, invalidRejected];
  return suite.length > 0 && all.every(({ share }) => share === 1);
}

function skipped(why: string): SchemaReport {
  return { name: "schema", skipped: why };
}
