/** What is left to see of a field: nothing but that it is filled, its last four characters, or the domain of an e-mail address. */
export type Mask = "all" | "last_four" | "domain";

/** By field: left out, or shown in part. A field that is not named is shown as it is. */
export type FieldPolicy = { readonly [field: string]: "exclude" | { readonly mask: Mask } };

/** Rows are shown as totals of groups; of no group with fewer subjects than the least. */
export interface Aggregate {
  /** The fields that make a group; with none there is one group. */
  readonly by: readonly string[];
  readonly measures: {
    readonly [name: string]: { readonly as: "count" } | { readonly as: "sum" | "mean"; readonly of: string };
  };
  /** The field that says whose data a row is, such as an employee's id. Its name is also what two queries of one decision are compared by. */
  readonly subject: string;
  /** The fewest subjects that may stand behind a total; at least 2. */
  readonly minimumGroup: number;
}

/** What of rows that are groups already, such as those of a view, is left out. */
export interface GroupSize {
  /** The field that counts the subjects of a group. */
  readonly field: string;
  readonly minimumGroup: number;
  /** Whose data it is, in the same word as other queries over the same people have as `subject`. */
  readonly subject: string;
}
