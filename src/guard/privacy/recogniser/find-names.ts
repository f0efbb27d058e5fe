// Finds people, organisations and addresses in texts by a small trained tagger. Pure: the model's bytes are handed in. Linear in time.
import type { DataClass, Finding } from "../../../contract/privacy.ts";
import { fold, originalRange } from "../fold.ts";
import { canonicalName } from "./canonical-name.ts";
import type { NameModel } from "./name-model.ts";
import type { Span } from "./span.ts";
import { spansOf } from "./spans.ts";
import { tagTokens } from "./tag-tokens.ts";
import { tokensOf } from "./tokens.ts";

/** How names are looked for. */
export interface FindingNames {
  readonly model: NameModel;
  /** Whether cities and countries count that are no part of an address. */
  readonly places: boolean;
}

/**
 * Finds the names of people and organisations and the addresses of a text, sorted and disjoint. A title, a genitive and the marks around a
 * name stay outside. Once a full name is found, its parts count elsewhere in the same text.
 */
export function findNames(text: string, { model, places }: FindingNames): readonly Finding[] {
  const folded = fold(text);
  const tokens = tokensOf(folded.text);
  const spans = spansOf(tokens, { tags: tagTokens(tokens, model), lexicon: model.lexicon });
  return spans.flatMap((span) => {
    if (span.kind === "place" && !places) return [];
    const [first, last] = [tokens.starts[span.from] ?? 0, tokens.ends[span.to - 1] ?? 0];
    return [
      { ...originalRange(folded, first, last), ...described(span), canonical: canonicalName(folded.text.slice(first, last)) },
    ];
  });
}

function described({ kind }: Span): { readonly class: DataClass; readonly kind: string; readonly jurisdiction: null } {
  if (kind === "address") return { class: "address", kind: "street", jurisdiction: null };
  if (kind === "place") return { class: "address", kind: "place", jurisdiction: null };
  return { class: kind, kind: "name", jurisdiction: null };
}
