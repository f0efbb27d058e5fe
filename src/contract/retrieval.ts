import type { PassageReference, SearchActivity } from "./found-passages.ts";

/** What a sub-query may ask for, by the name of its intent. */
export interface Intent {
  /** One sentence for the model that plans. */
  readonly description: string;
  readonly collection?: string;
  /** Metadata of documents by which it may be narrowed down, each with the values that there are. */
  readonly filters: { readonly [key: string]: FilterRule };
  /** The refusal bar of its passages, as that of a need. */
  readonly minimumScore: number;
  /** Passages of one sub-query where the plan names no number, and the most that it may name; 5 where it is left out. */
  readonly topN?: number;
}

/** A filter of an intent. A sub-query without a filter that is required is refused before it is sent. */
export interface FilterRule {
  readonly required: boolean;
  readonly values: readonly [string, ...string[]];
}

/** One sub-query of a plan. */
export interface SubQuery {
  readonly intent: string;
  readonly query: string;
  readonly filters: { readonly [key: string]: string };
  readonly topN: number;
}

/** What became of a sub-query. */
export interface SubQueryActivity extends SubQuery {
  /** The need under which its passages are known. */
  readonly need: string;
  /** `refused` was not sent; `nothing` had nothing at its bar. */
  readonly outcome: "found" | "nothing" | "refused" | "failed";
  /** Why it was refused or failed, in words; `null` otherwise. */
  readonly why: string | null;
}

/** What the search of one need did and where what it found stands. */
export interface NeedActivity {
  readonly need: string;
  readonly references: readonly PassageReference[];
  readonly activity: SearchActivity;
}

/** A passage that was found and is not in the context. */
export interface LeftOut {
  readonly id: string;
  readonly need: string;
  readonly why: "duplicate" | "found_before" | "beyond_budget";
  /** The passage that says the same; `null` where it was left out for another reason. */
  readonly sameAs: string | null;
}

/** What `context_load` did: the plan, the ranks, what was left out and why. */
export interface ContextActivity {
  /** `null` where the capability has none. */
  readonly plan: { readonly model: string; readonly version: string; readonly subQueries: readonly SubQueryActivity[] } | null;
  readonly searches: readonly NeedActivity[];
  readonly leftOut: readonly LeftOut[];
  /** Estimated of what is in the context, and the most that may be. */
  readonly tokens: { readonly estimated: number; readonly budget: number };
}

/** Says which of the passages that were found say what another one says; the port to what is known of redundancy. */
export type FindDuplicates = (
  passages: readonly DuplicateCandidate[],
  queries: readonly string[],
) => readonly { readonly id: string; readonly sameAs: string }[];

/** A passage as it was found, best first in its list. */
export interface DuplicateCandidate {
  readonly id: string;
  readonly text: string;
  readonly isAuthority: boolean;
  readonly isCurrent: boolean;
}
