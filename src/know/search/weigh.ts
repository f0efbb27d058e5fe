/** A term with its rarity, in whole thousandths: the logarithm of how few of the passages hold it. */
export interface WeighedTerm {
  readonly term: string;
  readonly weight: number;
}

/** The terms of a query by their part in it. */
export interface WeighedTerms {
  /** A passage is found by these: it has to hold one of them. */
  readonly finding: readonly WeighedTerm[];
  /** So common that they only order what the others found. */
  readonly ordering: readonly WeighedTerm[];
}

/** What terms are weighed by. */
export interface Weighing {
  readonly terms: readonly string[];
  /** In how many of the passages that the asker may see a term finds; 0 where it is left out. */
  readonly counts: ReadonlyMap<string, number>;
  /** How many passages the asker may see. */
  readonly total: number;
  readonly mostToFind: number;
}

/**
 * Weighs the terms of a query. They find, rarest first, as long as they do so in no more than `mostToFind` passages altogether; the
 * rarest always does. One that finds nowhere is kept: it may stand in the heading of a section.
 */
export function weigh({ terms, counts, total, mostToFind }: Weighing): WeighedTerms {
  const counted = terms.map((term) => ({ term, passages: counts.get(term) ?? 0 }));
  const rarest = counted.sort((a, b) => a.passages - b.passages || (a.term < b.term ? -1 : 1));
  const finding: WeighedTerm[] = [];
  const ordering: WeighedTerm[] = [];
  let found = 0;
  for (const { term, passages } of rarest) {
    const weighed = { term, weight: rarity(passages, total) };
    if (found === 0 || found + passages <= mostToFind) finding.push(weighed);
    else ordering.push(weighed);
    found += passages;
  }
  return { finding, ordering };
}

/** How rare a term is, in whole thousandths: the logarithm of how few of `total` passages hold it. */
export function rarity(passages: number, total: number): number {
  return Math.max(1, Math.round(1_000 * Math.log(1 + (Math.max(total, passages) - passages + 0.5) / (passages + 0.5))));
}
