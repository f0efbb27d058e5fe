import type { Calibration, CalibrationMap } from "../../contract/calibration.ts";
import { scoreOf } from "../../contract/calibration.ts";
import { CountersignError } from "../../contract/errors.ts";
import { canonicalJson, type Json } from "../../contract/json.ts";
import type { Digest } from "../../contract/ports.ts";
import type { Signal } from "../../contract/signal.ts";
import { isotonicPoints, plattPoints } from "./isotonic.ts";
import type { JudgedScore } from "./thresholds.ts";

/** A judged decision with its signals. */
export interface JudgedSignals {
  readonly signals: readonly Signal[];
  readonly agreed: boolean;
}

/** Fewer judged decisions give no map of their own. */
const leastForMap = 100;
/** From so many on isotonic regression is better than a sigmoid. */
const muchForMap = 1_000;

/**
 * Fits a calibration of one capability from judged decisions: a map for each set of signals that has enough of them, and one over all for the
 * rest. Throws `not_enough_evidence` below the least.
 */
export function fitCalibration({
  capability,
  evidence,
  judged,
  digest,
}: Pick<Calibration, "capability" | "evidence"> & { judged: readonly JudgedSignals[]; digest: Digest }): Calibration {
  if (judged.length < leastForMap)
    throw new CountersignError(
      "not_enough_evidence",
      `\`${capability}\` has ${judged.length} judged decisions, and a calibration takes ${leastForMap}; let people decide more of them`,
      { facts: { capability, have: judged.length, need: leastForMap } },
    );
  const sets = Map.groupBy(judged, ({ signals }) => signals.map(({ name }) => name).join(" "));
  const own = [...sets].sort(([one], [other]) => (one < other ? -1 : 1)).filter(([, of]) => of.length >= leastForMap);
  const maps = [...own.map(([, of]) => mapOf(of, of[0]?.signals.map(({ name }) => name) ?? [])), mapOf(judged, null)];
  const rest = { version: 1, capability, evidence, maps } as const;
  // Plain data by its making; its interfaces only lack an index signature.
  const id = `cal-${digest.sha256(canonicalJson(rest as unknown as Json)).slice(0, 12)}`;
  return { ...rest, id };
}

function mapOf(judged: readonly JudgedSignals[], signals: CalibrationMap["signals"]): CalibrationMap {
  const scored = judged.map((one): JudgedScore => ({ ppm: scoreOf(one.signals), agreed: one.agreed }));
  const method = scored.length >= muchForMap ? "isotonic" : "platt";
  const points = method === "isotonic" ? isotonicPoints(scored) : plattPoints(scored);
  return { signals, method, points, decisions: scored.length, agreed: scored.filter(({ agreed }) => agreed).length };
}
