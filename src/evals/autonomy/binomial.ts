/**
 * The exact interval of a share that was counted: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of
 * the binomial", Biometrika 26 (1934). Its coverage is never less than it says, whatever the share and however few were counted.
 */

/** The probability of at most `k` of `n` where each happens with probability `p`; exact up to the rounding of floating point. */
export function atMost(k: number, n: number, p: number): number {
  if (k >= n) return 1;
  if (k < 0) return 0;
  if (p <= 0) return 1;
  if (p >= 1) return 0;
  // Each term from the one before, in logarithms, so that the first does not vanish where n is large.
  const odds = Math.log(p) - Math.log1p(-p);
  let term = n * Math.log1p(-p);
  let sum = Math.exp(term);
  for (let i = 1; i <= k; i += 1) {
    term += Math.log((n - i + 1) / i) + odds;
    sum += Math.exp(term);
  }
  return Math.min(1, sum);
}

/** The largest share of misses that `missed` of `decisions` leave possible, when either end may be wrong with probability `delta`. */
export function mostMissed({ missed, decisions, delta }: { missed: number; decisions: number; delta: number }): number {
  if (decisions === 0 || missed >= decisions) return 1;
  let [low, high] = [missed / decisions, 1];
  // Fifty halvings leave less than a millionth of a millionth.
  for (let i = 0; i < 50; i += 1) {
    const middle = (low + high) / 2;
    if (atMost(missed, decisions, middle) > delta) low = middle;
    else high = middle;
  }
  return high;
}

/** Both ends of the interval of agreement in parts per million, the lower rounded down, the upper up; each is wrong with probability `delta`. */
export function agreementInterval({ agreed, decisions, delta }: { agreed: number; decisions: number; delta: number }): {
  readonly leastPpm: number;
  readonly mostPpm: number;
} {
  const least = 1 - mostMissed({ missed: decisions - agreed, decisions, delta });
  // What is missed and what is agreed with change places.
  const most = mostMissed({ missed: agreed, decisions, delta });
  return { leastPpm: Math.floor(least * 1_000_000), mostPpm: Math.ceil(most * 1_000_000) };
}

/** How many decisions in a row people must agree with before the lower end reaches a bar: below it nothing can be proposed. */
export function leastDecisions({ barPpm, delta }: { barPpm: number; delta: number }): number {
  return barPpm >= 1_000_000 ? Number.POSITIVE_INFINITY : Math.ceil(Math.log(delta) / Math.log(barPpm / 1_000_000));
}
