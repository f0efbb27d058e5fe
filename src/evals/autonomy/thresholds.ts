/**
 * Which threshold the evidence bears out. For each candidate the null hypothesis is that people would disagree too often with what goes
 * `auto` by it; its p-value is the exact binomial tail. The candidates are tested from the strictest on in a fixed order, so that the chance
 * that any threshold is proposed wrongly is at most `delta`, however many were looked at: Angelopoulos, Bates, Candes, Jordan and Lei,
 * "Learn then Test" (arXiv 2110.01052); the level that moves on to the next test, and the shares of it that begin anew, are the fallback
 * procedure of Wiens, "A fixed sequence Bonferroni procedure for testing multiple endpoints", Pharmaceutical Statistics 2 (2003).
 */
import { atMost, leastDecisions } from "./binomial.ts";

/** One judged decision: its confidence, and whether people agreed and the result was seen. */
export interface JudgedScore {
  readonly ppm: number;
  readonly agreed: boolean;
}

/** Either end of the interval of 95 % is wrong with this probability; only the lower one counts. */
export const usualDelta = 0.025;

/** How many candidates lie between the least that can be proved by and all there are. */
const candidateCount = 24;

/** At these parts of the way a share of the level begins anew, so that one bad stretch does not end all. */
const starts: readonly number[] = [0, 0.2, 0.4, 0.6];

/**
 * What the test says: a threshold, or why there is none. `decisions` and `agreed` are those at or above it, or above the first candidate, which
 * was tested at `level`. `unprovable`: a bar of all is proved by no number of decisions.
 */
export type ThresholdFinding =
  | { readonly kind: "proposed"; readonly thresholdPpm: number; readonly decisions: number; readonly agreed: number }
  | (Candidate & { readonly kind: "below_bar"; readonly level: number })
  | { readonly kind: "unprovable" }
  | { readonly kind: "not_enough"; readonly have: number; readonly need: number };

/** One candidate: the threshold, how many would go `auto` by it, and with how many of them people agreed. */
interface Candidate {
  readonly thresholdPpm: number;
  readonly decisions: number;
  readonly agreed: number;
}

/** Finds the lowest threshold above which people would agree at least as often as the bar says, at the level `delta`. */
export function findThreshold({
  judged,
  barPpm,
  delta = usualDelta,
}: {
  judged: readonly JudgedScore[];
  barPpm: number;
  delta?: number;
}): ThresholdFinding {
  const need = leastDecisions({ barPpm, delta: delta / starts.length });
  if (!Number.isFinite(need)) return { kind: "unprovable" };
  // A score of nothing means that nothing is known of it: no threshold lets it through.
  const scored = judged.filter(({ ppm }) => ppm > 0);
  if (scored.length < need) return { kind: "not_enough", have: scored.length, need };
  const candidates = candidatesOf(scored, need);
  const [first] = candidates;
  if (first === undefined) return { kind: "not_enough", have: scored.length, need };
  const proved = provedOf(candidates, { miss: 1 - barPpm / 1_000_000, delta });
  if (proved !== null) return { kind: "proposed", ...proved };
  return { kind: "below_bar", ...first, level: levelAt(0, { of: candidates.length, delta }) };
}

function provedOf(candidates: readonly Candidate[], { miss, delta }: { miss: number; delta: number }): Candidate | null {
  let proved: Candidate | null = null;
  let level = 0;
  for (const [i, candidate] of candidates.entries()) {
    level += levelAt(i, { of: candidates.length, delta });
    const p = atMost(candidate.decisions - candidate.agreed, candidate.decisions, miss);
    if (p <= level) proved = candidate;
    else level = 0;
  }
  return proved;
}

/** The share of the level that begins at a candidate. */
function levelAt(i: number, { of, delta }: { of: number; delta: number }): number {
  return (delta * starts.filter((part) => Math.floor(part * of) === i).length) / starts.length;
}

/** From the strictest on. They depend on how many scores lie above them and on no answer; scores that are equal stay together. */
function candidatesOf(judged: readonly JudgedScore[], need: number): readonly Candidate[] {
  const sorted = judged.toSorted((one, other) => other.ppm - one.ppm);
  const agreedUpTo: number[] = [0];
  for (const { agreed } of sorted) agreedUpTo.push((agreedUpTo.at(-1) ?? 0) + Number(agreed));
  const found = new Map<number, Candidate>();
  for (let i = 0; i < candidateCount; i += 1) {
    // Steps that grow, since what a few more decisions prove is less and less.
    const rank = Math.round(need * (sorted.length / need) ** (i / (candidateCount - 1)));
    const thresholdPpm = sorted[Math.min(rank, sorted.length) - 1]?.ppm ?? 0;
    const decisions = countAtLeast(sorted, thresholdPpm);
    found.set(thresholdPpm, { thresholdPpm, decisions, agreed: agreedUpTo[decisions] ?? 0 });
  }
  return [...found.values()];
}

/** How many of scores that fall are at least so high. */
function countAtLeast(sorted: readonly JudgedScore[], ppm: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.ppm ?? -1) >= ppm) low = middle + 1;
    else high = middle;
  }
  return low;
}
