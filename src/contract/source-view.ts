/** A document source of the tenant, and how far its index is. Times are milliseconds since the epoch. */
export interface SourceView {
  readonly name: string;
  readonly collections: readonly string[];
  readonly state: "new" | "running" | "complete" | "failed";
  readonly files: number;
  readonly documents: number;
  readonly passages: number;
  readonly faults: number;
  /** How old the index may be, and whether it is older, in milliseconds. */
  readonly promiseMs: number;
  readonly isBehind: boolean;
  /** Whatever its folder held then is filed. */
  readonly freshAsOf: number | null;
  /** Of the last run with changes: from when one was seen to when it was filed. */
  readonly lagMs: number | null;
  readonly lastStartedAt: number | null;
  readonly lastCompleteAt: number | null;
  readonly lastChangeAt: number | null;
  /** Of a run that goes on: how many files are seen to, of how many. */
  readonly progress: { readonly done: number; readonly total: number } | null;
}
