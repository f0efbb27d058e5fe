import type { CaseResult, EvalRun } from "../eval-run.ts";
import type { GateResult } from "../gate/finding.ts";
import { type Figures, figuresOf, type Totals } from "./figures.ts";
import { placeOf } from "./place-of.ts";
import { oneLine, shortened } from "./visible.ts";
import { counted, instant, money, reasonsOf, repeatsPassed, share, time } from "./words.ts";

/** How the terminal is to be written to. */
export interface TerminalOptions {
  /** Columns; longer lines are broken between words. */
  readonly width?: number;
  /** Failures in bold; never where the lines go into a pipe. */
  readonly colours?: boolean;
}

/** Most failing cases that are told one by one; the rest is counted. */
const mostFailing = 50;
const mostOfReason = 400;

/**
 * A run in lines for people: what passed, the figures, each failing case with its reasons, and what the gate says. Texts of cases and of
 * models steer nothing: what would is written out as its code point.
 */
export function terminalReport(run: EvalRun, gate: GateResult | null, options: TerminalOptions = {}): readonly string[] {
  const { width = 100, colours = false } = options;
  const figures = figuresOf(run);
  const lines = [
    ...headLines(run, figures),
    ...capabilityLines(figures),
    ...metricLines(figures),
    ...failingLines(run.cases.filter(({ passed }) => !passed)),
    ...(gate === null ? [] : gateLines(gate)),
  ];
  const narrow = Math.max(40, width);
  const broken = lines.flatMap((line) => (line.length <= narrow ? [line] : wrapped(line, narrow)));
  return colours ? broken.map(emphasised) : broken;
}

function headLines({ id, project, startedAt, repeats }: EvalRun, { totals, latency }: Figures): readonly string[] {
  return [
    `${oneLine(project)}: ${casesPassed(totals)}, ${counted(repeats, "repeat")} each`,
    `  run ${oneLine(id)}, ${instant(startedAt)}; p50 ${time(latency.p50Ms)}, p90 ${time(latency.p90Ms)}; cost ${money(totals.costMicros)}`,
    ...(totals.cases === 0 ? ["  nothing was run: the set is empty"] : []),
    ...(totals.faultedRepeats > 0
      ? [`  ${totals.faultedRepeats} of ${totals.repeats} repeats broke, and say nothing of the capability`]
      : []),
    ...(totals.isScripted ? ["  (scripted replies, no model)"] : []),
  ];
}

function casesPassed({ cases, passedCases }: Totals): string {
  return `${passedCases} of ${cases} eval cases passed`;
}

function capabilityLines({ capabilities }: Figures): readonly string[] {
  const rows = capabilities.map((one) => [
    oneLine(one.capability),
    `${one.passedCases}/${one.cases}`,
    `${one.passedRepeats}/${one.repeats}`,
    time(one.latency.p50Ms),
    time(one.latency.p90Ms),
    money(one.costMicros),
  ]);
  return titled("", table([["capability", "cases", "repeats", "p50", "p90", "cost"], ...rows], rows.length));
}

function metricLines({ metrics }: Figures): readonly string[] {
  const rows = metrics.map(({ metric, mean, passRate, failed, asked, valued }) => [
    oneLine(metric),
    share(mean),
    share(passRate),
    `${failed}/${asked}`,
    valued === asked ? "" : `no value ${asked - valued}`,
  ]);
  return titled("", table([["metric", "mean", "passed", "failed", ""], ...rows], rows.length));
}

function failingLines(failing: readonly CaseResult[]): readonly string[] {
  const told = failing
    .slice(0, mostFailing)
    .flatMap((one) => [
      `  FAIL ${oneLine(one.id)} (${oneLine(one.capability)}, ${one.label}, slice ${oneLine(one.slice)}): ${repeatsPassed(one)}`,
      ...one.repeats
        .flatMap((repeat) =>
          reasonsOf(repeat).map((reason) => `    ${repeat.repeat}: ${oneLine(shortened(reason, mostOfReason))}`),
        )
        .slice(0, 20),
    ]);
  const more = failing.length - mostFailing;
  return titled("failing eval cases", [...told, ...(more > 0 ? [`  and ${more} more`] : [])]);
}

function gateLines({ passed, findings }: GateResult): readonly string[] {
  const told = findings
    .filter((one) => !one.passed)
    .map(
      (one) =>
        `  FAIL ${[one.rule, placeOf(one)]
          .filter((part) => part !== "")
          .map(oneLine)
          .join(" ")}: ${oneLine(one.why)}`,
    );
  const held = findings.filter((one) => one.passed).length;
  const count = `${held} of ${findings.length} rules hold`;
  return ["", passed ? `gate: passed, ${count}` : `gate: FAILED, ${count}`, ...told];
}

/** Lines below a title; nothing where there are none. */
function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", ...(title === "" ? [] : [title]), ...lines];
}

/** Columns side by side, the first to the left, figures to the right; nothing where there are no rows. */
function table(rows: readonly (readonly string[])[], count: number): readonly string[] {
  if (count === 0) return [];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  ")}`.trimEnd(),
  );
}

/** Breaks a line between words, with what follows two columns further in; a word that is longer than a line stays whole. */
function wrapped(line: string, width: number): readonly string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  const lines: string[] = [];
  let current = indent;
  for (const word of line.slice(indent.length).split(" ")) {
    if (current.trim() === "") current += word;
    else if (current.length + 1 + word.length <= width) current += ` ${word}`;
    else {
      lines.push(current);
      current = `${indent}  ${word}`;
    }
  }
  return [...lines, current];
}

function emphasised(line: string): string {
  return line.replace(/\bFAIL(?:ED)?\b/, (word) => `\u001b[1m${word}\u001b[22m`);
}
