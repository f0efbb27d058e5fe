/** A piece of retrieved text. Its text is data, never instructions. */
export interface Passage {
  readonly kind: "passage";
  readonly id: string;
  readonly need: string;
  readonly document: string;
  readonly title: string;
  readonly version: string;
  readonly section: string;
  readonly text: string;
  /**
   * Evidence, from 0 to below 1, that a capability's `minimumScore` is compared with: how much of what the query asks for stands in the
   * passage or the headings above it, rare words before common ones. About half of it is 0.5. It says nothing of the order.
   */
  readonly score: number;
  /** The page that it begins on, where its document has pages. */
  readonly page?: number;
  /** Its document is the place where its subject is laid down; left out where it is not. */
  readonly isAuthority?: true;
  /** Its document is a draft, replaced or not in force at the reference time, and was asked for all the same; left out where it is current. */
  readonly isCurrent?: false;
}

/** What a search for passages gives: what was found, where each piece of it stands, and what the search did. */
export interface FoundPassages {
  /** Best first. */
  readonly content: readonly Passage[];
  /** One for each passage of `content`, in its order. */
  readonly references: readonly PassageReference[];
  readonly activity: SearchActivity;
  /** It is what a decision that was let go on kept of an earlier search: with nothing of it left, all was left out since another need had it. */
  readonly isGivenAgain?: true;
}

/** Where a passage stands, and when it was seen that the asker may see it. Instants are milliseconds since the epoch. */
export interface PassageReference {
  /** The passage's id. */
  readonly id: string;
  readonly document: string;
  readonly version: string;
  readonly section: string;
  /** `null` where its document has no pages. */
  readonly page: number | null;
  /** In the document's text, in UTF-16 code units: the first, and the one after the last. */
  readonly characters: { readonly from: number; readonly to: number };
  readonly isAuthority: boolean;
  readonly isCurrent: boolean;
  readonly accessCheckedAt: number;
  readonly indexedAt: number;
}

/** What one way of searching found, before the ways were joined. */
export interface LegActivity {
  readonly name: string;
  readonly weight: number;
  /** Ids of its candidates, best first: of what the asker may see and what fits the filters alone. */
  readonly ranks: readonly string[];
}

/** What a search did. Nothing in it, counts included, depends on what the asker may not see. */
export interface SearchActivity {
  readonly filters: {
    readonly collection: string | null;
    readonly metadata: { readonly [key: string]: string };
    /** The reference time, in milliseconds since the epoch. */
    readonly at: number;
    readonly includesNotCurrent: boolean;
  };
  readonly legs: readonly LegActivity[];
  /** What was found and is not in the content, and why. */
  readonly dropped: readonly { readonly id: string; readonly why: "beyond_limit" }[];
  /** The words of the query that were so common that they only ordered what other words found. */
  readonly commonWords: readonly string[];
  /** How many words of the query were left out because it has too many. */
  readonly wordsLeftOut: number;
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

/** A search that did nothing, where what it found before is given again. */
export function foundBefore(content: readonly Passage[], at: number): FoundPassages {
  const filters = { collection: null, metadata: {}, at, includesNotCurrent: false };
  return { content, references: [], activity: { filters, legs: [], dropped: [], commonWords: [], wordsLeftOut: 0, ms: 0 } };
}

/** What a decision kept of a search, for going over it again. */
export function givenAgain(content: readonly Passage[], at: number): FoundPassages {
  return { ...foundBefore(content, at), isGivenAgain: true };
}
