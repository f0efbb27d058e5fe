/**
 * Does what may go alone stay within its bound, and how much goes alone? Simulated reviewers with known truth decide; thresholds, calibrations
 * and watches are the product's own functions. Needs no database and no model.
 */
import { alarmOfScores } from "../../src/ledger/slices/watch-scores.ts";
import { type DriftResult, type QuietResult, runDrifts, runQuiet } from "./drifts.ts";
import { shapes } from "./shapes.ts";
import { runShape, type ShapeResult } from "./thresholds.ts";

/**
 * Shares are of runs; `holds` is that every shape keeps its bound in 95 of 100 runs, the usual one reaches 70 % of an oracle's, every change is
 * caught in 95 of 100 runs, and no more alarms come without one than are promised.
 */
export interface CalibrationReport {
  readonly decisions: number;
  readonly runs: number;
  readonly bound: number;
  readonly held_least: number;
  readonly reach_usual: number | null;
  readonly shapes: readonly ShapeResult[];
  readonly drifts: readonly DriftResult[];
  readonly quiet: readonly QuietResult[];
  readonly false_alarms: number;
  readonly false_alarms_most: number;
  readonly looks_without_change: number;
  readonly holds: boolean;
}

const decisions = 2_000;
const bound = 0.02;
const leastHeld = 0.95;
const aimOfReach = 0.7;
const leastCaught = 0.95;

/** Runs every shape and every drift; `count` makes it fewer runs, for a look and not for a figure. */
export function calibration({ count, notice }: { count: number | null; notice: (line: string) => void }): CalibrationReport {
  const runs = count ?? 1_000;
  const results = shapes.map((shape) => {
    const result = runShape(shape, { runs, decisions, bound });
    notice(
      `${result.shape}: held ${result.held}, reach ${result.reach ?? "-"} of an oracle's ${result.oracle}, proposed ${result.proposed}`,
    );
    return result;
  });
  const drifted = runDrifts(Math.max(1, Math.round(runs / 10)));
  for (const { drift, caught, median, p90 } of drifted.drifts)
    notice(`${drift}: caught ${caught}, median ${median}, p90 ${p90} decisions`);
  const quiet = runQuiet(runs);
  for (const { spread, reference, decisions: of, alarmed, bound: most } of quiet)
    notice(`nothing changed, ${spread}, reference of ${reference}: ${alarmed} came down within ${of} decisions, at most ${most}`);
  notice(
    `nothing changed, usual: ${drifted.falseAlarms} alarms in ${drifted.looks} looks, at most ${drifted.looks / alarmOfScores}`,
  );
  const heldLeast = Math.min(...results.map(({ held }) => held));
  const reachUsual = results[0]?.reach ?? null;
  const report = {
    ...{ decisions, runs, bound, held_least: heldLeast, reach_usual: reachUsual, shapes: results, drifts: drifted.drifts, quiet },
    ...{ false_alarms: drifted.falseAlarms, looks_without_change: drifted.looks },
    // So many looks between two on average, at least.
    false_alarms_most: drifted.looks / alarmOfScores,
  };
  return { ...report, holds: doesHold(report) };
}

/** Whether figures reach what the documents promise. */
export function doesHold(report: Omit<CalibrationReport, "holds">): boolean {
  const { held_least, reach_usual, drifts, quiet, false_alarms, false_alarms_most } = report;
  return [
    held_least >= leastHeld,
    (reach_usual ?? 0) >= aimOfReach,
    drifts.every(({ caught }) => caught >= leastCaught),
    quiet.every(({ alarmed, bound: most }) => alarmed <= most),
    false_alarms <= false_alarms_most,
  ].every(Boolean);
}
