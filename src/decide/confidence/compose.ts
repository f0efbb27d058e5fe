import type { Signal } from "../../contract/decision.ts";
import type { Confidence } from "../state.ts";

/** The version of the weights below; it stands in every entry. Fitted weights come with calibration. */
const calibration = "weights-1";

/** Weights in parts per million. The model's own number is the weakest. */
const weightsPpm = { verification: 500_000, evidence: 200_000, judge: 200_000, model: 100_000 } as const;

/**
 * Composes one confidence from the signals that are there, all in parts per million; the weights of absent ones are rescaled away.
 * The model's own number alone counts for nothing.
 * @example
 * composeConfidence({ verification: 1_000_000, evidence: null, judge: null, model: 400_000 }).ppm; // 900000
 */
export function composeConfidence(found: { readonly [K in Signal["name"]]: number | null }): Confidence {
  const names = Object.keys(weightsPpm) as Signal["name"][]; // the keys of the literal above
  const signals = names.flatMap((name): Signal[] => {
    const ppm = found[name];
    return ppm === null ? [] : [{ name, ppm, weightPpm: weightsPpm[name] }];
  });
  const isModelAlone = signals.every((signal) => signal.name === "model");
  const weight = signals.reduce((sum, signal) => sum + signal.weightPpm, 0);
  const weighted = signals.reduce((sum, signal) => sum + signal.ppm * signal.weightPpm, 0);
  return { ppm: isModelAlone ? 0 : Math.floor(weighted / weight), signals, calibration };
}
