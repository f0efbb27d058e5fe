import { type Calibration, calibrationLabel, composedPpm } from "../../contract/calibration.ts";
import type { Signal } from "../../contract/signal.ts";
import type { Confidence } from "../state.ts";

/** Weights in parts per million, whose version is `calibrationLabel`'s. The model's own number is the weakest. */
const weightsPpm = { verification: 500_000, evidence: 200_000, judge: 200_000, model: 100_000 } as const;

/**
 * Composes one confidence from the signals that are there, all in parts per million; the weights of absent ones are rescaled away.
 * The model's own number alone counts for nothing. A calibration turns the score into the share of such decisions that people agreed with.
 * @example
 * composeConfidence({ verification: 1_000_000, evidence: null, judge: null, model: 400_000 }).ppm; // 900000
 */
export function composeConfidence(
  found: { readonly [K in Signal["name"]]: number | null },
  calibration?: Pick<Calibration, "id" | "maps">,
): Confidence {
  const names = Object.keys(weightsPpm) as Signal["name"][]; // the keys of the literal above
  const signals = names.flatMap((name): Signal[] => {
    const ppm = found[name];
    return ppm === null ? [] : [{ name, ppm, weightPpm: weightsPpm[name] }];
  });
  return { ppm: composedPpm(signals, calibration), signals, calibration: calibrationLabel(calibration) };
}
