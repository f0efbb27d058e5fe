import { useQuery } from "@tanstack/react-query";
import type { Client } from "../../../../src/client/index.ts";
import { isCountersignError } from "../../../../src/contract/errors.ts";
import type { FoundPassages } from "../../../../src/contract/found-passages.ts";
import type { ReviewItem } from "../../../../src/contract/review-evidence.ts";
import type { DecisionView } from "../../../../src/contract/views.ts";
import { useApi } from "../../api/api.tsx";
import { type NumberedSource, sourcesOf } from "./sources-of.ts";

const mostFound = 20;

/** The pieces behind the claims of an answer, by the numbers of its sources, as far as this person may read them. Read once, when one is opened. */
export function useSources(view: DecisionView) {
  const { client } = useApi();
  return useQuery({ queryKey: ["held", "sources", view.id], queryFn: () => readSources(client, view) });
}

/** First what the decision kept and may be shown; of passages that are not in it, the same passage where this person finds it today. */
async function readSources(client: Client, view: DecisionView): Promise<readonly ReviewItem[]> {
  const sources = sourcesOf(view);
  const kept = await keptItems(client, view.id);
  const items = await Promise.all(
    sources.map(async (source): Promise<ReviewItem | null> => {
      const own = kept.find(({ id }) => id === source.id);
      if (own !== undefined) return { ...own, number: source.number, claims: claimsOf(view, source) };
      return source.kind === "passage" ? foundAgain(client, view, source) : null;
    }),
  );
  return items.filter((item) => item !== null);
}

async function keptItems(client: Client, decisionId: string): Promise<readonly ReviewItem[]> {
  try {
    return (await client.evidence(decisionId)).items;
  } catch (thrown) {
    if (isCountersignError(thrown, "not_found") || isCountersignError(thrown, "forbidden")) return [];
    throw thrown;
  }
}

async function foundAgain(client: Client, view: DecisionView, source: NumberedSource): Promise<ReviewItem | null> {
  const found = await client.search({ query: source.backs.join(" ").slice(0, 1_000), limit: mostFound });
  return itemOf(found, view, source);
}

function itemOf({ content, references }: FoundPassages, view: DecisionView, source: NumberedSource): ReviewItem | null {
  const passage = content.find(({ id }) => id === source.id);
  const reference = references.find(({ id }) => id === source.id);
  if (passage === undefined || reference === undefined) return null;
  const { document, title, version, section, text: quote } = passage;
  return {
    ...{ kind: "passage", number: source.number, id: source.id, claims: claimsOf(view, source) },
    ...{ document, title, version, section, quote, page: reference.page, isCurrent: reference.isCurrent },
    ...{ isAuthority: reference.isAuthority, accessCheckedAt: reference.accessCheckedAt },
  };
}

function claimsOf({ claims }: DecisionView, { id }: NumberedSource): readonly number[] {
  return claims.flatMap(({ source, also = [] }, place) =>
    source === id || also.some((one) => one.source === id) ? [place] : [],
  );
}
