import type { DecisionView } from "../../../../src/contract/views.ts";
import type { SourceKind } from "../../../../src/contract/words.ts";
import { kindOfItem } from "../../words/sources.ts";

/** One source behind the claims of an answer, by the number that its reader knows it by. */
export interface NumberedSource {
  /** Counted from 1. */
  readonly number: number;
  /** The id of the piece of context. */
  readonly id: string;
  readonly citation: string;
  readonly kind: SourceKind;
  /** The claims that rest on it, in their words. */
  readonly backs: readonly string[];
}

/** The sources behind the claims of a decision, each once, in the order in which they are first named. */
export function sourcesOf({ claims }: Pick<DecisionView, "claims">): readonly NumberedSource[] {
  const named = claims.flatMap(({ text, source, citation, also = [] }) =>
    [{ source, citation }, ...also].map((one) => ({ ...one, text })),
  );
  const ids = [...new Set(named.map(({ source }) => source))];
  return ids.map((id, place) => {
    const own = named.filter(({ source }) => source === id);
    return {
      ...{ number: place + 1, id, citation: own[0]?.citation ?? id, kind: kindOfItem(id) },
      backs: [...new Set(own.map(({ text }) => text))],
    };
  });
}
