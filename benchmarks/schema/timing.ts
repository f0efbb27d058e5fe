/** One validation, done by a contract of ours and by Ajv. */
export interface Measured {
  readonly ours: () => boolean;
  readonly raw: () => boolean;
}

/** Times of one validation, in nanoseconds, measured in turn within the same run. */
export interface Timing {
  readonly validations: number;
  readonly oursP50Ns: number;
  readonly rawAjvP50Ns: number;
}

const repeats = 50;

/** Measures each validation several times, ours and Ajv's in turn; `null` where there is nothing to measure. */
export function timeOf(measured: readonly Measured[]): Timing | null {
  if (measured.length === 0) return null;
  // Once over everything first, so that neither is measured cold.
  for (const { ours, raw } of measured) [ours(), raw()];
  const ours: number[] = [];
  const raw: number[] = [];
  for (const one of measured) {
    ours.push(nsOf(one.ours));
    raw.push(nsOf(one.raw));
  }
  return { validations: measured.length, oursP50Ns: p50(ours), rawAjvP50Ns: p50(raw) };
}

function nsOf(work: () => boolean): number {
  const start = process.hrtime.bigint();
  for (let i = 0; i < repeats; i += 1) work();
  return Number(process.hrtime.bigint() - start) / repeats;
}

function p50(values: number[]): number {
  values.sort((a, b) => a - b);
  return Math.round(values[Math.floor(values.length / 2)] ?? 0);
}
