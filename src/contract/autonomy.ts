/** How a capability earns that its proposals go through alone; see `docs/autonomy.md`. */
export interface AutonomyRule {
  /** The share of would-be `auto` proposals with which people must agree at least, in parts per million. */
  readonly leastAgreementPpm: number;
  /** The share of proposals that would go `auto` and are shown to a person all the same, in parts per million. */
  readonly auditPpm: number;
}

/** What holds where a capability says nothing of it: 2 % may be wrong, and nothing is drawn for people to look at. */
export const usualAutonomy: AutonomyRule = { leastAgreementPpm: 980_000, auditPpm: 0 };

/**
 * How confidences were spread while a slice earned its threshold, in stretches between some of them. Confidences are often the same, so each
 * has a place among its equals by chance, and cuts are billionths of a part per million.
 */
export type ScoreReference = {
  readonly cuts: readonly number[];
  /** How many gaps between neighbours each stretch holds, one more than there are cuts: the next confidence falls into any gap as likely. */
  readonly gaps: readonly number[];
};

/** What a threshold rests on, as a person signs it: which decisions, how many, with how many people agreed. */
export type SliceEvidence = {
  /** SHA-256 over the proposal of the threshold, in hex: what the person was shown. */
  readonly digest: string;
  /** The decisions and answers that count, from one instant to another, in milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  /** Judged decisions of the slice, those at or above the threshold, and with how many of these people agreed. */
  readonly decisions: number;
  readonly wouldBeAuto: number;
  readonly agreed: number;
  /** The lower end of the interval of agreement, and the bar that it reaches, in parts per million. */
  readonly leastPpm: number;
  readonly barPpm: number;
  /** The share that was shown to people all the same, in parts per million, when it was signed. */
  readonly auditPpm: number;
  /** The models that made these decisions, as entries name them: another one has earned nothing. */
  readonly models: readonly string[];
  /** `null` where there were too few to tell a change of them later. */
  readonly reference: ScoreReference | null;
};

/** Whether signed evidence reaches the bar of today, and no fewer are shown to people than when it was signed. */
export function meetsRule(
  { leastPpm, auditPpm }: Pick<SliceEvidence, "leastPpm" | "auditPpm">,
  rule: AutonomyRule = usualAutonomy,
): boolean {
  return leastPpm >= rule.leastAgreementPpm && rule.auditPpm >= auditPpm;
}

/** Where one slice stands and what could be signed of it; what `countersign autonomy` and the desk show. */
export interface SliceView {
  readonly capability: string;
  readonly capabilityVersion: string;
  readonly slice: string;
  readonly owner: string;
  /** `neverAutoPpm` where nobody has opened it, or it was taken back. */
  readonly thresholdPpm: number;
  readonly finding: SliceFinding;
  /** Signed by a person without evidence, as the demo's are. */
  readonly isByHand: boolean;
  /** Judged decisions in the window, and with how many of them people agreed, whatever their confidence. */
  readonly decisions: number;
  readonly agreed: number;
  /** Present where another threshold than stands could be signed. */
  readonly proposal: ThresholdProposal | null;
  /** Judged decisions by confidence, for a picture of it. */
  readonly bins: readonly AgreementBin[];
}

/**
 * What the evidence says. `stricter`: it bears out a higher threshold than stands open; `not_enough`: so many judged decisions are needed at
 * least; `below_bar`: people agree too seldom, and `leastPpm` is what the test could prove; `unprovable`: no number proves a bar of all.
 */
export type SliceFinding =
  | { readonly kind: "proposed" }
  | { readonly kind: "as_signed" }
  | { readonly kind: "stricter"; readonly thresholdPpm: number }
  | { readonly kind: "unprovable"; readonly barPpm: number }
  | { readonly kind: "not_enough"; readonly have: number; readonly need: number }
  | { readonly kind: "below_bar"; readonly leastPpm: number; readonly barPpm: number };

/** A threshold that the evidence bears out, and what would go `auto` by it. */
export interface ThresholdProposal extends SliceEvidence {
  readonly thresholdPpm: number;
  /** The digest of the definition that earned it, and how its confidences are composed. */
  readonly basis: string;
  readonly calibration: string;
  /** The lower end with one agreement fewer, in parts per million: how near it is. */
  readonly oneFewerPpm: number;
}

/** Judged decisions whose confidence lies from `fromPpm` on and below the next bin's; the interval is that of agreement. */
export interface AgreementBin {
  readonly fromPpm: number;
  readonly decisions: number;
  readonly agreed: number;
  readonly leastPpm: number;
  readonly mostPpm: number;
}

/** A threshold that was taken back. */
export interface DemotionView {
  readonly capability: string;
  readonly slice: string;
  readonly fromPpm: number;
  readonly breach: string;
  /** The entry that tells of it, and the decision whose verdict it was, where it was one. */
  readonly entryId: string;
  readonly decisionId: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What a tenant's slices have earned, and the newest hundred that were taken back, within one window of time (milliseconds since the epoch). */
export interface AutonomyView {
  readonly from: number;
  readonly until: number;
  readonly slices: readonly SliceView[];
  readonly demotions: readonly DemotionView[];
}

/** What a threshold would have let through over a slice's own history. */
export interface Simulation {
  readonly capability: string;
  readonly slice: string;
  readonly thresholdPpm: number;
  /** Judged decisions, those that would have gone `auto`, and with how many of these people agreed. */
  readonly decisions: number;
  readonly wouldBeAuto: number;
  readonly agreed: number;
  readonly leastPpm: number;
  readonly mostPpm: number;
  readonly barPpm: number;
  /** The newest of those that were wrong. */
  readonly wrong: readonly {
    readonly decisionId: string;
    readonly judgement: string;
    readonly ppm: number;
    readonly at: number;
  }[];
}
