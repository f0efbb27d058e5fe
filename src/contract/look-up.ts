import type { Fact, FactNeed } from "./fact.ts";
import type { FoundPassages } from "./found-passages.ts";
import type { Principal } from "./principal.ts";

/** A search for passages that somebody makes without a decision. */
export interface PassageSearch {
  readonly query: string;
  /** Searches only the collection of this name; all of them where it is left out. */
  readonly collection?: string | undefined;
  /** Searches only documents whose metadata hold all of these, by equality. */
  readonly metadata?: { readonly [key: string]: string } | undefined;
  /** The reference time, in milliseconds since the epoch, not after now; now where it is left out. */
  readonly at?: number | undefined;
  /** At most this many passages, 1 to 100. */
  readonly limit: number;
}

/** A question about facts that somebody asks without a decision; its time is never left out. */
export type FactQuestion = Pick<FactNeed, "subject" | "predicates" | "at" | "limit"> & {
  readonly asKnownAt?: number | undefined;
  readonly steps?: number | undefined;
};

/** What the deciding half looks up for somebody, under the permissions that a decision of theirs would have. */
export interface LookUp {
  /** Throws what a search throws, such as `bad_text` and `too_large`; `reference_time_invalid` for a time to come. */
  readonly search: (asked: { principal: Principal } & PassageSearch) => Promise<FoundPassages>;
  /** Throws `reference_time_missing`, `reference_time_invalid`, `bad_text` or `definition_invalid`. */
  readonly facts: (asked: { principal: Principal } & FactQuestion) => Promise<readonly Fact[]>;
}
