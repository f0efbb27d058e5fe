import type { Signal } from "./signal.ts";
import { onePpm } from "./words.ts";

/** One map from a score to a share: how often people agreed with decisions of that score. Both in parts per million, both rising. */
export interface CalibrationMap {
  /** The signals that were there, in the order of their names in entries; `null` for every set that has no map of its own. */
  readonly signals: readonly Signal["name"][] | null;
  readonly method: "isotonic" | "platt";
  /** At least one; scores strictly rising, shares never falling. Between two points it runs straight. */
  readonly points: readonly CalibrationPoint[];
  /** How many judged decisions it was fitted from, and with how many of them people agreed. */
  readonly decisions: number;
  readonly agreed: number;
}

/** One point of a map. */
export interface CalibrationPoint {
  readonly scorePpm: number;
  readonly ppm: number;
}

/**
 * What turns the composed score of one capability into a probability, fitted from what people decided. A definition like a prompt: it
 * stands in the project, is reviewed and deployed with it, and its id stands in every entry.
 */
export interface Calibration {
  readonly version: 1;
  /** `cal-` and the first twelve digits of the digest over all the rest. */
  readonly id: string;
  readonly capability: string;
  /** The digest of the definition whose decisions it was fitted from, and the time of these, in milliseconds since the epoch. */
  readonly evidence: { readonly basis: string; readonly from: number; readonly until: number };
  readonly maps: readonly CalibrationMap[];
}

/**
 * The score of a set of signals before any calibration: their weighted mean, rounded down, in parts per million. The weights of absent
 * signals are rescaled away; the model's own number alone, and no signal at all, count for nothing.
 */
export function scoreOf(signals: readonly Signal[]): number {
  if (signals.every(({ name }) => name === "model")) return 0;
  const weight = signals.reduce((sum, signal) => sum + signal.weightPpm, 0);
  if (weight <= 0) return 0;
  const weighted = signals.reduce((sum, signal) => sum + signal.ppm * signal.weightPpm, 0);
  return Math.floor(weighted / weight);
}

/** The version of the weights by which signals are composed. */
const weightsVersion = "weights-1";

/** What an entry says of how its confidence was composed: the version of the weights, and the id of the calibration where there is one. */
export function calibrationLabel(calibration: Pick<Calibration, "id"> | undefined): string {
  return calibration === undefined ? weightsVersion : `${weightsVersion}+${calibration.id}`;
}

/** The confidence that signals come to: their score, by the capability's calibration where it has one, in parts per million. */
export function composedPpm(signals: readonly Signal[], calibration: Pick<Calibration, "maps"> | undefined): number {
  return calibration === undefined ? scoreOf(signals) : confidenceOf(signals, calibration);
}

/** The confidence that a score stands for: by the map of its set of signals, else by the map of every set, in parts per million. */
function confidenceOf(signals: readonly Signal[], { maps }: Pick<Calibration, "maps">): number {
  const score = scoreOf(signals);
  const names = signals.map(({ name }) => name).join(" ");
  const map = maps.find((one) => one.signals?.join(" ") === names) ?? maps.find((one) => one.signals === null);
  // The model's own number alone stays worth nothing, and so does a set of signals that nothing was fitted for.
  return score === 0 || map === undefined ? 0 : mapped(score, map.points);
}

function mapped(score: number, points: readonly CalibrationPoint[]): number {
  const above = points.findIndex(({ scorePpm }) => scorePpm >= score);
  const upper = points[above];
  if (upper === undefined) return points.at(-1)?.ppm ?? 0;
  const lower = points[above - 1];
  if (lower === undefined || upper.scorePpm === score) return upper.ppm;
  const share = (score - lower.scorePpm) / (upper.scorePpm - lower.scorePpm);
  return Math.floor(lower.ppm + share * (upper.ppm - lower.ppm));
}

/** What is wrong with the form of a calibration, in words; `null` where nothing is. */
export function faultOfCalibration({ maps, id }: Calibration): string | null {
  if (!/^cal-[0-9a-f]{12}$/.test(id)) return "its id is not `cal-` and twelve digits";
  if (maps.length === 0) return "it has no map";
  for (const { points } of maps) {
    if (points.length === 0) return "a map has no point";
    if (points.some(({ scorePpm, ppm }) => !isShare(scorePpm) || !isShare(ppm)))
      return "a point is no whole number of parts per million";
    const isRising = points.every((one, i) => {
      const before = points[i - 1];
      return before === undefined || (before.scorePpm < one.scorePpm && before.ppm <= one.ppm);
    });
    if (!isRising) return "a map falls: a higher score would count for less";
  }
  return null;
}

function isShare(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= onePpm;
}
