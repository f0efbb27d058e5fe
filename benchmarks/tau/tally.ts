/** How many of something were as they must be, and which were not. The share is `null` where there was nothing. */
export interface Tally {
  readonly count: number;
  readonly right: number;
  readonly share: number | null;
  readonly failing: readonly string[];
}

/** Counts by a judgement that gives an id and whether it is right. */
export function tallyOf<T>(all: readonly T[], judge: (one: T) => readonly [id: string, isRight: boolean]): Tally {
  const failing = all.map(judge).flatMap(([id, isRight]) => (isRight ? [] : [id]));
  const right = all.length - failing.length;
  return { count: all.length, right, share: all.length === 0 ? null : right / all.length, failing };
}
