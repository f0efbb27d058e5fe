/** One page of a list, as every list of the HTTP API is told. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Asks for the next page with the same question; `null` where this page is the last. Opaque: its form is nobody's to rely on. */
  readonly next: string | null;
}

/** Where an item stands in the order of its list: what it is sorted by, ending in what no two items share. */
export type SortKey = readonly (string | number)[];

/** One page as a reader of the store gives it. */
export interface ReadPage<T, K extends SortKey = SortKey> {
  readonly items: readonly T[];
  /** The place after which the next page begins; `null` where there is nothing after it. */
  readonly last: K | null;
}
