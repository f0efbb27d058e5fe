/** How many decisions wait for a person, as far as this caller may see them. */
export interface ReviewCount {
  /** At most 10,000. */
  readonly count: number;
  /** There are more than are counted. */
  readonly isOver: boolean;
}
