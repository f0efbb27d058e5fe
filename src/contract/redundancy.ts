/** How much of one text had stood before, in another text or in itself. Shares are parts per million of runs. */
export interface RedundantText {
  readonly id: string;
  readonly runs: number;
  /** Of its runs, those that had stood before. */
  readonly sharePpm: number;
  /** More than 70 % of it. */
  readonly isFlagged: boolean;
}

/** A run of a text that had stood before, as long as it goes on alike. Places are UTF-16 code units of each text. */
export interface Segment {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  /** Where it stood first. */
  readonly of: { readonly id: string; readonly from: number; readonly to: number };
  /** Its words or characters. */
  readonly tokens: number;
}

/** What would be saved if each segment were said once. */
export interface Savings {
  readonly bytes: number;
  readonly totalBytes: number;
  /** Estimated at four bytes a token of a model. */
  readonly tokens: number;
  readonly totalTokens: number;
}

/** What texts say more than once, all told. */
export interface RedundancyView {
  readonly sharePpm: number;
  readonly texts: readonly RedundantText[];
  readonly segments: readonly Segment[];
  readonly savings: Savings;
}
