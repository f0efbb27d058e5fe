/** Whether a document is in use. Only a current one is searched, unless a need asks for the others too. */
export const documentStatuses = ["current", "draft", "archived", "superseded"] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

/**
 * One version of a document as it is filed. Instants are milliseconds since the epoch. Filing it again with the same id and version
 * replaces that version whole.
 */
export interface FiledDocument {
  /** In the form of `idPattern`, and the same over all versions. */
  readonly id: string;
  /** 1 to 40 characters of `0-9 A-Z a-z . -`. */
  readonly version: string;
  readonly title: string;
  /** The name of the collection that it stands in; made on its first use: `turns` with the settings of turns, any other with those of documents. */
  readonly collection: string;
  readonly owner: string;
  /** The name of the source that it came from; `null` where it was filed by hand. */
  readonly source: string | null;
  readonly status: DocumentStatus;
  /** The version that takes its place where its status is `superseded`; `null` otherwise. */
  readonly supersededBy: string | null;
  /** Says that it is the place where its subject is laid down: of two that say the same, it is the one to keep and to cite. */
  readonly isAuthority: boolean;
  /** In force from this instant on, and before the second one; no end where that is `null`. */
  readonly validFrom: number;
  readonly validTo: number | null;
  /** The labels that may see it; an empty list is nobody. */
  readonly scopes: readonly string[];
  /** SHA-256 over what was read, in hex: what has not changed is not filed again. */
  readonly contentHash: string;
  /** What a need may ask to be equal; keys and values are plain text. */
  readonly metadata: { readonly [key: string]: string };
}

/** A piece of a document as it is filed. Its place in the list, counted from 1, is its position in the document. */
export interface FiledPassage {
  /** The headings above it, outermost first. Neighbours of equal path are one parent section. */
  readonly sectionPath: readonly string[];
  /** The page that it begins on, counted from 1; `null` where the document has no pages. */
  readonly page: number | null;
  /** Where it stands in the document's text, in UTF-16 code units: the first, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** A line that says what the passage is about; searched with it and never shown as its text. */
  readonly contextLine?: string;
  /** Its vector per embedder, by the embedder's name; filed in the same transaction. */
  readonly vectors?: { readonly [embedder: string]: Float32Array };
}

/** What filing a version did, counted in the database after it. */
export interface Filing {
  readonly kind: "added" | "replaced";
  readonly passages: number;
  /** Terms of all passages together. */
  readonly terms: number;
}

/** How a collection is scored. Changing it is felt by what is filed after it: file the collection again. */
export interface CollectionSettings {
  /** How soon another occurrence of a word stops to count; from 0 to 3. */
  readonly k1: number;
  /** How much length counts against a passage; from 0 to 1. */
  readonly b: number;
  /** How many passages before and after a passage belong to its window; from 0 to 3. */
  readonly windowReach: number;
  /** Weights of the scores of the window and of the parent section, beside 1 for the passage's own; from 0 to 2. */
  readonly windowWeight: number;
  readonly sectionWeight: number;
  /** Lengths, in terms, of a passage and a section that are neither short nor long. */
  readonly passageTerms: number;
  readonly sectionTerms: number;
  /** Whether a word of a heading finds every passage below it, also one that does not hold it itself. */
  readonly headingsFind: boolean;
}

/** For passages of documents: paragraphs, tables, list items. */
export const documentSettings: CollectionSettings = Object.freeze({
  ...{ k1: 1.2, b: 0.75, windowReach: 1, windowWeight: 0.5, sectionWeight: 0.5, passageTerms: 80, sectionTerms: 320 },
  headingsFind: true,
});

/** For short turns of conversations, each of which leans on those around it. */
export const turnSettings: CollectionSettings = Object.freeze({
  ...{ k1: 0.9, b: 0.4, windowReach: 2, windowWeight: 0.7, sectionWeight: 0.7, passageTerms: 15, sectionTerms: 375 },
  // A heading of turns is a date, and there are many below each.
  headingsFind: false,
});

/** How a section's path is shown, and how it is kept beside a passage. */
export function sectionTitle(path: readonly string[]): string {
  return path.join(" > ");
}
