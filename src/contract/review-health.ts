/** A spread of times in milliseconds. */
interface Spread {
  readonly least: number;
  readonly quarter: number;
  readonly median: number;
  readonly threeQuarters: number;
  readonly most: number;
  /** Of how many answers. */
  readonly of: number;
}

/** How one person's own answers went, by capability; shown to nobody else. */
interface OwnHealth {
  readonly capability: string;
  readonly answered: number;
  /** Signed, rejected, and edited: those that were signed are as proposed. */
  readonly approved: number;
  readonly rejected: number;
  readonly edited: number;
  /** How long it was visible and focused, where the console told; `null` where none was told. */
  readonly viewed: Spread | null;
  /** From when it was put before people to this person's answer. */
  readonly waited: Spread | null;
  /** Of those that this person signed and another person answered later: with how many the other one agreed. */
  readonly secondLooks: { readonly of: number; readonly agreed: number };
  /** Present from 50 answers on, where nearly all are signed as proposed, quickly: its facts. It speaks about the queue. */
  readonly mayBeTooAlike: {
    readonly of: number;
    readonly approved: number;
    readonly medianViewedMs: number;
    /** How the other people who answer this capability go, all together; `null` where there are fewer than two of them. */
    readonly others: { readonly reviewers: number; readonly answered: number; readonly approved: number } | null;
  } | null;
}

/** What a lead sees of a capability: no person, and no speed. */
interface CapabilityHealth {
  readonly capability: string;
  readonly reviewers: number;
  readonly answered: number;
  /** The fewest and the most answers that one of them gave on a day on which they gave any. */
  readonly leastADay: number;
  readonly mostADay: number;
  readonly secondLooks: { readonly of: number; readonly agreed: number };
}

/** How reviewing goes within a window of time (milliseconds since the epoch). */
export interface ReviewHealth {
  readonly from: number;
  readonly until: number;
  /** The caller's own. */
  readonly own: readonly OwnHealth[];
  /** For those who may see load; `null` for others. */
  readonly capabilities: readonly CapabilityHealth[] | null;
  /** Answers of today by person, UTC, by name; `null` as above. */
  readonly loadToday: readonly { readonly id: string; readonly name: string; readonly answered: number }[] | null;
}
