/** How well one bar tells questions that can be answered from such that cannot. Shares are of 100. */
export interface Refusing {
  /** How probably the evidence of an answerable question is above that of an unanswerable one; 0.5 is chance. */
  readonly auroc: number;
  /** For each bar: unanswerable questions that would be answered, and answerable ones that would be refused. */
  readonly curve: readonly {
    readonly bar: number;
    readonly falseAnswers: number;
    readonly falseRefusals: number;
    /** Questions that are partly answerable, or that ask too little, and would be refused; no bar is right for them. */
    readonly refusedPartial: number | null;
    readonly refusedUnderspecified: number | null;
  }[];
  /** Where the two kinds of error are nearest to each other. */
  readonly equalErrors: number;
}

/** Makes the curve of the best evidence of each question, by whether it can be answered. */
export function curveOf(evidence: ReadonlyMap<string, readonly number[]>): Refusing {
  const of = (kind: string) => evidence.get(kind) ?? [];
  const answerable = of("ANSWERABLE");
  const unanswerable = of("UNANSWERABLE");
  const below = (values: readonly number[], bar: number) => percent(values.filter((value) => value < bar).length, values.length);
  const bars = Array.from({ length: 20 }, (_, at) => at / 20);
  const curve = bars.map((bar) => ({
    ...{ bar, falseAnswers: 100 - (below(unanswerable, bar) ?? 0), falseRefusals: below(answerable, bar) ?? 0 },
    ...{ refusedPartial: below(of("PARTIAL"), bar), refusedUnderspecified: below(of("UNDERSPECIFIED"), bar) },
  }));
  return { auroc: aurocOf(answerable, unanswerable), curve: curve.map(rounded), equalErrors: equalOf(answerable, unanswerable) };
}

/** The share of pairs in which the answerable one has more evidence; equal ones count half. */
function aurocOf(answerable: readonly number[], unanswerable: readonly number[]): number {
  let sum = 0;
  for (const one of answerable) for (const other of unanswerable) sum += one > other ? 1 : one === other ? 0.5 : 0;
  const pairs = answerable.length * unanswerable.length;
  return pairs === 0 ? 0 : Math.round((1_000 * sum) / pairs) / 1_000;
}

function equalOf(answerable: readonly number[], unanswerable: readonly number[]): number {
  const bars = [...new Set([...answerable, ...unanswerable])].sort((a, b) => a - b);
  const errors = bars.map((bar) => ({
    refusals: answerable.filter((value) => value < bar).length / Math.max(1, answerable.length),
    answers: unanswerable.filter((value) => value >= bar).length / Math.max(1, unanswerable.length),
  }));
  const best = errors.sort((a, b) => Math.abs(a.refusals - a.answers) - Math.abs(b.refusals - b.answers))[0];
  return best === undefined ? 0 : Math.round(500 * (best.refusals + best.answers)) / 10;
}

function percent(count: number, total: number): number | null {
  return total === 0 ? null : (100 * count) / total;
}

function rounded<T extends Record<string, number | null>>(row: T): T {
  const entries = Object.entries(row).map(([key, value]) => [
    key,
    value === null || key === "bar" ? value : Math.round(value * 10) / 10,
  ]);
  // The same keys with the same kinds of values.
  return Object.fromEntries(entries) as T;
}
