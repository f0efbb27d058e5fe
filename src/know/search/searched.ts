import { sql } from "kysely";
import { isSearchable } from "./in-force.ts";
import type { Asked } from "./permitted.ts";
import type { ScoredPassage } from "./score.ts";

/** Which documents are in force and fit the filters, as far as it was asked. */
export interface Searched {
  /** The best `limit` that are searched. No more is asked of the database than it takes to have enough. */
  readonly best: (ranked: readonly ScoredPassage[], limit: number) => Promise<readonly ScoredPassage[]>;
}

/** Documents that it is asked of first; four times as many each time thereafter. */
const documentsAtFirst = 64;

/** Begins with nothing asked. */
export function openSearched(asked: Asked): Searched {
  const known = new Map<number, boolean>();
  return {
    best: async (ranked, limit) => {
      const best: ScoredPassage[] = [];
      let atOnce = Math.max(documentsAtFirst, limit);
      for (const [at, passage] of ranked.entries()) {
        if (best.length === limit) break;
        if (!known.has(passage.document)) {
          await ask(asked, { known, documents: unknownFrom(ranked, { at, known, most: atOnce }) });
          atOnce *= 4;
        }
        if (known.get(passage.document) === true) best.push(passage);
      }
      return best;
    },
  };
}

async function ask(
  asked: Asked,
  { known, documents }: { known: Map<number, boolean>; documents: readonly number[] },
): Promise<void> {
  const { rows } = await sql<{ number: number }>`
    select number from countersign.document where number = any (${[...documents]}::integer[]) and ${isSearchable(asked, { ofFew: true })}`.execute(
    asked.tx,
  );
  const found = new Set(rows.map(({ number }) => number));
  for (const document of documents) known.set(document, found.has(document));
}

function unknownFrom(
  ranked: readonly ScoredPassage[],
  { at, known, most }: { at: number; known: ReadonlyMap<number, boolean>; most: number },
): readonly number[] {
  const documents = new Set<number>();
  for (let next = at; next < ranked.length && documents.size < most; next += 1) {
    const document = ranked[next]?.document;
    if (document !== undefined && !known.has(document)) documents.add(document);
  }
  return [...documents];
}
