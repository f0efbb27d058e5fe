/** How often a term occurs in what the asker may see. */
export interface TermCount {
  readonly term: string;
  readonly passages: number;
}

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

/**
 * Weighs the terms that occur at all; `total` is how many passages the asker may see. Terms find, rarest first, as long as they occur
 * in no more than `mostToFind` passages altogether; the rarest always does.
 */
export function weigh(counts: readonly TermCount[], { total, mostToFind }: { total: number; mostToFind: number }): WeighedTerms {
  const rarest = counts
    .filter(({ passages }) => passages > 0)
    .sort((a, b) => a.passages - b.passages || (a.term < b.term ? -1 : 1));
  const finding: WeighedTerm[] = [];
  const ordering: WeighedTerm[] = [];
  let found = 0;
  for (const { term, passages } of rarest) {
    found += passages;
    const weighed = { term, weight: rarity(passages, total) };
    if (finding.length === 0 || found <= mostToFind) finding.push(weighed);
    else ordering.push(weighed);
  }
  return { finding, ordering };
}

function rarity(passages: number, total: number): number {
  return Math.max(1, Math.round(1_000 * Math.log(1 + (Math.max(total, passages) - passages + 0.5) / (passages + 0.5))));
}
