/** A claim as a capability drafts it. Its text and value may hold bindings such as `{{ticket.status}}`, which code renders from the record named by `source`. */
export interface ClaimDraft {
  readonly text: string;
  /** The id of the context item that says it. */
  readonly source: string;
  /** Further items that it rests on; each must have been retrieved. */
  readonly alsoFrom?: readonly string[];
  /** The part of the question that it answers, by the capability's own name for it. */
  readonly answers?: string;
  /** What it says of that part in as few words as possible, for code to compare; it stands in the claim's text. */
  readonly value?: string;
}

/** What an answer must hold, beside that every claim of it traces. */
export interface AnswerRules {
  /** Parts of the question without which there is no answer at all: one that no claim is left for makes it a refusal. */
  readonly mustAnswer?: readonly string[];
  /** Ids of sources that contradict each other, where the capability found out itself; both stay, and a person decides. */
  readonly inConflict?: readonly string[];
}
