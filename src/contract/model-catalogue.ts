import type { Cancel } from "./principal.ts";

/** One model as its provider's own list has it. */
export interface CatalogueEntry {
  readonly id: string;
  /** The day on which it stops to answer, as `YYYY-MM-DD`; `null` where none is announced. */
  readonly shutdownOn: string | null;
  /** An end is announced, with a day or without one. */
  readonly isEnding: boolean;
  /** It answers no more, though it is listed. */
  readonly isRetired: boolean;
  /** The address of the list, without a query. */
  readonly source: string;
}

/** A provider's own list of its models; who has its key may read it. */
export interface ModelCatalogue {
  readonly vendor: "openai" | "anthropic" | "azure";
  /** Rejects with `model_unavailable` where the list cannot be read or has another form; never with words of the provider's. */
  readonly read: (key: string | null, cancel: Cancel) => Promise<readonly CatalogueEntry[]>;
}
