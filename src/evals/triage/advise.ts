import { layerOf, type TriageLabel, triageLabels } from "./labels.ts";

/** How many failures have each label, the largest bucket, and the cheapest layer that mends it. */
export interface Advice {
  readonly counts: Readonly<Record<TriageLabel, number>>;
  /** Failures that nobody has labelled; they count for nothing. */
  readonly unlabelled: number;
  /** `null` where nothing is labelled. Of buckets of one size, the one that is cheapest to mend. */
  readonly largest: TriageLabel | null;
  readonly layer: string | null;
}

/** Counts labels that people have set; `null` stands for a failure without one. */
export function advise(labels: readonly (TriageLabel | null)[]): Advice {
  const counts = Object.fromEntries(triageLabels.map((label) => [label, labels.filter((one) => one === label).length])) as Record<
    TriageLabel,
    number
  >;
  const most = Math.max(...Object.values(counts));
  const largest = most === 0 ? null : (triageLabels.find((label) => counts[label] === most) ?? null);
  return {
    counts,
    unlabelled: labels.filter((one) => one === null).length,
    largest,
    layer: largest === null ? null : layerOf[largest],
  };
}
