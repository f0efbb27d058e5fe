/** What may have changed for somebody who listens: which lists to read again, and never what is in them. */
export const changeTopics = ["decisions", "reviews", "operations", "cases", "ledger", "halts"] as const;
export type ChangeTopic = (typeof changeTopics)[number];

/** One event of `GET /v1/events`. */
export interface ChangeView {
  readonly topics: readonly ChangeTopic[];
}
