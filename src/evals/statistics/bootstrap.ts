import { seeded } from "../../contract/seeded.ts";

/** An interval that a figure lies in, by the sample at hand. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** How an interval is computed; the same choice gives the same interval. */
export interface BootstrapChoice<T> {
  readonly seed: number;
  /** Such as 0.95: between 0 and 1. */
  readonly level: number;
  readonly resamples: number;
  /** The figure of a sample; a sample of which there is none, `null` or not finite, is left out. */
  readonly of: (sample: readonly T[]) => number | null;
}

/**
 * The percentile interval of the bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13): values are drawn
 * again and again with replacement, and the middle part of what the figure comes to is the interval. `null` where no sample has a figure.
 */
export function bootstrapInterval<T>(values: readonly T[], { seed, level, resamples, of }: BootstrapChoice<T>): Interval | null {
  const next = seeded(seed);
  const draw = (): readonly T[] => values.map(() => values[Math.floor(next() * values.length)] as T); // the place is within the list
  const figures = Array.from({ length: values.length === 0 ? 0 : resamples }, () => of(draw()))
    .flatMap((figure) => (figure === null || !Number.isFinite(figure) ? [] : [figure]))
    .sort((a, b) => a - b);
  if (figures.length === 0) return null;
  const at = (part: number): number => figures[Math.round(part * (figures.length - 1))] ?? 0; // the place is within the list
  return { low: at((1 - level) / 2), high: at((1 + level) / 2) };
}
