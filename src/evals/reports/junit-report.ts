import type { CaseResult, EvalRun, Repeat } from "../eval-run.ts";
import type { GateResult } from "../gate/finding.ts";
import { placeOf } from "./place-of.ts";
import { shortened, visible } from "./visible.ts";
import { reasonsOf, repeatsPassed } from "./words.ts";

/** Longest text of one failure. */
const mostOfText = 4_000;

/**
 * A run as JUnit XML: a suite for each capability, a test case for each eval case, a suite for the gate with a test case for each of its
 * rules. A case that broke is an error, one that failed a failure. What XML 1.0 cannot hold stands as its code point.
 */
export function junitReport(run: EvalRun, gate: GateResult | null): string {
  const names = [...new Set(run.cases.map(({ capability }) => capability))].sort();
  const suites = [
    ...names.map((name) =>
      suiteOf({
        name,
        at: run.startedAt,
        tests: run.cases.filter(({ capability }) => capability === name).map(testOfCase),
      }),
    ),
    ...(gate === null ? [] : [suiteOf({ name: "gate", at: run.startedAt, tests: gate.findings.map(testOfFinding) })]),
  ];
  const attributes = { name: run.project, ...sumOf(suites.map(({ counts }) => counts)) };
  const lines = [`<testsuites${written(attributes)}>`, ...suites.flatMap((suite) => suite.lines), "</testsuites>", ""];
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...lines].join("\n");
}

interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  /** In seconds. */
  readonly time: number;
}

interface TestCase {
  readonly kind: "passed" | "failure" | "error";
  readonly seconds: number;
  readonly lines: readonly string[];
}

function suiteOf({ name, at, tests }: { name: string; at: number; tests: readonly TestCase[] }): {
  readonly counts: Counts;
  readonly lines: readonly string[];
} {
  const of = (kind: TestCase["kind"]): number => tests.filter((test) => test.kind === kind).length;
  const time = tests.reduce((sum, { seconds }) => sum + seconds, 0);
  const counts = { tests: tests.length, failures: of("failure"), errors: of("error"), time };
  const attributes = { name, ...counts, skipped: 0, timestamp: new Date(at).toISOString().slice(0, 19) };
  return {
    counts,
    lines: [`  <testsuite${written(attributes)}>`, ...tests.flatMap(({ lines }) => lines), "  </testsuite>"],
  };
}

function sumOf(counts: readonly Counts[]): Counts {
  const sum = (of: (one: Counts) => number): number => counts.reduce((total, one) => total + of(one), 0);
  return {
    tests: sum((one) => one.tests),
    failures: sum((one) => one.failures),
    errors: sum((one) => one.errors),
    time: sum((one) => one.time),
  };
}

/** Times are those of its repeats together. */
function testOfCase(one: CaseResult): TestCase {
  const seconds = one.repeats.reduce((sum, { outcome }) => sum + outcome.latencyMs, 0) / 1000;
  const attributes = { name: one.id, classname: `${one.capability}.${one.slice}`, time: seconds };
  if (one.passed) return { kind: "passed", seconds, lines: [`    <testcase${written(attributes)}/>`] };
  const kind = one.repeats.some(({ fault }) => fault !== null) ? "error" : "failure";
  const text = [`asked: ${one.request}`, ...one.repeats.filter(({ passed }) => !passed).map(textOfRepeat)].join("\n");
  return { kind, seconds, lines: failing({ attributes, kind, type: one.label, message: repeatsPassed(one), text }) };
}

function textOfRepeat(repeat: Repeat): string {
  const { outcome } = repeat;
  return [
    `repeat ${repeat.repeat}: ${outcome.decisionId === null ? "no decision" : `decision ${outcome.decisionId}`}`,
    ...reasonsOf(repeat).map((reason) => `  ${reason}`),
    `  told: ${outcome.text}`,
  ].join("\n");
}

function testOfFinding(finding: GateResult["findings"][number]): TestCase {
  const place = placeOf(finding);
  const attributes = { name: place === "" ? finding.rule : `${finding.rule}: ${place}`, classname: "gate", time: 0 };
  if (finding.passed) return { kind: "passed", seconds: 0, lines: [`    <testcase${written(attributes)}/>`] };
  const lines = failing({ attributes, kind: "failure", type: finding.rule, message: finding.why, text: finding.why });
  return { kind: "failure", seconds: 0, lines };
}

function failing({
  attributes,
  kind,
  type,
  message,
  text,
}: {
  attributes: Attributes;
  kind: "failure" | "error";
  type: string;
  message: string;
  text: string;
}): readonly string[] {
  const body = escaped(shortened(text, mostOfText));
  return [
    `    <testcase${written(attributes)}>`,
    `      <${kind}${written({ type, message: shortened(message, 500) })}>${body}</${kind}>`,
    "    </testcase>",
  ];
}

type Attributes = Readonly<Record<string, string | number>>;

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${inAttribute(value)}"`)
    .join("");
}

/** Seconds with three decimals, counts as they are; a line break in an attribute would become a space. */
function inAttribute(value: string | number): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value.toFixed(3);
  return escaped(value).replace(/\n/g, "&#10;").replace(/\t/g, "&#9;");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (one) => entities[one] ?? one);
}
